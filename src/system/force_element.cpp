#include "polhode/system/force_element.h"

#include "math/differences.h"
#include "math/quaternion.h"
#include "math/rotation_maps.h"

#include <cmath>

namespace polhode {

namespace {

/// A rigid body a fraction of a change further.
class ChangedMotion {
 public:
  ChangedMotion(const MovingPlacement& motion, const MovingPlacement& change)
      : motion_(motion), change_(change), omega_(unhat(Matrix3(motion.rate.W * motion.at.D.transpose()))) {
    turn_ = unhat(Matrix3(change.at.D * motion.at.D.transpose()));
    omegaChange_ = unhat(Matrix3((change.rate.W - hat(omega_) * change.at.D) * motion.at.D.transpose()));
  }

  MovingPlacement at(double fraction) const {
    MovingPlacement result;
    result.at = {motion_.at.x + fraction * change_.at.x, expSO3(Vector3(fraction * turn_)) * motion_.at.D};
    result.rate = {motion_.rate.v + fraction * change_.rate.v,
                   hat(Vector3(omega_ + fraction * omegaChange_)) * result.at.D};
    return result;
  }

 private:
  MovingPlacement motion_, change_;
  Vector3 omega_, turn_, omegaChange_;
};

VectorX stacked(const ElementWrenches& both) {
  VectorX all(12);
  all << both.first.force, both.first.torque, both.second.force, both.second.torque;
  return all;
}

}  // namespace

ElementWrenches ForceElement::wrenchChange(double t, const MovingPlacement& first, const MovingPlacement& second,
                                           const MovingPlacement& firstChange,
                                           const MovingPlacement& secondChange) const {
  const ChangedMotion one(first, firstChange), other(second, secondChange);
  const VectorX change = agreedDerivative(stacked(wrenches(t, first, second)).norm(),
                                          [&](double x) { return stacked(wrenches(t, one.at(x), other.at(x))); });
  return {{change.segment<3>(0), change.segment<3>(3)}, {change.segment<3>(6), change.segment<3>(9)}};
}

double ForceElement::potentialChange(const Placement& first, const Placement& second, const Placement& firstChange,
                                     const Placement& secondChange) const {
  const ChangedMotion one({first, {}}, {firstChange, {}}), other({second, {}}, {secondChange, {}});
  return agreedDerivative(std::abs(potential(first, second)), [&](double x) {
    return VectorX::Constant(1, potential(one.at(x).at, other.at(x).at)).eval();
  })[0];
}

std::vector<ForceQuantity> ForceElement::quantityChanges(double t, const MovingPlacement& first,
                                                         const MovingPlacement& second,
                                                         const MovingPlacement& firstChange,
                                                         const MovingPlacement& secondChange) const {
  std::vector<ForceQuantity> all = quantities(t, first, second);
  if (all.empty()) return all;
  const auto numbers = [](const std::vector<ForceQuantity>& given) {
    VectorX values(static_cast<Eigen::Index>(given.size()));
    for (std::size_t i = 0; i < given.size(); ++i) values[static_cast<Eigen::Index>(i)] = given[i].value;
    return values;
  };
  const ChangedMotion one(first, firstChange), other(second, secondChange);
  const VectorX changes =
      agreedDerivative(numbers(all).norm(), [&](double x) { return numbers(quantities(t, one.at(x), other.at(x))); });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].value = changes[static_cast<Eigen::Index>(i)];
  return all;
}

}  // namespace polhode
