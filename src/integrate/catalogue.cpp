#include "polhode/integrate/catalogue.h"

#include "polhode/error.h"
#include "polhode/integrate/bdf.h"
#include "polhode/integrate/dop853.h"
#include "polhode/integrate/dopri5.h"
#include "polhode/integrate/odex.h"
#include "polhode/integrate/one_step.h"
#include "polhode/integrate/radau5.h"
#include "polhode/integrate/seulex.h"
#include "polhode/integrate/single_body/scheme_stepper.h"
#include "polhode/model/suggestion.h"

#include <fmt/format.h>

namespace polhode {

const std::vector<IntegratorInfo>& integrators() {
  static const std::vector<IntegratorInfo> all = {
      {"dopri5", "explicit Runge-Kutta",
       "Dormand & Prince's pair of order 5(4); a good first choice at tolerances of 1e-3 to 1e-7.", true},
      {"dop853", "explicit Runge-Kutta",
       "Dormand & Prince's method of order 8; the choice for non-stiff motion at tight tolerances.", true},
      {"odex", "explicit extrapolation",
       "Gragg, Bulirsch & Stoer's extrapolated midpoint rule, order and step variable; for very tight tolerances.",
       true},
      {"radau5", "implicit Runge-Kutta",
       "Radau IIA of order 5; for stiff motion (hard springs, strong dampers), L-stable.", true},
      {"seulex", "implicit extrapolation",
       "Extrapolated linearly implicit Euler method, order and step variable; stiff motion at tight tolerances.", true},
      {"bdf", "implicit multistep",
       "Backward differentiation of order 1 to 5 (SUNDIALS CVODE, IDA); also solves the index-1, index-2, index-3 and "
       "ggl formulations.",
       true},
      {"director-em", "conserving",
       "Energy and angular momentum to round-off, Cayley increments of the directors; the most accurate of its kind.",
       false},
      {"null-eml", "conserving", "Livens' principle in quaternions, reduced to three unknowns (Kinon & Betsch).",
       false},
      {"reml", "conserving", "The same with the multiplier eliminated (101)-(103).", false},
      {"eml", "conserving",
       "The same as nine equations (86); the generalised energy is exact. Moves mechanisms too, in quaternions.",
       false},
      {"ggl", "conserving", "The same with velocities that satisfy the constraint at the nodes as well.", false},
      {"quaternion-em", "conserving",
       "Betsch & Siebert's energy-momentum scheme (51) in its null-space form; aliases emh and quat-em.", false},
      {"quaternion-em-nine", "conserving", "The same as the nine printed equations.", false},
      {"mpl", "midpoint", "Midpoint rule of Livens' principle (132): momentum exact, energy bounded. Mechanisms too.",
       false},
      {"mph", "midpoint", "Midpoint rule in Hamiltonian form (133) with the polynomial inverse (139).", false},
      {"mph-inverse", "midpoint", "The same with the true inverse of the mass matrix.", false},
      {"quaternion-vi", "variational", "Variational integrator in quaternions; needs steps below 1/|Omega|.", false},
      {"simo-wong", "conserving", "Simo & Wong's ALGO_C1: momentum exact, energy exact without gravity.", false},
      {"linear-implicit-euler", "real time",
       "Lipovac's partitioned scheme (3.3), (3.4): one linear solve a step, order 1, joints held by Baumgarte's term; "
       "moves "
       "actuators.",
       false},
  };
  return all;
}

const IntegratorInfo& findIntegrator(const std::string& name) {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  // A composition "director-em-8" or an alias: the entry of what it is made of.
  if (single_body::isScheme(name)) {
    const std::string base =
        name.rfind("emh", 0) == 0 || name.rfind("quat-em", 0) == 0 ? "quaternion-em" : name.substr(0, name.size() - 2);
    return findIntegrator(base);
  }
  throw InputError(fmt::format("there is no integrator {}; {}", quoted(name), suggestion(name, names)));
}

std::unique_ptr<Stepper> makeOdeStepper(const std::string& name, const OdeSystem& ode, double t0, const VectorX& y0,
                                        double tEnd, const IntegratorOptions& options) {
  if (name == "dopri5") return std::make_unique<MethodStepper<Dopri5<OdeSystem>>>(ode, t0, y0, tEnd, options);
  if (name == "dop853") return std::make_unique<MethodStepper<Dop853<OdeSystem>>>(ode, t0, y0, tEnd, options);
  if (name == "odex") return std::make_unique<MethodStepper<Odex<OdeSystem>>>(ode, t0, y0, tEnd, options);
  if (name == "radau5") return std::make_unique<MethodStepper<Radau5<OdeSystem>>>(ode, t0, y0, tEnd, options);
  if (name == "seulex") return std::make_unique<MethodStepper<Seulex<OdeSystem>>>(ode, t0, y0, tEnd, options);
  if (name == "bdf") return std::make_unique<Bdf>(ode, t0, y0, tEnd, options, Bdf::Projection::everyStep);
  throw InputError(
      fmt::format("integrator '{}' does not solve ordinary differential equations; choose dopri5, dop853, "
                  "odex, radau5, seulex or bdf",
                  name));
}

}  // namespace polhode
