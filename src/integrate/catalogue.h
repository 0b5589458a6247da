#pragma once

#include "integrate/constrained_stepper.h"
#include "integrate/stepper.h"
#include "system/ode.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The one table of all integrators: what each is, what it moves, and how it is made. Menus, `polhode list`, the engines
/// and the test suites are read from it.
namespace polhode {

class SingleBodySystem;

/// What an integrator moves.
enum class IntegratorKind {
  classical,      // ordinary differential equations: models of all kinds
  director,       // one body, and mechanisms in directors
  directorGauss,  // the same by collocation
  livens,         // one body, and mechanisms in quaternions
  body,           // one body
  realTime,       // mechanisms and their actuators
  system          // constrained systems that users write: M(q), V(q), g(q)
};

struct IntegratorInfo {
  std::string name;
  std::vector<std::string> aliases;  // that people know it by
  IntegratorKind moves;
  std::string kind;     // "explicit Runge-Kutta", "conserving", ...
  int order;            // of its steps; 0 where it chooses that on the way
  std::string summary;  // one sentence: what it is and when to use it
  bool adaptive;        // always chooses its own step from a tolerance
  bool composes;        // has the compositions NAME-4, NAME-6 and NAME-8

  /// Of an ordinary differential equation; none where it solves other things.
  using OdeMaker = std::unique_ptr<Stepper> (*)(const OdeSystem&, double t0, const VectorX& y0, double tEnd,
                                                const IntegratorOptions&);
  OdeMaker makeOde = nullptr;

  /// Of a constrained system; none where it moves other things.
  using SystemMaker = std::unique_ptr<ConstrainedStepper> (*)(const SmoothSystem&, double t0, const VectorX& state,
                                                              double tEnd, double h);
  SystemMaker makeSystem = nullptr;
  bool needsRegularMass = false;

  /// Of one body in its usual equations, at half the price of a step or less, from t = 0; none where there is no such code. It
  /// makes none of equations that are not the usual ones.
  using BodyMaker = std::unique_ptr<Stepper> (*)(const SingleBodySystem&, const VectorX& y0, double tEnd,
                                                 const IntegratorOptions&);
  BodyMaker makeInlined = nullptr;

  bool keepsHistory =
      false;  // steps build on many before: a state that is replaced or saved within one makes it begin anew
  bool solvesDaes = false;  // formulations with multipliers
};

/// Those that move models, and those for systems that users write, in the order in which they are explained.
std::span<const IntegratorInfo> integrators();
std::span<const IntegratorInfo> constrainedIntegrators();

/// An integrator as people name it: "director-em-8" is the composition of order 8 of director-em.
struct NamedIntegrator {
  const IntegratorInfo& info;
  int order;  // of its steps
  bool composed = false;
};

/// The integrator of models with that name. Throws InputError with the nearest name.
NamedIntegrator parseIntegrator(std::string_view name);
inline const IntegratorInfo& findIntegrator(std::string_view name) {
  return parseIntegrator(name).info;
}

/// The integrator of constrained systems with that name; `eml` and `mpl` are the same schemes there as for mechanisms. Throws
/// InputError with the known names.
NamedIntegrator parseConstrainedIntegrator(std::string_view name);

/// One of the classical integrators (those for ordinary differential equations) at the start of its run. The
/// equation must outlive it. Throws InputError for a name that is not among them.
std::unique_ptr<Stepper> makeOdeStepper(const std::string& name, const OdeSystem& ode, double t0, const VectorX& y0,
                                        double tEnd, const IntegratorOptions& options);

}  // namespace polhode
