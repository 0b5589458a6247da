#pragma once

#include "model/topology.h"
#include "polhode/model/signal.h"
#include "polhode/system/force_element.h"

/// What acts on one body from outside, in space or turning with the body, times a scale over time. Over a step it is taken
/// at mid time and, where it turns with the body, at the mean directors.
namespace polhode {

/// What a force and a torque have in common; `Kind` says by wrench(vector, D) what the vector does to a body with axes D.
template <class Kind>
class LoadOf : public ForceElement {
 public:
  /// Whether the vector is given in the body's principal axes.
  bool inBody() const { return inBody_; }
  const Signal& scale() const { return scale_; }

  bool conservative() const override { return false; }
  ElementWrenches wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const override;
  ElementWrenches wrenchChange(double t, const MovingPlacement& first, const MovingPlacement& second,
                               const MovingPlacement& firstChange, const MovingPlacement& secondChange) const override;
  ElementWrenches meanWrenches(const ElementStep& step) const override;
  std::vector<Signal> signals() const override { return {scale_, given_[0], given_[1], given_[2]}; }

 protected:
  LoadOf(std::string name, int body, const VectorSignal& given, bool inBody, Signal scale)
      : ForceElement(std::move(name), groundIndex, body), given_(given), inBody_(inBody), scale_(std::move(scale)) {}

  const VectorSignal& given() const { return given_; }

  /// How the vector changes over a step with the turn of D1.
  Matrix3 turned(const ElementStep& step) const;

 private:
  template <class Scalar>
  WrenchOf<Scalar> at(double t, const Eigen::Matrix<Scalar, 3, 3>& D) const;

  VectorSignal given_;
  bool inBody_;
  Signal scale_;
};

/// A force at a point fixed in the body. Its work over a step is the force times the displacement of that point.
class PointLoad final : public LoadOf<PointLoad> {
 public:
  /// `point` and, if `inBody`, `force` in the body's principal axes.
  PointLoad(std::string name, int body, const Vector3& point, const VectorSignal& force, bool inBody, Signal scale)
      : LoadOf(std::move(name), body, force, inBody, std::move(scale)), point_(point) {}

  const VectorSignal& force() const { return given(); }
  const Vector3& point() const { return point_; }

  template <class Scalar>
  WrenchOf<Scalar> wrench(const Vector<Scalar, 3>& force, const Eigen::Matrix<Scalar, 3, 3>& D) const {
    return {force, (D * point_).cross(force)};
  }
  void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const override;
  Vector3 pointOnSecond() const override { return point_; }

 private:
  Vector3 point_;
};

/// A torque. Its work over a step is the torque times 2 tan(angle/2) about the axis of the step's rotation.
class TorqueLoad final : public LoadOf<TorqueLoad> {
 public:
  TorqueLoad(std::string name, int body, const VectorSignal& torque, bool inBody, Signal scale)
      : LoadOf(std::move(name), body, torque, inBody, std::move(scale)) {}

  const VectorSignal& torque() const { return given(); }

  template <class Scalar>
  WrenchOf<Scalar> wrench(const Vector<Scalar, 3>& torque, const Eigen::Matrix<Scalar, 3, 3>&) const {
    WrenchOf<Scalar> result;
    result.torque = torque;
    return result;
  }
  void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const override;
};

}  // namespace polhode
