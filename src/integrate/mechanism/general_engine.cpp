#include "integrate/mechanism/general_engine.h"

#include "integrate/archive.h"
#include "math/largest.h"
#include "math/rotation_maps.h"
#include "polhode/error.h"
#include "system/redundancy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr int mostEngineIterations = 40;

}  // namespace

GeneralEngine::GeneralEngine(const Mechanism& mechanism, int sequences)
    : mechanism_(mechanism),
      size_(mechanismSize(mechanism)),
      nodeOf_(nodesOf(mechanism)),
      border_(mechanism, nodeOf_),
      system_(treeSystem<double>(mechanism, nodeOf_, border_)),
      loads_(mechanism.bodies().size()),
      z_(VectorX::Zero(6 * static_cast<int>(mechanism.bodies().size()) + mechanism.rows())),
      end_(mechanism.bodies().size()),
      drivenAngles_(mechanism) {
  for (int i = 0; i < sequences; ++i)
    memories_.push_back({StepPrediction(z_.size(), 6 * static_cast<Eigen::Index>(end_.size())), Contraction()});
  limitBorderRanks();
}

/// Which rows repeat others is known at the start. Between the iterations of a step, where joints are open, they need not
/// depend on them, and without a limit they would be given multipliers that mean nothing. In a border of several groups
/// each is limited to what it has where the mechanism begins, which may be too few.
void GeneralEngine::limitBorderRanks() {
  if (mechanism_.topology().cutJoints.empty()) return;
  constexpr double closed = 1e-10, worse = 100.0;
  const Redundancy redundancy(mechanism_);
  int cutRows = 0;
  for (const int j : mechanism_.topology().cutJoints)
    cutRows += mechanism_.joints()[static_cast<std::size_t>(j)].rows();
  if (!redundancy.rows().empty()) looseness_ = closed + worse * redundancy.largestRounding();

  LoopBorder& border = system_.border();
  if (border.pattern().nodes() == 1) return border.limitRank(border.size() - cutRows + redundancy.rank());
  rankIsKnown_ = false;
  MechanismState start = startOf(mechanism_);
  start.lost.resize(end_.size());
  assemble(start, 1e-3, Forming::matrix);
  border.limitRanks();
}

void GeneralEngine::persist(Archive& archive) {
  archive.section("general engine");
  archive(loads_, memories_, system_.border());
}

StepReport GeneralEngine::step(MechanismState& state, double h, int sequence) {
  Memory& memory = memories_[static_cast<std::size_t>(sequence)];
  state.lost.resize(state.bodies.size());
  const StepReport report = iterateFromPast(
      h, memory.increments.known, memory.contraction, [&](double length) { predict(state, length, memory); },
      [&](double length) { return iterate(state, length, memory.contraction); },
      [&](double ratio) { z_.head(6 * static_cast<int>(end_.size())) *= ratio; });
  if (report.converged) finish(state, h, memory);
  return report;
}

/// From the increments of the last steps; from the rates at the start where there are none.
void GeneralEngine::predict(const MechanismState& state, double h, Memory& memory) {
  constexpr double missToLearnFrom = 1e-8;  // what its square leaves is not hidden by the roundings of gaps yet
  StepPrediction& increments = memory.increments;
  increments.begin(h);
  if (increments.known == 0)
    predictFromRates(state, h);
  else
    memory.contraction.learns() ? increments.predictNoBetterThan(missToLearnFrom, z_) : increments.predict(z_);
}

void GeneralEngine::predictFromRates(const MechanismState& state, double h) {
  int at = 0;
  for (const MovingPlacement& body : state.bodies) {
    z_.segment<3>(at) = h * body.rate.v;
    z_.segment<3>(at + 3) = h * turnRate(body);
    at += 6;
  }
  z_.tail(mechanism_.rows()) = state.multipliers;
}

/// Newton's method; stops when the next correction would be lost in the increments' roundings and the equations hold.
StepReport GeneralEngine::iterate(const MechanismState& state, double h, Contraction& contraction) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), stagnation = 1e-9;
  constexpr double roundings = 1e-13;
  constexpr double lastDigit = 4.0 * epsilon;  // of placements, and so of gaps: what is left behind it is roundings

  constexpr int mostDoubts = 4;
  StepReport report;
  double before = 0.0;
  bool serves = false;
  for (int doubts = 0; report.iterations < mostEngineIterations && doubts < mostDoubts;) {
    assemble(state, h, serves ? Forming::rightSides : Forming::matrix);
    system_.solve();
    const double now = correct();
    ++report.iterations;
    if (!serves) ++report.factorisations;
    report.residual = now;
    if (!std::isfinite(now)) {
      report.body = mostUnbalanced(state, h);
      return report;
    }
    const double roundOff = std::max(0.1 * epsilon * largestIncrement(), 0.01 * lastDigit);
    const bool isTrusted = before == 0.0 && now > lastDigit;
    const bool rests = contraction.suffices(now, before, roundOff, 4.0 * lastDigit) || now <= lastDigit ||
                       (report.iterations > 2 && now < stagnation && now > 0.7 * before);
    serves = Contraction::matrixServes(now, before) || now < roundings;  // which no other matrix makes smaller
    before = now;
    if (!rests) continue;
    if (system_.deficientNode() >= 0) throwUnresisted(mechanism_, system_.deficientNode(), state.time);
    report.converged = vouches(state, h, isTrusted, report);
    // rows that depended on others only where the motion began
    const bool refused = !report.converged && !isTrusted;
    const bool freed = !rankIsKnown_ && (refused || system_.border().leftOver() > 1e-5);
    if (freed) system_.border().freeRanks();
    if (report.converged) break;
    contraction.forget();
    if (isTrusted) continue;
    serves = false;
    ++doubts;
  }
  return report;
}

/// Looks at the equations where the step ends, all of them. What is left of the balance of momentum is measured by the work
/// that it does, since this is what the energy would be off by (a long chain has terms of very different size), and by the
/// largest term. A step that is trusted, as no second iteration has shown yet that it has come to rest, is to leave nothing but
/// roundings.
bool GeneralEngine::vouches(const MechanismState& state, double h, bool isTrusted, StepReport& report) {
  constexpr double balanced = 1e-7, workless = 1e-11, orthonormal = 1e-12;
  constexpr double roundings = 16.0 * std::numeric_limits<double>::epsilon();
  assemble(state, h, Forming::measured);
  // Where all turning terms vanish, as of a point mass that is let go, what is left of them is the rounding of impulses at
  // their levers; and of forces that of turning impulses.
  const double unbalanced = balanced * left_.impulse + roundings * left_.turningImpulse / size_;
  const double unbalancedTurning = balanced * left_.turningImpulse + roundings * left_.impulse * size_;
  bool good = z_.allFinite() && left_.gap <= 1.0;
  report.openJoint = left_.gap <= 1.0 || left_.joint < 0
                         ? std::string_view()
                         : std::string_view(mechanism_.joints()[static_cast<std::size_t>(left_.joint)].name);
  report.gap = left_.opening;
  double work = 0.0;
  for (std::size_t b = 0; b < end_.size() && good; ++b) {
    const Vector6& f = nodeOf(static_cast<int>(b)).f;
    const Vector6 z = z_.segment<6>(6 * static_cast<int>(b));
    const Matrix3& D0 = state.bodies[b].at.D;
    const Matrix3 D1 = D0 + hat(Vector3(z.tail<3>())) * (0.5 * (D0 + end_[b].D));
    work += std::abs(f.dot(z));
    good = f.head<3>().norm() <= unbalanced && f.tail<3>().norm() <= unbalancedTurning &&
           (D1.transpose() * D1 - Matrix3::Identity()).norm() <= orthonormal;
    if (!good) report.body = mechanism_.bodies()[b].name;
  }
  // at rest only roundings of the impulses do work
  const double rounding = roundings * (left_.impulse * size_ + left_.turningImpulse) * largestIncrement();
  const double allowed = (isTrusted ? 0.0 : workless * left_.work) + rounding;
  good = good && (work <= allowed || work <= allowed + workOfLastDigits(state, h));
  const int turned = good ? drivenAngles_.turnedOver(state.time + h, [&](int b) { return placement1(b); }) : -1;
  if (turned >= 0) {
    report.openJoint = mechanism_.joints()[static_cast<std::size_t>(turned)].name;
    report.gap = std::numbers::pi;
    good = false;
  }
  report.doubtful = !good;
  return good;
}

/// The work of what stiff springs and dampers make of the last digits of placements: where a mechanism with them comes to rest, this
/// is all that is left of the balance, and no iteration makes it smaller.
double GeneralEngine::workOfLastDigits(const MechanismState& state, double h) const {
  constexpr double digit = 4.0 * std::numeric_limits<double>::epsilon();
  double work = 0.0;
  for (const auto& force : mechanism_.forces()) {
    ElementJacobian jacobian;
    force->meanWrenchesJacobian(elementStep(state, force->first(), force->second(), h), jacobian);
    Eigen::Matrix<double, 12, 1> moved = Eigen::Matrix<double, 12, 1>::Zero(), digits = moved;
    for (const auto& [body, at] : {std::pair(force->first(), 0), std::pair(force->second(), 6)}) {
      if (body < 0) continue;
      const double place = std::max(size_, end_[static_cast<std::size_t>(body)].x.norm());
      moved.segment<6>(at) = z_.segment<6>(6 * body).cwiseAbs();
      digits.segment<3>(at).setConstant(digit * place);
      digits.segment<3>(at + 3).setConstant(digit);
    }
    work += std::abs(h) * moved.dot(jacobian.cwiseAbs() * digits);
  }
  return work;
}

/// The body on which most acts where the step begins; not a number counts as most. For the message of a step that has left
/// the range of numbers: begins the iteration anew.
std::string_view GeneralEngine::mostUnbalanced(const MechanismState& state, double h) {
  predictFromRates(state, h);
  assemble(state, h, Forming::rightSides);
  std::string_view name;
  double most = 0.0;
  for (std::size_t b = 0; b < end_.size() && !std::isnan(most); ++b) {
    const double here = nodeOf(static_cast<int>(b)).f.norm();
    if (here <= most) continue;
    most = here;
    name = mechanism_.bodies()[b].name;
  }
  return name;
}

/// Where the step ends.
void GeneralEngine::place(const MechanismState& state) {
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const Placement& at = state.bodies[b].at;
    const Vector3 dx = z_.segment<3>(6 * static_cast<int>(b)), c = z_.segment<3>(6 * static_cast<int>(b) + 3);
    end_[b] = {at.x + dx, cayleySO3(c) * at.D};
  }
}

double GeneralEngine::largestIncrement() const {
  double largest = 0.0;
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const int at = 6 * static_cast<int>(b);
    largest = std::max({largest, z_.segment<3>(at).norm() / size_, z_.segment<3>(at + 3).norm()});
  }
  return largest;
}

/// Adds the corrections; how large the largest was, as an angle or relative to the size of the mechanism.
double GeneralEngine::correct() {
  double largest = 0.0;
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const int at = 6 * static_cast<int>(b);
    const Vector6& z = nodeOf(static_cast<int>(b)).z;
    const Vector3 c = z_.segment<3>(at + 3);
    const Vector3 dc = cayleySpaceTangentInverse(c) * z.tail<3>();
    z_.segment<3>(at) += z.head<3>();
    z_.segment<3>(at + 3) += dc;
    const double change = std::max(z.head<3>().norm() / size_, dc.norm());
    largest = largestOrNaN(largest, change);
    const int j = mechanism_.topology().parentJoint[b];
    if (j < 0) continue;
    const MechanismJoint& joint = mechanism_.joints()[static_cast<std::size_t>(j)];
    z_.segment(6 * static_cast<int>(end_.size()) + joint.firstRow, joint.rows()) += nodeOf(static_cast<int>(b)).l;
  }
  for (const int j : mechanism_.topology().cutJoints) {
    const MechanismJoint& joint = mechanism_.joints()[static_cast<std::size_t>(j)];
    for (int row = 0; row < joint.rows(); ++row)
      z_[6 * static_cast<int>(end_.size()) + joint.firstRow + row] +=
          system_.border().solution(system_.firstUnknown(border_.ofJoint[static_cast<std::size_t>(j)]) + row);
  }
  return largest;
}

/// The work of a wrench over the step.
double GeneralEngine::along(int body, const Wrench& w) const {
  if (body < 0) return 0.0;
  return w.force.dot(z_.segment<3>(6 * body)) + w.torque.dot(z_.segment<3>(6 * body + 3));
}

/// That of the equations that follow a signal; the others do none.
double GeneralEngine::workOfDrives(const MechanismState& state, double h) const {
  const double* multiplier = z_.data() + 6 * end_.size();
  double work = 0.0;
  for (const MechanismJoint& joint : mechanism_.joints())
    for (const JointEquation& equation : joint.equations) {
      const double lambda = *multiplier++;
      if (!equation.drive) continue;
      const ElementStep bodies = relativeStep(state, joint.first, joint.second, h);
      const Form form = equation.formAt(state.time + 0.5 * h);
      FormStep step(bodies);
      step.take(form);
      Vector6 onFirst = Vector6::Zero(), onSecond = Vector6::Zero();
      step.gradient(FormStep::At::mean, onFirst, onSecond);
      work += lambda * (along(joint.first, {onFirst.head<3>(), onFirst.tail<3>()}) +
                        along(joint.second, {onSecond.head<3>(), onSecond.tail<3>()}));
    }
  return work;
}

double GeneralEngine::workOver(const MechanismState& state, double h) const {
  double work = 0.0;
  for (const auto& force : mechanism_.forces()) {
    if (force->conservative()) continue;
    const ElementStep step = elementStep(state, force->first(), force->second(), h);
    const ElementWrenches w = force->meanWrenches(step);
    work += along(force->first(), w.first) + along(force->second(), w.second) +
            force->potential(step.first1, step.second1) - force->potential(step.first0, step.second0);
  }
  if (mechanism_.isDriven()) work += workOfDrives(state, h);
  for (std::size_t b = 0; b < loads_.size(); ++b) {
    const Matrix3 Dm = 0.5 * (state.bodies[b].at.D + end_[b].D);
    work += along(static_cast<int>(b), loads_[b].wrench(Dm));
  }
  return work;
}

void GeneralEngine::finish(MechanismState& state, double h, Memory& memory) {
  state.work += workOver(state, h);
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const Eigen::Index i = 6 * static_cast<Eigen::Index>(b);
    moveOn(state.bodies[b], state.lost[b], h, z_.segment<3>(i), z_.segment<3>(i + 3), end_[b].D);
  }
  state.multipliers = z_.tail(mechanism_.rows());
  state.time += h;

  last_ = z_;
  memory.increments.add(h, last_);
}

}  // namespace polhode
