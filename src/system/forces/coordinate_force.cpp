#include "system/forces/coordinate_force.h"

#include "system/varied_motion.h"

namespace polhode {

namespace {

/// The force along the coordinate over a step.
double meanForce(const CoordinateTerm& term, const ElementStep& step, double s0, double s1) {
  double force = 0.0;
  if (term.law) force -= term.law->mean(s0 - term.rest, s1 - term.rest);
  if (term.damping != 0.0) force -= term.damping * (s1 - s0) / (step.t1 - step.t0);
  if (term.scale) force += term.effortAt(0.5 * (step.t0 + step.t1));
  return force;
}

/// Its derivative by s1.
double meanForceSlope(const CoordinateTerm& term, const ElementStep& step, double s0, double s1) {
  double slope = 0.0;
  if (term.law) slope -= term.law->meanSlope(s0 - term.rest, s1 - term.rest);
  if (term.damping != 0.0) slope -= term.damping / (step.t1 - step.t0);
  return slope;
}

double tension(const ForceLaw& law, double stretch) {
  return law.tension(stretch);
}
Varied tension(const ForceLaw& law, const Varied& stretch) {
  return {law.tension(stretch.value()), law.slope(stretch.value()) * stretch.derivative()};
}

/// The force along the coordinate at an instant.
template <class Scalar>
Scalar instantForce(const CoordinateTerm& term, const PullOf<Scalar>& gradient, double t,
                    const MovingPlacementOf<Scalar>& first, const MovingPlacementOf<Scalar>& second) {
  Scalar force = 0.0;
  if (term.law) force -= tension(*term.law, term.coordinate.value(first.at, second.at) - term.rest);
  if (term.damping != 0.0) force -= term.damping * rateAlong(gradient, first, second);
  if (term.scale) force += term.effortAt(t);
  return force;
}

}  // namespace

ElementWrenches wrenchesOf(const Pull& pull) {
  return {{pull.segment<3>(0), pull.segment<3>(3)}, {pull.segment<3>(6), pull.segment<3>(9)}};
}

double CoordinateForce::potential(const Placement& first, const Placement& second) const {
  double sum = 0.0;
  for (const CoordinateTerm& term : terms_)
    if (term.law) sum += term.law->potential(term.coordinate.value(first, second) - term.rest);
  return sum;
}

bool CoordinateForce::conservative() const {
  for (const CoordinateTerm& term : terms_)
    if (term.damping != 0.0 || term.scale) return false;
  return true;
}

template <class Scalar>
PullOf<Scalar> CoordinateForce::pull(double t, const MovingPlacementOf<Scalar>& first,
                                     const MovingPlacementOf<Scalar>& second) const {
  PullOf<Scalar> sum = PullOf<Scalar>::Zero();
  for (const CoordinateTerm& term : terms_) {
    if (term.law && term.coordinate.isPoint(first.at, second.at) && term.law->tension(-term.rest) == 0.0) {
      // a spring without tension where it has no length: T(s) grad s = T'(0) s grad s, to first order
      sum -= Scalar(term.law->slope(-term.rest)) * term.coordinate.lengthTimesGradient(first.at, second.at);
      continue;
    }
    const PullOf<Scalar> gradient = term.coordinate.gradient(first.at, second.at);
    sum += instantForce(term, gradient, t, first, second) * gradient;
  }
  return sum;
}

ElementWrenches CoordinateForce::wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const {
  return wrenchesOf(pull(t, first, second));
}

ElementWrenches CoordinateForce::wrenchChange(double t, const MovingPlacement& first, const MovingPlacement& second,
                                              const MovingPlacement& firstChange,
                                              const MovingPlacement& secondChange) const {
  return wrenchesOf(changesIn(pull(t, varied(first, firstChange), varied(second, secondChange))));
}

double CoordinateForce::potentialChange(const Placement& first, const Placement& second, const Placement& firstChange,
                                        const Placement& secondChange) const {
  const auto one = varied({first, {}}, {firstChange, {}}).at, other = varied({second, {}}, {secondChange, {}}).at;
  double sum = 0.0;
  for (const CoordinateTerm& term : terms_) {
    if (!term.law) continue;
    const double tension = term.law->tension(term.coordinate.value(first, second) - term.rest);
    if (tension != 0.0) sum += tension * term.coordinate.value(one, other).derivative()[0];
  }
  return sum;
}

template <class Scalar, class Visit>
void CoordinateForce::visitQuantities(double t, const MovingPlacementOf<Scalar>& first,
                                      const MovingPlacementOf<Scalar>& second, const Visit& visit) const {
  if (terms_.empty()) return;
  const CoordinateTerm& term = terms_.front();
  if (!reading_.coordinate.empty()) visit(reading_.coordinate, term.coordinate.value(first.at, second.at));
  if (reading_.tension.empty() && reading_.effort.empty()) return;
  const Scalar force = instantForce(term, term.coordinate.gradient(first.at, second.at), t, first, second);
  if (!reading_.tension.empty()) visit(reading_.tension, -force);
  if (!reading_.effort.empty()) visit(reading_.effort, force);
}

std::vector<ForceQuantity> CoordinateForce::quantities(double t, const MovingPlacement& first,
                                                       const MovingPlacement& second) const {
  std::vector<ForceQuantity> all;
  visitQuantities(t, first, second, [&](const std::string& name, double value) { all.push_back({name, value}); });
  return all;
}

std::vector<ForceQuantity> CoordinateForce::quantityChanges(double t, const MovingPlacement& first,
                                                            const MovingPlacement& second,
                                                            const MovingPlacement& firstChange,
                                                            const MovingPlacement& secondChange) const {
  std::vector<ForceQuantity> all;
  visitQuantities(t, varied(first, firstChange), varied(second, secondChange),
                  [&](const std::string& name, const Varied& value) {
                    all.push_back({name, value.derivative()[0]});
                  });
  return all;
}

ElementWrenches CoordinateForce::meanWrenches(const ElementStep& step) const {
  Pull pull = Pull::Zero();
  for (const CoordinateTerm& term : terms_) {
    const CoordinateStep s = term.coordinate.step(step);
    pull += meanForce(term, step, s.before, s.after) * s.gradient;
  }
  return wrenchesOf(pull);
}

void CoordinateForce::meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const {
  jacobian.setZero();
  for (const CoordinateTerm& term : terms_) {
    const CoordinateStep s = term.coordinate.step(step);
    const Pull atEnd = term.coordinate.gradient(step.first1, step.second1);  // ds1
    jacobian += meanForceSlope(term, step, s.before, s.after) * s.gradient * atEnd.transpose();
    jacobian += meanForce(term, step, s.before, s.after) * term.coordinate.gradientJacobian(step);
  }
}

std::vector<Signal> CoordinateForce::signals() const {
  std::vector<Signal> all;
  for (const CoordinateTerm& term : terms_)
    if (term.scale) all.push_back(*term.scale);
  return all;
}

}  // namespace polhode
