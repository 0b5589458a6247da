#pragma once

#include "model/topology.h"
#include "polhode/model/signal.h"
#include "polhode/system/force_element.h"

/// What acts on one body from outside, in space or turning with the body, times a scale over time. Over a step it is taken
/// at mid time and, where it turns with the body, at the mean directors.
namespace polhode {

/// A force at a point fixed in the body. Its work over a step is the force times the displacement of that point.
class PointLoad final : public ForceElement {
 public:
  /// `point` and, if `inBody`, `force` in the body's principal axes.
  PointLoad(std::string name, int body, const Vector3& point, const VectorSignal& force, bool inBody, Signal scale)
      : ForceElement(std::move(name), groundIndex, body),
        point_(point),
        force_(force),
        inBody_(inBody),
        scale_(std::move(scale)) {}

  const VectorSignal& force() const { return force_; }
  const Vector3& point() const { return point_; }
  bool inBody() const { return inBody_; }
  const Signal& scale() const { return scale_; }

  bool conservative() const override { return false; }
  ElementWrenches wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const override;
  ElementWrenches wrenchChange(double t, const MovingPlacement& first, const MovingPlacement& second,
                               const MovingPlacement& firstChange, const MovingPlacement& secondChange) const override;
  ElementWrenches meanWrenches(const ElementStep& step) const override;
  void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const override;
  std::vector<Signal> signals() const override { return {scale_, force_[0], force_[1], force_[2]}; }
  Vector3 pointOnSecond() const override { return point_; }

 private:
  template <class Scalar>
  WrenchOf<Scalar> at(double t, const Eigen::Matrix<Scalar, 3, 3>& D) const;

  Vector3 point_;
  VectorSignal force_;
  bool inBody_;
  Signal scale_;
};

/// A torque. Its work over a step is the torque times 2 tan(angle/2) about the axis of the step's rotation.
class TorqueLoad final : public ForceElement {
 public:
  TorqueLoad(std::string name, int body, const VectorSignal& torque, bool inBody, Signal scale)
      : ForceElement(std::move(name), groundIndex, body), torque_(torque), inBody_(inBody), scale_(std::move(scale)) {}

  const VectorSignal& torque() const { return torque_; }
  bool inBody() const { return inBody_; }
  const Signal& scale() const { return scale_; }

  bool conservative() const override { return false; }
  ElementWrenches wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const override;
  ElementWrenches wrenchChange(double t, const MovingPlacement& first, const MovingPlacement& second,
                               const MovingPlacement& firstChange, const MovingPlacement& secondChange) const override;
  ElementWrenches meanWrenches(const ElementStep& step) const override;
  void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const override;
  std::vector<Signal> signals() const override { return {scale_, torque_[0], torque_[1], torque_[2]}; }

 private:
  template <class Scalar>
  WrenchOf<Scalar> at(double t, const Eigen::Matrix<Scalar, 3, 3>& D) const;

  VectorSignal torque_;
  bool inBody_;
  Signal scale_;
};

}  // namespace polhode
