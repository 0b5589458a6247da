#include "polhode/system/forces/user_force.h"

#include "math/rotation_maps.h"
#include "model/force_type.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/force_site.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

MovingPlacement meanMotion(const Placement& before, const Placement& after, double h) {
  return {mean(before, after), {(after.x - before.x) / h, (after.D - before.D) / h}};
}

/// The step with its end moved (component 0, 1, 2) or turned (3, 4, 5) a little, of the first body or (6, ...) the second.
ElementStep displaced(ElementStep step, int component, double by) {
  Placement& end = component < 6 ? step.first1 : step.second1;
  const int k = component % 6;
  if (k < 3)
    end.x[k] += by;
  else
    end.D = (expSO3(Vector3(by * Vector3::Unit(k - 3))) * end.D).eval();
  return step;
}

Eigen::Matrix<double, 12, 1> stacked(const ElementWrenches& wrenches) {
  Eigen::Matrix<double, 12, 1> all;
  all << wrenches.first.force, wrenches.first.torque, wrenches.second.force, wrenches.second.torque;
  return all;
}

}  // namespace

ElementWrenches UserForce::meanWrenches(const ElementStep& step) const {
  const double h = step.t1 - step.t0;
  return wrenches(0.5 * (step.t0 + step.t1), meanMotion(step.first0, step.first1, h),
                  meanMotion(step.second0, step.second1, h));
}

void UserForce::meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const {
  for (int component = 0; component < 12; ++component) {
    const Placement& end = component < 6 ? step.first1 : step.second1;
    const double by = 6e-6 * (component % 6 < 3 ? std::max(end.x.norm(), 1.0) : 1.0);  // the cube root of a rounding
    jacobian.col(component) = (stacked(meanWrenches(displaced(step, component, by))) -
                               stacked(meanWrenches(displaced(step, component, -by)))) /
                              (2.0 * by);
  }
}

Force userForce(std::shared_ptr<const ForceElement> element) {
  if (!element) throw InputError("one of the user's own forces is a null pointer; leave it out");
  Force force{element->name(), "user"};
  force.own = std::make_shared<const ForceType>(ForceType{
      .name = "user",
      .summary = "A force of the user's own.",
      .actsOn = ActsOn::unknown,
      .keys = {},
      .make =
          [element](const Force&, const ForceSite& site) {
            for (const int body : {element->first(), element->second()})
              if (body != groundIndex && (body < 0 || body >= site.bodies()))
                throw InputError(fmt::format("force {} acts on body number {}, and the model has bodies 0 to {}",
                                             quoted(element->name()), body, site.bodies() - 1));
            return element;
          },
      .bringsEnergy = !element->conservative()});
  return force;
}

}  // namespace polhode
