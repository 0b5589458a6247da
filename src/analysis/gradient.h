#pragma once

#include "polhode/analysis/observation.h"
#include "polhode/math/types.h"
#include "polhode/model/simulation.h"

#include <string>
#include <vector>

/// What is seen of a run, and the derivatives of that by parameters of the model: for the design of mechanisms by optimisation.
///
/// Trees of ball joints and hinges under their weight, stepped by director-em with a fixed step, carry their derivatives along
/// by dual numbers (tree_gradient.h): these are the derivatives of the steps to round-off, in chaotic motions too. How masses,
/// lengths and starts follow from a parameter, and what is measured from the motion, is differentiated by central
/// differences of eighth order, which hold to about 1e-13. All other models are run at eight values of each parameter, and
/// the differences of eighth order are those of the runs: as accurate as the runs themselves, over the step of the parameter. So
/// is, of trees too, what is seen within a step.
namespace polhode {

/// The model at eight neighbouring values of a parameter: -4, -3, -2, -1, 1, 2, 3 and 4 steps away.
struct VariedModels {
  double step;
  std::vector<Model> models;

  static constexpr int offsets[] = {-4, -3, -2, -1, 1, 2, 3, 4};

  /// 2e-3 of the parameter's value, or of 1 where it is zero.
  static double usualStep(double value) { return 2e-3 * (value == 0.0 ? 1.0 : value < 0.0 ? -value : value); }
};

/// An observable (observable.h) at an instant of the run.
struct Sighting {
  std::string observable;
  double time;
};

struct Gradient {
  std::vector<double> values;
  MatrixX derivatives;       // a row for each value, a column for each parameter
  bool alongTheRun = false;  // by dual numbers; otherwise from differences of runs
};

/// Throws InputError for names that do not exist, SimulationError where a run fails.
Gradient gradientOf(const Model& model, const std::vector<VariedModels>& parameters, const SimulationSettings& settings,
                    const std::vector<Sighting>& sightings);

/// Of observables at the end of the run.
Gradient gradientOf(const Model& model, const std::vector<VariedModels>& parameters, const SimulationSettings& settings,
                    const std::vector<std::string>& measures);

}  // namespace polhode
