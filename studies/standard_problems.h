#pragma once

#include "analysis/engine_registry.h"
#include "study.h"

#include <functional>
#include <string>
#include <vector>

/// The standard problems of the multibody community: IFToMM's library of benchmarks, the top of Brüls, Cardona & Arnold
/// 2012. Reference values are published ones (Andrews' squeezer), or were computed in extended precision with two step
/// sizes that agree in the digits shown, and agree with every published value.
namespace polhode::standard {

/// A way to run a problem: by a tolerance, or by a step where the tolerance is zero.
struct Way {
  std::string integrator;
  double tolerance = 0.0, step = 0.0;

  std::string name() const;  // "dop853, tolerance 1e-12"
  SimulationSettings settings(double end) const;
};

/// A number that is observed; angles are compared without their turns.
struct Observed {
  double value;
  bool isAngle = false;
};

struct Instant {
  double time;
  std::vector<double> values;
};

struct Problem {
  std::string title, label, example;  // the label heads a column
  std::string quantity;               // what the error is of
  std::function<std::vector<Observed>(const Observation&)> observe;
  std::vector<Instant> instants;                         // where the motion is known
  double required;                                       // error, at most
  Way accurate;                                          // reaches it at all instants
  double compared;                                       // the instant at which integrators are compared
  int coarsest;                                          // steps of the second-order scheme until then, at the least
  bool stiff = false;                                    // too stiff for explicit integrators
  std::function<std::vector<Claim>()> others = nullptr;  // what is required besides

  /// The largest deviation from the known motion at an instant of the list.
  double error(const Observation& observation) const;
};

/// Whether the known motion is reached at an instant.
Claim required(const Problem& problem, const Instant& instant);

/// A new problem is one entry.
const std::vector<Problem>& problems();

}  // namespace polhode::standard
