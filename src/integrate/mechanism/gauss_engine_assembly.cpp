#include "integrate/mechanism/form_stiffness.h"
#include "integrate/mechanism/gauss_engine.h"
#include "math/cross.h"
#include "math/rotation_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>

/// The equations of the stages, and their derivatives at mid step.
namespace polhode {

namespace {

Vector6 asPair(const Vector3& a, const Vector3& b) {
  Vector6 v;
  v << a, b;
  return v;
}

using Twelve = Eigen::Matrix<double, 12, 1>;

/// x and the columns of D, or their rates, as twelve numbers.
static_assert(sizeof(Placement) == 12 * sizeof(double) && sizeof(PlacementRate) == sizeof(Placement));
Eigen::Map<Twelve> twelve(Placement& at) {
  return Eigen::Map<Twelve>(at.x.data());
}
Eigen::Map<const Twelve> twelve(const PlacementRate& rate) {
  return Eigen::Map<const Twelve>(rate.v.data());
}
Eigen::Map<Twelve> twelve(PlacementRate& rate) {
  return Eigen::Map<Twelve>(rate.v.data());
}

/// x m for the stages x, column by column, times a factor.
template <class Stages, class Square>
void multiply(double factor, const Stages& x, const Square& m, int stages, Stages& product) {
  for (int i = 0; i < stages; ++i) {
    Twelve sum = Twelve::Zero();
    for (int j = 0; j < stages; ++j) sum += m(j, i) * x.col(j);
    product.col(i) = factor * sum;
  }
}

/// The placement after some time at the rate that it has.
Placement carriedOn(const MovingPlacement& motion, double time) {
  return {motion.at.x + time * motion.rate.v, motion.at.D + time * motion.rate.W};
}

}  // namespace

/// What (3) has on its right side. A gap that is there closes in one step; of its roundings a little, so that they do not add
/// up and do not shake the velocities either.
void GaussEngine::findClosing(const MechanismState& state, double h) {
  constexpr double rounding = 1e-12, share = 0.01;
  start_ = state.bodies;
  for (std::size_t b = 0; b < start_.size(); ++b) start_[b].at.x += state.lost[b].x;
  for (const MechanismJoint& joint : mechanism_.joints()) {
    const int origin = joint.first >= 0 ? joint.first : joint.second;
    const Placement first = seenFrom(origin, motionOf(start_, joint.first)).at;
    const Placement second = seenFrom(origin, motionOf(start_, joint.second)).at;
    for (int row = 0; row < joint.rows(); ++row) {
      const double gap = joint.equations[static_cast<std::size_t>(row)].gap(state.time, first, second);
      closing_[joint.firstRow + row] = (std::abs(gap) > rounding * std::max(1.0, size_) ? 1.0 : share) * gap / h;
    }
  }
}

/// Joints know no place in space, and keep their digits far from its origin where they are seen from one of their bodies.
MovingPlacement GaussEngine::seenFrom(int origin, const MovingPlacement& motion) const {
  return {{motion.at.x - start_[static_cast<std::size_t>(origin)].at.x, motion.at.D}, motion.rate};
}

void GaussEngine::evaluate(const MechanismState& state, double h) {
  left_ = {};
  work_ = 0.0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) moveBody(state, b, h);
  for (std::size_t b = 0; b < bodies_.size(); ++b) evaluateBody(b, h);
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) evaluateJoint(j);
  for (std::size_t k = 0; k < mechanism_.forces().size(); ++k) evaluateForce(state, k, h);
  for (int i = 0; i < stages_; ++i)
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      auto torque = residuals_.col(i).segment<3>(6 * static_cast<int>(b) + 3);
      torque = (motion_[static_cast<std::size_t>(i)][b].at.D.transpose() * torque).eval();
    }
}

/// (1): what follows from the velocities. The directors are found by two sweeps of their own, which begin where the last
/// iteration has put them.
void GaussEngine::moveBody(const MechanismState& state, std::size_t b, double h) {
  BodyStages& body = bodies_[b];
  const MovingPlacement& at0 = state.bodies[b];
  const auto turn = [&] {
    for (int i = 0; i < stages_; ++i) {
      const Vector3 omega = body.twist.col(i).tail<3>();
      for (int k = 0; k < 3; ++k)
        body.rate.col(i).segment<3>(3 + 3 * k) =
            omega.cross(at0.at.D.col(k) + body.displacement.col(i).segment<3>(3 + 3 * k));
    }
  };
  body.rate.topRows<3>() = body.twist.topRows<3>();
  for (int sweep = 0; sweep < 2; ++sweep) {
    turn();
    multiply(h, body.rate, throughA_, stages_, body.displacement);
  }
  turn();
  const Twelve rate0 = twelve(at0.rate), q0 = twelve(start_[b].at);
  // refined, so that the slopes give the rates to their last digits
  Stages12 lacking, more;
  multiply(-1.0, body.slope, throughA_, stages_, lacking);
  for (int i = 0; i < stages_; ++i) lacking.col(i) += body.rate.col(i) - rate0;
  multiply(1.0, lacking, throughInverse_, stages_, more);
  body.slope.leftCols(stages_) += more.leftCols(stages_);
  for (int i = 0; i < stages_; ++i) {
    MovingPlacement& stage = motion_[static_cast<std::size_t>(i)][b];
    twelve(stage.at) = q0 + body.displacement.col(i);
    twelve(stage.rate) = body.rate.col(i);
  }
  Twelve moved = Twelve::Zero(), faster = Twelve::Zero();
  for (int i = 0; i < stages_; ++i) {
    moved += (h * b_[i]) * body.rate.col(i);
    faster += b_[i] * body.slope.col(i);
  }
  twelve(end_[b].at) = q0 + moved;
  twelve(end_[b].rate) = rate0 + faster;
}

void GaussEngine::evaluateBody(std::size_t b, double h) {
  const MechanismBody& body = mechanism_.bodies()[b];
  const BodyLoad& load = loads_[b];
  const bool loaded = !load.force.isZero(0.0) || !load.torque.isZero(0.0);
  for (int i = 0; i < stages_; ++i) {
    const auto slope = bodies_[b].slope.col(i);
    const MovingPlacement& stage = motion_[static_cast<std::size_t>(i)][b];
    Vector3 force = body.mass * (slope.head<3>() / h - mechanism_.gravity()), torque = Vector3::Zero();
    for (int k = 0; k < 3; ++k)
      torque += stage.at.D.col(k).cross(Vector3(body.secondMoments[k] / h * slope.segment<3>(3 + 3 * k)));
    left_.force = std::max({left_.force, force.cwiseAbs().maxCoeff(), body.mass * mechanism_.gravity().norm()});
    left_.torque = std::max(
        {left_.torque, torque.cwiseAbs().maxCoeff(), body.secondMoments.maxCoeff() * stage.rate.W.squaredNorm()});
    if (loaded) {
      const Wrench pull = load.wrench(stage.at.D);
      force -= pull.force;
      torque -= pull.torque;
      work_ += h * b_[i] * powerAt(i, static_cast<int>(b), pull);
    }
    residuals_.col(i).segment<6>(6 * static_cast<int>(b)) = asPair(force, torque);
  }
}

double GaussEngine::powerAt(int stage, int body, const Wrench& wrench) const {
  if (body < 0) return 0.0;
  const auto twist = bodies_[static_cast<std::size_t>(body)].twist.col(stage);
  return wrench.force.dot(twist.head<3>()) + wrench.torque.dot(twist.tail<3>());
}

void GaussEngine::evaluateJoint(std::size_t j) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const int origin = joint.first >= 0 ? joint.first : joint.second;
  for (int i = 0; i < stages_; ++i) {
    const MechanismMotion& all = motion_[static_cast<std::size_t>(i)];
    const MovingPlacement first = seenFrom(origin, motionOf(all, joint.first));
    const MovingPlacement second = seenFrom(origin, motionOf(all, joint.second));
    Wrench onFirst, onSecond;
    for (int row = 0; row < joint.rows(); ++row) {
      const FormGradient gradient = joint.equations[static_cast<std::size_t>(row)].form.gradient(first.at, second.at);
      const double lambda = multipliers_(joint.firstRow + row, i);
      residuals_(firstMultiplier() + joint.firstRow + row, i) =
          gradient.first.along(first.rate) + gradient.second.along(second.rate) + closing_[joint.firstRow + row];
      onFirst.force += lambda * gradient.first.onPosition;
      onFirst.torque += lambda * gradient.first.onRotation(first.at.D);
      onSecond.force += lambda * gradient.second.onPosition;
      onSecond.torque += lambda * gradient.second.onRotation(second.at.D);
    }
    for (const auto& [body, wrench] : {std::pair{joint.first, &onFirst}, std::pair{joint.second, &onSecond}}) {
      if (body < 0) continue;
      left_.force = std::max(left_.force, wrench->force.cwiseAbs().maxCoeff());
      left_.torque = std::max(left_.torque, wrench->torque.cwiseAbs().maxCoeff());
      residuals_.col(i).segment<6>(6 * body) -= asPair(wrench->force, wrench->torque);
    }
  }
}

void GaussEngine::evaluateForce(const MechanismState& state, std::size_t k, double h) {
  constexpr double largestCorrection = 0.01, roundings = 8.0 * std::numeric_limits<double>::epsilon();
  const ForceElement& force = *mechanism_.forces()[k];
  const int first = force.first(), second = force.second();
  ElementWrenches wrenches[most];
  double power[most] = {}, work = 0.0, squares = 0.0, largest = 0.0;
  for (int i = 0; i < stages_; ++i) {
    const MechanismMotion& all = motion_[static_cast<std::size_t>(i)];
    wrenches[i] = force.wrenches(state.time + coefficients_.c()[i] * h, motionOf(all, first), motionOf(all, second));
    power[i] = powerAt(i, first, wrenches[i].first) + powerAt(i, second, wrenches[i].second);
    work += h * b_[i] * power[i];
    squares += h * b_[i] * power[i] * power[i];
    largest = std::max(largest, std::abs(power[i]));
  }
  const double before = force.potential(motionOf(start_, first).at, motionOf(start_, second).at);
  const double after = force.potential(motionOf(end_, first).at, motionOf(end_, second).at);
  const double lacking = before - after - work;
  double kappa = 0.0;
  if (!force.conservative())
    work_ -= lacking;
  else if (std::abs(lacking) > roundings * (std::abs(before) + std::abs(after)) &&
           std::abs(lacking) * largest < largestCorrection * squares)
    kappa = lacking / squares;
  for (int i = 0; i < stages_; ++i)
    for (const auto& [body, wrench] : {std::pair{first, &wrenches[i].first}, std::pair{second, &wrenches[i].second}}) {
      if (body < 0) continue;
      left_.force = std::max(left_.force, wrench->force.cwiseAbs().maxCoeff());
      left_.torque = std::max(left_.torque, wrench->torque.cwiseAbs().maxCoeff());
      residuals_.col(i).segment<6>(6 * body) -= (1.0 + kappa * power[i]) * asPair(wrench->force, wrench->torque);
    }
}

/// How far joints are open where the step ends; not a number counts as the widest.
void GaussEngine::noteGaps(const MechanismState& state) {
  constexpr double closed = 1e-11;
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    const int origin = joint.first >= 0 ? joint.first : joint.second;
    const Placement first = seenFrom(origin, motionOf(end_, joint.first)).at;
    const Placement second = seenFrom(origin, motionOf(end_, joint.second)).at;
    for (const JointEquation& equation : joint.equations) {
      double gap = equation.gap(state.time, first, second);
      if (equation.form.kind == FormKind::squaredDistance) gap *= 0.5 / std::sqrt(equation.offset);
      const double may = border_.ofJoint[j] >= 0 ? std::max(closed, looseness_) : closed;
      const double relative = std::abs(gap) / (equation.form.kind != FormKind::axes ? size_ : 1.0) / may;
      if (relative <= left_.gap || std::isnan(left_.gap)) continue;
      left_.gap = relative;
      left_.opening = std::abs(gap);
      left_.joint = static_cast<int>(j);
    }
  }
}

/// The motion mid way through the step, on the polynomials of the stages, and the mean multipliers.
void GaussEngine::findMiddle(const MechanismState& state, double h) {
  const GaussCoefficients::Weights weights = coefficients_.polynomialAt(0.5).cwiseProduct(b_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyStages& body = bodies_[b];
    twelve(middle_[b].at) = twelve(start_[b].at) + h * body.rate.leftCols(stages_) * weights.head(stages_);
    twelve(middle_[b].rate) = twelve(state.bodies[b].rate) + body.slope.leftCols(stages_) * weights.head(stages_);
  }
  for (Eigen::Index row = 0; row < multipliers_.rows(); ++row) {
    double sum = 0.0;
    for (int i = 0; i < stages_; ++i) sum += b_[i] * multipliers_(row, i);
    meanMultipliers_[static_cast<std::size_t>(row)] = sum;
  }
}

void GaussEngine::formMatrices(const MechanismState& state, double h) {
  findMiddle(state, h);
  for (Mode& mode : modes_) {
    mode.system.clear();
    mode.p = 1.0 / (h * mode.lambda);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) formBody(b, h);
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) formJoint(j, h);
  for (std::size_t k = 0; k < mechanism_.forces().size(); ++k) formForce(state, k, h);
  for (Mode& mode : modes_) mode.system.factorise();
}

/// Turns are taken along the body's own axes, Theta = D^T theta, in which its inertia J does not change over the step: then
/// domega = D Theta' and, with the rate N of the moment of momentum along these axes, (2) changes by
///
///     J (Theta'' + Omega cross Theta' + Omega' cross Theta) + dOmega cross J Omega + Omega cross J dOmega + Theta cross N,
///     dOmega = Theta' + Omega cross Theta
void GaussEngine::formBody(std::size_t b, double h) {
  const MechanismBody& body = mechanism_.bodies()[b];
  const MovingPlacement& middle = middle_[b];
  const Matrix3 J = (body.secondMoments.sum() - body.secondMoments.array()).matrix().asDiagonal();
  const Vector3 Omega = middle.at.D.transpose() * turnRate(middle), JOmega = J * Omega;
  const auto alongAxes = [&](int i) -> Vector3 {
    return motion_[static_cast<std::size_t>(i)][b].at.D.transpose() * bodies_[b].twist.col(i).tail<3>();
  };
  const double between = h * (coefficients_.c()[stages_ - 1] - coefficients_.c()[0]);
  const Vector3 faster = (alongAxes(stages_ - 1) - alongAxes(0)) / between, N = J * faster + Omega.cross(JOmega);
  const Matrix3 changing = crossed(Omega, J) - hat(JOmega);  // by dOmega
  const Matrix3 C = crossed(J, Omega) + changing;
  Matrix3 K = crossed(J, faster) + crossed(changing, Omega) - hat(N);
  K -= doubleCross(middle.at.D.transpose() * loads_[b].force, loads_[b].point);
  for (Mode& mode : modes_) {
    auto& A = nodeOf(mode, static_cast<int>(b)).A;
    A.topLeftCorner<3, 3>().diagonal().array() += mode.p * body.mass;
    A.bottomRightCorner<3, 3>() += mode.p * J.cast<Complex>() + C.cast<Complex>() + K.cast<Complex>() / mode.p;
  }
}

/// Wrenches and their changes by turns in space become those along the axes of both bodies.
void GaussEngine::turnIntoBodies(int first, int second, ElementJacobian& jacobian) const {
  for (const auto& [body, at] : {std::pair{first, 3}, std::pair{second, 9}}) {
    if (body < 0) continue;
    const Matrix3& D = middle_[static_cast<std::size_t>(body)].at.D;
    jacobian.middleRows<3>(at) = (D.transpose() * jacobian.middleRows<3>(at)).eval();
    jacobian.middleCols<3>(at) = (jacobian.middleCols<3>(at) * D).eval();
  }
}

void GaussEngine::formJoint(std::size_t j, double h) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const int origin = joint.first >= 0 ? joint.first : joint.second;
  const MovingPlacement first = seenFrom(origin, motionOf(middle_, joint.first));
  const MovingPlacement second = seenFrom(origin, motionOf(middle_, joint.second));
  const ElementStep here{0.0, 0.0, first.at, first.at, second.at, second.at};
  const double length = 0.1 * h;
  const Placement first0 = carriedOn(first, -length), first1 = carriedOn(first, length);
  const Placement second0 = carriedOn(second, -length), second1 = carriedOn(second, length);
  const ElementStep before{0.0, 0.0, first0, first0, second0, second0},
      after{0.0, 0.0, first1, first1, second1, second1};
  FormStep formHere(here), formBefore(before), formAfter(after);
  const int border = border_.ofJoint[j], child = border_.childOf(mechanism_, j);
  ElementJacobian stiffness = ElementJacobian::Zero();
  for (int row = 0; row < joint.rows(); ++row) {
    const Form& form = joint.equations[static_cast<std::size_t>(row)].form;
    const auto gradientOf = [&](FormStep& step, const ElementStep& at, Vector6(&gradient)[2]) {
      step.take(form);
      step.gradient(FormStep::At::end, gradient[0], gradient[1]);
      gradient[0].tail<3>() = (at.first0.D.transpose() * gradient[0].tail<3>()).eval();
      gradient[1].tail<3>() = (at.second0.D.transpose() * gradient[1].tail<3>()).eval();
    };
    Vector6 gradient[2], earlier[2], later[2], change[2];
    gradientOf(formHere, here, gradient);
    gradientOf(formBefore, before, earlier);
    gradientOf(formAfter, after, later);
    for (int side = 0; side < 2; ++side) change[side] = (later[side] - earlier[side]) / (2.0 * length);
    // the mean placements of a step change by half of what its end changes by
    formHere.addStiffness(2.0 * meanMultipliers_[static_cast<std::size_t>(joint.firstRow + row)], stiffness);
    for (Mode& mode : modes_) {
      Eigen::Matrix<Complex, 6, 1> gap[2], force[2];
      for (int side = 0; side < 2; ++side) {
        gap[side] = gradient[side].cast<Complex>() + change[side].cast<Complex>() / mode.p;
        force[side] = -gradient[side].cast<Complex>();
      }
      if (child >= 0) {
        auto& node = nodeOf(mode, child);
        const int own = child == joint.second ? 1 : 0;
        node.G.row(row) = gap[own];
        node.parentG.row(row) = gap[1 - own];
        node.H.row(row) = force[own];
        node.parentH.row(row) = force[1 - own];
        continue;
      }
      for (int side = 0; side < 2; ++side) {
        const int body = side == 0 ? joint.first : joint.second;
        if (body < 0) continue;
        const int node = nodeOf_[static_cast<std::size_t>(body)];
        mode.system.borderRow(node, border, row) += gap[side];
        mode.system.borderColumn(node, border, row) += force[side];
      }
    }
  }
  turnIntoBodies(joint.first, joint.second, stiffness);
  for (Mode& mode : modes_)
    addStiffness<Complex>(mechanism_, nodeOf_, mode.system, joint.first, joint.second,
                          stiffness.cast<Complex>() / mode.p, border_.ofCoupling[j]);
}

/// How the wrenches change with placements, K, and with their rates, C, follows from what they are over a short step about mid
/// way, forwards and backwards, whose derivatives by its end are K/2 + C/h and K/2 - C/h.
void GaussEngine::formForce(const MechanismState& state, std::size_t k, double h) {
  const ForceElement& force = *mechanism_.forces()[k];
  const MovingPlacement &first = motionOf(middle_, force.first()), &second = motionOf(middle_, force.second());
  const double length = 0.25 * h, mid = state.time + 0.5 * h;
  const auto over = [&](double step) {
    ElementJacobian jacobian;
    force.meanWrenchesJacobian(
        {mid - 0.5 * step, mid + 0.5 * step, carriedOn(first, -0.5 * step), carriedOn(first, 0.5 * step),
         carriedOn(second, -0.5 * step), carriedOn(second, 0.5 * step)},
        jacobian);
    return jacobian;
  };
  const ElementJacobian forwards = over(length), backwards = over(-length);
  ElementJacobian K = forwards + backwards, C = 0.5 * length * (forwards - backwards);
  turnIntoBodies(force.first(), force.second(), K);
  turnIntoBodies(force.first(), force.second(), C);
  for (const auto& [body, at] : {std::pair{force.first(), 3}, std::pair{force.second(), 9}}) {
    if (body < 0) continue;
    const MovingPlacement& middle = middle_[static_cast<std::size_t>(body)];
    K.middleCols<3>(at) += C.middleCols<3>(at) * hat(Vector3(middle.at.D.transpose() * turnRate(middle)));
  }
  for (Mode& mode : modes_)
    addStiffness<Complex>(mechanism_, nodeOf_, mode.system, force.first(), force.second(),
                          C.cast<Complex>() + K.cast<Complex>() / mode.p, border_.ofForce[k]);
}

}  // namespace polhode
