#pragma once

#include "system/body_equations.h"
#include "system/ode.h"

#include <memory>
#include <string>
#include <vector>

namespace polhode {

/// One rigid body as an ordinary differential equation, in whatever coordinates and formulation.
class SingleBodySystem : public OdeSystem {
 public:
  virtual VectorX stateOf(const BodyMotion& motion) const = 0;
  virtual BodyMotion motionOf(const VectorX& y) const = 0;

  /// Projection::none leaves y as it is.
  virtual void setProjection(Projection method) = 0;

  /// How far the coordinates (and velocities) are from their constraint, in the largest component.
  virtual double positionViolation(const VectorX& y) const = 0;
  virtual double velocityViolation(const VectorX& y) const = 0;

  /// The Lagrange multipliers of the coordinates' own constraints; empty for angles.
  virtual VectorX multipliers(double t, const VectorX& y) const = 0;
};

/// Puts one of the fixed-size formulations behind the interface of unknown size.
template <class Equations>
class FormulatedBody final : public SingleBodySystem {
 public:
  explicit FormulatedBody(Equations equations) : equations_(std::move(equations)) {}

  int size() const override { return Equations::Size; }

  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    const Fixed fixed = y;
    Fixed rate;
    try {
      equations_.derivative(t, fixed, rate);
    } catch (const SimulationError& error) {
      throw SimulationError(t, fmt::format("at t = {:.6g} {}", t, error.what()));
    }
    dydt = rate;
  }

  bool project(double, VectorX& y) const override {
    if (projection_ == Projection::none) return false;
    Fixed fixed = y;
    equations_.project(fixed, projection_);
    y = fixed;
    return true;
  }

  VectorX stateOf(const BodyMotion& motion) const override { return equations_.fromMotion(motion); }
  BodyMotion motionOf(const VectorX& y) const override { return equations_.motion(y); }
  void setProjection(Projection method) override { projection_ = method; }
  double positionViolation(const VectorX& y) const override { return equations_.positionViolation(Fixed(y)); }
  double velocityViolation(const VectorX& y) const override { return equations_.velocityViolation(y); }
  VectorX multipliers(double t, const VectorX& y) const override { return equations_.multipliers(t, y); }

  const Equations& equations() const { return equations_; }

 private:
  using Fixed = typename Equations::State;
  Equations equations_;
  Projection projection_ = Projection::none;
};

/// Whether a formulation has a form of its own for one body.
bool hasSingleBody(const std::string& formulation);

/// The formulations of one body by name: coordinates "quaternion", "director", "euler313" or "cardan",
/// formulation "null-space" or "absolute". Throws InputError for names that do not exist or do not fit.
std::unique_ptr<SingleBodySystem> makeSingleBody(const std::string& coordinates, const std::string& formulation,
                                                 const RigidBodyData& body, const UniformGravity& gravity,
                                                 std::shared_ptr<const BodyForces> otherForces);

}  // namespace polhode
