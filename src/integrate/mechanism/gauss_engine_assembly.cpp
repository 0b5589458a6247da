#include "integrate/mechanism/gauss_engine.h"
#include "math/rotation_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>

/// The equations of the stages.
namespace polhode {

namespace {

Vector6 asPair(const Vector3& a, const Vector3& b) {
  Vector6 v;
  v << a, b;
  return v;
}

double largestOf(const stages::Vec& v) {
  double largest = 0.0;
  for (int lane = 0; lane < stages::lanes; ++lane)
    largest = std::max({largest, std::abs(v[0][lane]), std::abs(v[1][lane]), std::abs(v[2][lane])});
  return largest;
}

}  // namespace

/// What (3) has on its right side. A gap that is there closes in one step; of its roundings a little, so that they do not add
/// up and do not shake the velocities either.
void GaussEngine::findClosing(const MechanismState& state, double h) {
  constexpr double rounding = 1e-12, share = 0.01;
  start_ = state.bodies;
  for (std::size_t b = 0; b < start_.size(); ++b) start_[b].at.x += state.lost[b].x;
  const auto toClose = [&](double gap) {
    return (std::abs(gap) > rounding * std::max(1.0, size_) ? 1.0 : share) * gap / h;
  };
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    if (ballRows(j) > 0) {
      const Vector3 gap = gapOfBall(joint, start_);
      for (int row = 0; row < 3; ++row) closing_[joint.firstRow + row] = toClose(gap[row]);
    }
    if (ballRows(j) == joint.equations.size()) continue;
    const int origin = joint.first >= 0 ? joint.first : joint.second;
    const Placement first = seenFrom(origin, motionOf(start_, joint.first)).at;
    const Placement second = seenFrom(origin, motionOf(start_, joint.second)).at;
    for (std::size_t row = ballRows(j); row < joint.equations.size(); ++row)
      closing_[joint.firstRow + static_cast<int>(row)] = toClose(joint.equations[row].gap(state.time, first, second));
  }
  drives_.follow(state.time, h, coefficients_);
  for (const StageDrives::Row& row : drives_.rows()) closing_[drives_.numberOf(row)] = 0.0;  // found on the way
}

/// What the points of a ball joint are apart, of bodies that are seen as seenFrom says.
Vector3 GaussEngine::gapOfBall(const MechanismJoint& joint, const MechanismMotion& bodies) const {
  const Form& form = joint.equations.front().form;
  const Vector3& from = start_[static_cast<std::size_t>(joint.first >= 0 ? joint.first : joint.second)].at.x;
  const auto pointOf = [&](int body, const Vector3& point) -> Vector3 {
    if (body < 0) return point - from;
    const Placement& at = bodies[static_cast<std::size_t>(body)].at;
    return at.x - from + at.D * point;
  };
  return pointOf(joint.second, form.secondPoint) - pointOf(joint.first, form.firstPoint);
}

/// Joints know no place in space, and keep their digits far from its origin where they are seen from one of their bodies.
MovingPlacement GaussEngine::seenFrom(int origin, const MovingPlacement& motion) const {
  return {{motion.at.x - start_[static_cast<std::size_t>(origin)].at.x, motion.at.D}, motion.rate};
}

/// A body at a stage; the ground rests.
MovingPlacement GaussEngine::atStage(int stage, int body) const {
  MovingPlacement motion;
  if (body < 0) return motion;
  const BodyStages& stages = bodies_[static_cast<std::size_t>(body)];
  twelve(motion.at) = stages.place.col(stage);
  twelve(motion.rate) = stages.rate.col(stage);
  return motion;
}

void GaussEngine::evaluate(const MechanismState& state, double h, Look look) {
  using namespace stages;
  left_ = {};
  work_ = 0.0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    moveBody(state, b, h, look);
    evaluateBody(b, h);
  }
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
    if (ballRows(j) > 0) evaluateBall(j, look);
    if (ballRows(j) < mechanism_.joints()[j].equations.size()) evaluateJoint(j, look);
  }
  if (!mechanism_.forces().empty() || !drives_.empty()) findEnd(state, h);
  aimAtEnds(state, h);
  for (std::size_t k = 0; k < mechanism_.forces().size(); ++k) evaluateForce(state, k, h);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (int first = 0; first < filled(stages_); first += lanes) {
      double* torque = residuals_.row(6 * static_cast<int>(b) + 3).data();
      put(matrixAt(bodies_[b].place.row(3).data(), first).transpose() * vectorAt(torque, first), torque, first);
    }
}

/// (1): what follows from the velocities. The directors are found by two sweeps of their own, which begin where the last
/// iteration has put them; with one, energy is off by ten times as many roundings. At a quick look, from which the iteration goes
/// on, one is enough, and so are slopes that roundings of the rates shake; those of the velocities are known from their corrections.
void GaussEngine::moveBody(const MechanismState& state, std::size_t b, double h, Look look) {
  using namespace stages;
  BodyStages& body = bodies_[b];
  const MovingPlacement& at0 = state.bodies[b];
  const auto turn = [&] {
    for (int first = 0; first < filled(stages_); first += lanes) {
      const Vec omega = vectorAt(body.twist.row(3).data(), first);
      for (int k = 0; k < 3; ++k)
        put(omega.cross(inAllLanes(Vector3(at0.at.D.col(k))) +
                        vectorAt(body.displacement.row(3 + 3 * k).data(), first)),
            body.rate.row(3 + 3 * k).data(), first);
    }
  };
  turn();
  for (int first = 0; first < filled(stages_); first += lanes)
    put(vectorAt(body.twist.data(), first), body.rate.data(), first);
  const int directors = 3, from = look == Look::quick && !placesMatter_ ? directors : 0;
  multiply(h, body.rate.row(from).data(), 12 - from, throughA_, stages_, body.displacement.row(from).data());
  turn();
  if (look != Look::quick) {
    multiply(h, body.rate.row(3).data(), 9, throughA_, stages_, body.displacement.row(3).data());
    turn();
  }
  const Twelve rate0 = twelve(at0.rate), q0 = twelve(start_[b].at);
  alignas(64) Rows<12> lacking, more;
  for (int first = 0; first < filled(stages_); first += lanes)
    for (int k = 0; k < 12; ++k) {
      (Lane::from(&body.rate(k, first)) - Lane(rate0[k])).to(&lacking(k, first));
      (Lane(q0[k]) + Lane::from(&body.displacement(k, first))).to(&body.place(k, first));
    }
  if (look == Look::quick)
    return multiply(1.0, lacking.row(directors).data(), 9, throughInverse_, stages_, body.slope.row(directors).data());
  // refined, so that the slopes give the rates to their last digits
  multiply(1.0, body.slope.data(), 12, throughA_, stages_, more.data());
  for (int first = 0; first < filled(stages_); first += lanes)
    for (int k = 0; k < 12; ++k) (Lane::from(&lacking(k, first)) - Lane::from(&more(k, first))).to(&lacking(k, first));
  multiply(1.0, lacking.data(), 12, throughInverse_, stages_, more.data());
  for (int first = 0; first < filled(stages_); first += lanes)
    for (int k = 0; k < 12; ++k)
      (Lane::from(&body.slope(k, first)) + Lane::from(&more(k, first))).to(&body.slope(k, first));
}

/// Where the step ends.
void GaussEngine::findEnd(const MechanismState& state, double h) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyStages& body = bodies_[b];
    Twelve moved = Twelve::Zero(), faster = Twelve::Zero();
    for (int i = 0; i < stages_; ++i)
      for (int k = 0; k < 12; ++k) {
        moved[k] += (h * b_[i]) * body.rate(k, i);
        faster[k] += b_[i] * body.slope(k, i);
      }
    end_[b] = start_[b];
    twelve(end_[b].at) += moved;
    twelve(end_[b].rate) = twelve(state.bodies[b].rate) + faster;
  }
}

void GaussEngine::evaluateBody(std::size_t b, double h) {
  using namespace stages;
  const MechanismBody& body = mechanism_.bodies()[b];
  const BodyStages& all = bodies_[b];
  const int row = 6 * static_cast<int>(b);
  const Vec weight = inAllLanes(Vector3(body.mass * mechanism_.gravity()));
  for (int first = 0; first < filled(stages_); first += lanes) {
    Vec torque = Vec::Zero();
    for (int k = 0; k < 3; ++k)
      torque += vectorAt(all.place.row(3 + 3 * k).data(), first)
                    .cross(Vec(Lane(body.secondMoments[k] / h) * vectorAt(all.slope.row(3 + 3 * k).data(), first)));
    put(Lane(body.mass / h) * vectorAt(all.slope.data(), first) - weight, residuals_.row(row).data(), first);
    put(torque, residuals_.row(row + 3).data(), first);
  }
  const BodyLoad& load = loads_[b];
  if (load.force.isZero(0.0) && load.torque.isZero(0.0)) return;
  for (int i = 0; i < columns; ++i) {
    const Wrench pull = load.wrench(atStage(std::min(i, stages_ - 1), static_cast<int>(b)).at.D);
    residuals_.col(i).segment<6>(row) -= asPair(pull.force, pull.torque);
    if (i < stages_) work_ += h * b_[i] * powerAt(i, static_cast<int>(b), pull);
  }
}

/// The largest forces and torques, by which it is judged what may be left of them.
void GaussEngine::noteBody(std::size_t b, double h) {
  using namespace stages;
  const MechanismBody& body = mechanism_.bodies()[b];
  left_.force = std::max(left_.force, body.mass * mechanism_.gravity().norm());
  for (int first = 0; first < filled(stages_); first += lanes) {
    const BodyStages& all = bodies_[b];
    const Vec force =
        Lane(body.mass) * (Lane(1.0 / h) * vectorAt(all.slope.data(), first) - inAllLanes(mechanism_.gravity()));
    Vec torque = Vec::Zero();
    Lane squared = 0.0;  // of the directors' rates
    for (int k = 0; k < 3; ++k) {
      const Vec rate = vectorAt(all.rate.row(3 + 3 * k).data(), first);
      torque += vectorAt(all.place.row(3 + 3 * k).data(), first)
                    .cross(Vec(Lane(body.secondMoments[k] / h) * vectorAt(all.slope.row(3 + 3 * k).data(), first)));
      squared += rate.dot(rate);
    }
    left_.force = std::max(left_.force, largestOf(force));
    left_.torque = std::max(left_.torque, largestOf(torque));
    for (int lane = 0; lane < lanes; ++lane)
      left_.torque = std::max(left_.torque, body.secondMoments.maxCoeff() * squared[lane]);
  }
}

double GaussEngine::powerAt(int stage, int body, const Wrench& wrench) const {
  if (body < 0) return 0.0;
  const auto twist = bodies_[static_cast<std::size_t>(body)].twist.col(stage);
  return wrench.force.dot(twist.head<3>()) + wrench.torque.dot(twist.tail<3>());
}

/// The rows that hold a point of the second body on one of the first, with one force between both.
void GaussEngine::evaluateBall(std::size_t j, Look look) {
  using namespace stages;
  const MechanismJoint& joint = mechanism_.joints()[j];
  const Form& form = joint.equations.front().form;
  const Vector3 closing = closing_.segment<3>(joint.firstRow);
  for (int begin = 0; begin < filled(stages_); begin += lanes) {
    const Vec force = vectorAt(multipliers_.row(joint.firstRow).data(), begin);
    Vec rate = inAllLanes(closing);
    const auto hold = [&](int body, const Vector3& point, const Vec& pull, auto&& take) {
      if (body < 0) return;
      const BodyStages& all = bodies_[static_cast<std::size_t>(body)];
      const Vec arm = matrixAt(all.place.row(3).data(), begin) * inAllLanes(point);
      const Vec torque = arm.cross(pull), omega = vectorAt(all.twist.row(3).data(), begin);
      // at last by the very rates with which the step ends
      const Vec turns = look == Look::quick ? Vec(omega.cross(arm))
                                            : Vec(matrixAt(all.rate.row(3).data(), begin) * inAllLanes(point));
      take(Vec(vectorAt(all.twist.data(), begin) + turns));
      add(-pull, residuals_.row(6 * body).data(), begin);
      add(-torque, residuals_.row(6 * body + 3).data(), begin);
      if (look != Look::close) return;
      left_.force = std::max(left_.force, largestOf(pull));
      left_.torque = std::max(left_.torque, largestOf(torque));
    };
    hold(joint.first, form.firstPoint, -force, [&](const Vec& moves) { rate -= moves; });
    hold(joint.second, form.secondPoint, force, [&](const Vec& moves) { rate += moves; });
    put(rate, residuals_.row(firstMultiplier() + joint.firstRow).data(), begin);
  }
}

/// All rows of a joint behind those.
void GaussEngine::evaluateJoint(std::size_t j, Look look) {
  using namespace stages;
  const MechanismJoint& joint = mechanism_.joints()[j];
  const int origin = joint.first >= 0 ? joint.first : joint.second;
  for (int begin = 0; begin < filled(stages_); begin += lanes) {
    const MovingBody first = atStages(begin, joint.first, origin), second = atStages(begin, joint.second, origin);
    struct {
      Vec force = Vec::Zero(), torque = Vec::Zero(), onArm = Vec::Zero();
    } pulls[2];
    forRowsOf(
        joint.equations, drives_.of(j), begin, first, second,
        [&](int row, const Gradient& gradient) {
          const Lane lambda = Lane::from(&multipliers_(joint.firstRow + row, begin));
          (gradient.rate + Lane(closing_[joint.firstRow + row]))
              .to(&residuals_(firstMultiplier() + joint.firstRow + row, begin));
          pulls[0].force += lambda * gradient.first.onPosition;
          pulls[0].onArm += lambda * gradient.first.onArm;
          pulls[1].force += lambda * gradient.second.onPosition;
          pulls[1].onArm += lambda * gradient.second.onArm;
        },
        [&](int side, const Arm& arm) {
          pulls[side].torque += arm.at.cross(pulls[side].onArm);
          pulls[side].onArm = Vec::Zero();
        },
        ballRows(j));
    for (const auto& [body, side] : {std::pair{joint.first, 0}, std::pair{joint.second, 1}}) {
      if (body < 0) continue;
      add(-pulls[side].force, residuals_.row(6 * body).data(), begin);
      add(-pulls[side].torque, residuals_.row(6 * body + 3).data(), begin);
      if (look != Look::close) continue;
      left_.force = std::max(left_.force, largestOf(pulls[side].force));
      left_.torque = std::max(left_.torque, largestOf(pulls[side].torque));
    }
  }
}

void GaussEngine::evaluateForce(const MechanismState& state, std::size_t k, double h) {
  constexpr double largestCorrection = 0.01, roundings = 8.0 * std::numeric_limits<double>::epsilon();
  constexpr double worthTelling = 1e-10;
  const ForceElement& force = *mechanism_.forces()[k];
  const int first = force.first(), second = force.second();
  ElementWrenches wrenches[most];
  double power[most] = {}, work = 0.0, squares = 0.0, largest = 0.0;
  for (int i = 0; i < stages_; ++i) {
    wrenches[i] = force.wrenches(state.time + coefficients_.c()[i] * h, atStage(i, first), atStage(i, second));
    power[i] = powerAt(i, first, wrenches[i].first) + powerAt(i, second, wrenches[i].second);
    work += h * b_[i] * power[i];
    squares += h * b_[i] * power[i] * power[i];
    largest = std::max(largest, std::abs(power[i]));
  }
  const double before = force.potential(motionOf(start_, first).at, motionOf(start_, second).at);
  const double after = force.potential(motionOf(end_, first).at, motionOf(end_, second).at);
  const double lacking = before - after - work, energy = std::abs(before) + std::abs(after);
  double kappa = 0.0;
  if (!force.conservative())
    work_ -= lacking;
  else if (std::abs(lacking) > roundings * energy && std::abs(lacking) * largest < largestCorrection * squares)
    kappa = lacking / squares;
  else if (std::abs(lacking) > worthTelling * energy)
    left_.missesWork = true;
  for (int column = 0; column < most; ++column) {
    const int i = std::min(column, stages_ - 1);
    for (const auto& [body, wrench] : {std::pair{first, &wrenches[i].first}, std::pair{second, &wrenches[i].second}}) {
      if (body < 0) continue;
      left_.force = std::max(left_.force, wrench->force.cwiseAbs().maxCoeff());
      left_.torque = std::max(left_.torque, wrench->torque.cwiseAbs().maxCoeff());
      residuals_.col(column).segment<6>(6 * body) -= (1.0 + kappa * power[i]) * asPair(wrench->force, wrench->torque);
    }
  }
}

/// How far joints are open where the step ends; not a number counts as the widest.
void GaussEngine::noteGaps(double time) {
  constexpr double closed = 1e-11;
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    const int origin = joint.first >= 0 ? joint.first : joint.second;
    const Placement first = seenFrom(origin, motionOf(end_, joint.first)).at;
    const Placement second = seenFrom(origin, motionOf(end_, joint.second)).at;
    const Vector3 ofBall = ballRows(j) > 0 ? gapOfBall(joint, end_) : Vector3::Zero();
    for (std::size_t row = 0; row < joint.equations.size(); ++row) {
      const JointEquation& equation = joint.equations[row];
      double gap = row < ballRows(j) ? ofBall[static_cast<int>(row)] : equation.gap(time, first, second);
      if (equation.form.kind == FormKind::squaredDistance) gap *= 0.5 / std::sqrt(equation.offsetAt(time));
      const double may = border_.ofJoint[j] >= 0 ? std::max(closed, looseness_) : closed;
      const double relative = std::abs(gap) / (equation.form.kind != FormKind::axes ? size_ : 1.0) / may;
      if (relative <= left_.gap || std::isnan(left_.gap)) continue;
      left_.gap = relative;
      left_.opening = std::abs(gap);
      left_.joint = static_cast<int>(j);
    }
  }
}

}  // namespace polhode
