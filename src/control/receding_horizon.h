#pragma once

#include "control/control_law.h"
#include "control/hand_estimator.h"

#include <limits>

/// The law that replaces those of the thesis: each step minimises, over the next k steps, the deviation from the hand,
/// the velocity relative to it, and the acceleration with its derivative (the force in H1, per mobility)
///
///     sum  |e|^2 + a T^2 |de/dt|^2 + b T^4 |d2e/dt2|^2 + c T^6 |d3e/dt3|^2
///
/// subject to the dynamics of the driven point as the stepper has them,
///
///     e1 = e + h w + s h^2 a1,    w1 = w + h a1,    a1 = a + h u,
///
/// s being the share of a step's acceleration that moves the point in the same step: 0 for the partitioned Euler scheme,
/// 1/2 for conserving schemes. Because the acceleration is W force + freeAcceleration, this holds for any mechanism. The
/// hand is the one of HandEstimator, T its memory.
///
/// The weights are those for which the law, with small steps, lets a deviation die out with the time constants T, T/2 and
/// T/4: a, b, c are the coefficients of (1 - T^2 s^2)(1 - T^2 s^2/4)(1 - T^2 s^2/16) (symmetric root locus). The Riccati
/// equation over k = 2^n steps is solved by n doublings of 3 x 3 matrices, whenever the step size changes. The discrete
/// dynamics being those of the stepper, the law is stable for every step size, and behaves the same for all small ones.
///
/// No force is beyond the largest (forceFor); the acceleration that it does give is what the next step starts from. A
/// deviation from which the largest force could not brake in time counts as a smaller one: the law then closes in at
/// sqrt(2 a d), d being the distance along W e, where the hand can move the point, and a part of the deceleration that
/// the force allows there.
///
/// References: Anderson & Moore 1990, Optimal Control, chapters 2 to 5; Chu, Fan, Lin & Wang 2004, A structure-preserving
/// doubling algorithm for periodic discrete-time algebraic Riccati equations.
namespace polhode {

struct RecedingHorizonSettings {
  double timeConstant = 0.03;                                     // T, in seconds
  double largestForce = std::numeric_limits<double>::infinity();  // in newtons; newton metres on a rotation
  double shareOfStep = 0.0;                                       // s
};

/// What the law does with a state: u T^3 = -(ofDeviation e + ofVelocity T w + ofAcceleration T^2 a).
struct RecedingHorizonGains {
  double ofDeviation = 0.0, ofVelocity = 0.0, ofAcceleration = 0.0;
};

/// The gains for a step of h = relativeStep * T.
RecedingHorizonGains recedingHorizonGains(double relativeStep, double shareOfStep);

/// The largest factor by which one step multiplies a state (e, w, a) under these gains.
double amplificationFactor(const RecedingHorizonGains& gains, double relativeStep, double shareOfStep);

template <class Motion>
class RecedingHorizonLaw : public ControlLaw<Motion> {
 public:
  explicit RecedingHorizonLaw(const RecedingHorizonSettings& settings)
      : settings_(settings), hand_(settings.timeConstant) {}

  void observe(const Sample<Motion>& sample) override { hand_.observe(sample.time, sample.place); }

  Vector3 force(const DrivenState<Motion>& state) override {
    const double T = settings_.timeConstant, h = state.step;
    if (h != step_) {
      step_ = h;
      gains_ = recedingHorizonGains(h / T, settings_.shareOfStep);
    }
    hand_.waitUntil(state.time);

    const Vector3 deviation = brakable(Motion::difference(state.place, hand_.place(state.time)), state);
    const Vector3 velocity = state.velocity - hand_.velocity();
    const Vector3 jerk = -(gains_.ofDeviation * deviation + gains_.ofVelocity * T * velocity +
                           gains_.ofAcceleration * T * T * acceleration_) /
                         (T * T * T);
    acceleration_ += h * jerk;

    const Vector3 force = forceFor(acceleration_ - state.freeAcceleration, state.mobility, settings_.largestForce);
    mobility_ = state.mobility;
    freeAcceleration_ = state.freeAcceleration;
    hasPulledWith(force);
    return force;
  }

  void hasPulledWith(const Vector3& force) override { acceleration_ = mobility_ * force + freeAcceleration_; }

  void persist(Archive& archive) override {
    archive(hand_, acceleration_, freeAcceleration_, mobility_, gains_, step_);
  }

 private:
  /// The deviation, or the part of it at whose closing speed, e * ofDeviation/(ofVelocity T), there is still time to brake.
  Vector3 brakable(const Vector3& deviation, const DrivenState<Motion>& state) const {
    const Vector3 movable = state.mobility * deviation;
    const double size = movable.norm();
    if (!std::isfinite(settings_.largestForce) || size == 0.0) return deviation;
    const double distance = deviation.dot(movable) / size;
    const double holding = forceFor(state.freeAcceleration, state.mobility, settings_.largestForce).norm();
    const double left = std::max(settings_.largestForce - holding, 0.1 * settings_.largestForce);
    const double deceleration = left * size / distance;
    const double speed = std::sqrt(2.0 * shareForBraking * deceleration * distance);
    const double linearSpeed = distance * gains_.ofDeviation / (gains_.ofVelocity * settings_.timeConstant);
    return speed < linearSpeed ? Vector3(deviation * (speed / linearSpeed)) : deviation;
  }

  static constexpr double shareForBraking = 0.6;

  RecedingHorizonSettings settings_;
  HandEstimator<Motion> hand_;
  Vector3 acceleration_ = Vector3::Zero(), freeAcceleration_ = Vector3::Zero();
  Matrix3 mobility_ = Matrix3::Zero();
  RecedingHorizonGains gains_;
  double step_ = 0.0;
};

}  // namespace polhode
