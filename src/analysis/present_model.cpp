#include "analysis/present_model.h"

#include "math/euler_map.h"
#include "model/force_type.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/force_site.h"

#include <optional>

#include <fmt/format.h>

namespace polhode {

namespace {

/// Carries points and axes of a body by its name; those of the ground stay where they are.
class Carrier {
 public:
  Carrier(const Model& then, const Model& now) : then_(then), now_(now) {}

  Vector3 point(const std::string& body, const Vector3& point) const {
    const auto i = find(body);
    return i ? carriedPoint(then_.bodies[*i], now_.bodies[*i], point) : point;
  }

  Vector3 axis(const std::string& body, const Vector3& axis) const {
    const auto i = find(body);
    if (!i) return axis;
    const Matrix3 then = rotationMatrix(then_.bodies[*i].orientation),
                  now = rotationMatrix(now_.bodies[*i].orientation);
    return now * (then.transpose() * axis);
  }

 private:
  std::optional<std::size_t> find(const std::string& name) const {
    for (std::size_t i = 0; i < then_.bodies.size(); ++i)
      if (then_.bodies[i].name == name) return i;
    return std::nullopt;
  }

  const Model& then_;
  const Model& now_;
};

[[noreturn]] void refuse(const char* kind, const std::string& name) {
  throw InputError(
      fmt::format("{} {} remembers how the mechanism stood at the beginning, so that this integrator cannot go on from "
                  "here; go back to the beginning first, or choose director-em or linear-implicit-euler",
                  kind, quoted(name)));
}

/// Each body keeps its own point and axis of a joint, since joints may slide.
void carry(Joint& joint, const Carrier& carrier) {
  if (!joint.drives.empty() || (joint.length && !joint.length->isConstant())) refuse("joint", joint.name);
  const Vector3 pointOfSecond = joint.pointOfSecond(), axisOfSecond = joint.axisOfSecond();
  joint.point = carrier.point(joint.first, joint.point);
  joint.axis = carrier.axis(joint.first, joint.axis);
  joint.secondPoint = carrier.point(joint.second, pointOfSecond);
  joint.secondAxis = carrier.axis(joint.second, axisOfSecond);
  joint.start.clear();  // coordinates count from here
}

/// A user's force whose time goes on from a later beginning.
class LaterForce final : public ForceElement {
 public:
  LaterForce(std::shared_ptr<const ForceElement> force, double time)
      : ForceElement(force->name(), force->first(), force->second()), force_(std::move(force)), time_(time) {}

  double potential(const Placement& first, const Placement& second) const override {
    return force_->potential(first, second);
  }
  bool conservative() const override { return force_->conservative(); }
  Vector3 pointOnSecond() const override { return force_->pointOnSecond(); }
  ElementWrenches wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const override {
    return force_->wrenches(time_ + t, first, second);
  }
  ElementWrenches wrenchChange(double t, const MovingPlacement& first, const MovingPlacement& second,
                               const MovingPlacement& firstChange, const MovingPlacement& secondChange) const override {
    return force_->wrenchChange(time_ + t, first, second, firstChange, secondChange);
  }
  std::vector<ForceQuantity> quantities(double t, const MovingPlacement& first,
                                        const MovingPlacement& second) const override {
    return force_->quantities(time_ + t, first, second);
  }
  ElementWrenches meanWrenches(const ElementStep& step) const override { return force_->meanWrenches(later(step)); }
  void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const override {
    force_->meanWrenchesJacobian(later(step), jacobian);
  }

 private:
  ElementStep later(ElementStep step) const {
    step.t0 += time_;
    step.t1 += time_;
    return step;
  }

  std::shared_ptr<const ForceElement> force_;
  double time_;
};

void carry(Force& force, double time, const Carrier& carrier) {
  if (typeOf(force)->remembersStart || force.vectorOverTime) refuse("force", force.name);
  force.firstPoint = carrier.point(force.first, force.firstPoint);
  force.secondPoint = carrier.point(force.second, force.secondPoint);
  if (force.own) {
    ForceType later = *force.own;
    later.make = [make = force.own->make, time](const Force& given, const ForceSite& site) {
      return std::make_shared<LaterForce>(make(given, site), time);
    };
    force.own = std::make_shared<const ForceType>(std::move(later));
    return;
  }
  if (force.scale.isConstant()) return;
  const Signal scale = force.scale;
  force.scale = Signal::function([scale, time](double t) { return scale.value(time + t); },
                                 [scale, time](double t) { return scale.rate(time + t); });
}

}  // namespace

Vector3 carriedPoint(const Body& then, const Body& now, const Vector3& point) {
  const Vector3 inBody = rotationMatrix(then.orientation).transpose() * (point - then.position);
  return now.position + rotationMatrix(now.orientation) * inBody;
}

Model presentModel(const Model& beginning, double time, const std::vector<Body>& bodies) {
  if (!beginning.actuators.empty()) refuse("actuator", beginning.actuators.front().name);
  Model now = beginning;
  for (std::size_t i = 0; i < now.bodies.size(); ++i) {
    now.bodies[i].position = bodies[i].position;
    now.bodies[i].orientation = bodies[i].orientation;
    now.bodies[i].velocity = bodies[i].velocity;
    now.bodies[i].angularVelocity = bodies[i].angularVelocity;
  }
  const Carrier carrier(beginning, now);
  for (Joint& joint : now.joints) carry(joint, carrier);
  for (Force& force : now.forces) carry(force, time, carrier);
  for (Sensor& sensor : now.sensors) sensor.point = carrier.point(sensor.body, sensor.point);
  return now;
}

}  // namespace polhode
