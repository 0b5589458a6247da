#pragma once

#include "polhode/model/model.h"
#include "polhode/model/validation.h"

#include <optional>
#include <vector>

/// Bodies and joints that fit together at t = 0: positions g(z) = 0 and velocities G v = 0.
///
/// Without `assemble` a joint that is open by more than a written rounding is refused. With it the bodies are moved and
/// turned until all joints are closed, each Gauss-Newton step by the smallest change (smallest_change.h); then velocities
/// are corrected in the same sense. What is off by a rounding only is made exact in both cases.
namespace polhode {

/// What is wrong, and with which joint (its number in the model).
struct JointProblem {
  std::size_t joint;
  Problem problem;
};

/// Which velocities of a body are given. The others follow from the joints.
struct GivenVelocities {
  bool velocity = true, angularVelocity = true;
};

/// Closes the joints of a model, and says what is wrong where it cannot. All that is given in space at t = 0 (the points
/// and axes of joints, the points of forces) moves with its body.
std::optional<JointProblem> closeJoints(Model& model, bool assemble);

/// Finds velocities with which the joints stay closed, and says what is wrong where it cannot. First the velocities of
/// centres of mass that are not given follow from the angular velocities; where this is not enough, the angular velocities
/// that are not given follow as well; of several possibilities the smallest change is taken.
std::optional<JointProblem> completeVelocities(Model& model, const std::vector<GivenVelocities>& given, bool assemble);

/// Both for a model that was made without a file, with all velocities given. Throws an InputError, "joint 'hip' ...".
void assemble(Model& model);

}  // namespace polhode
