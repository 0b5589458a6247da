#include "integrate/mechanism/gauss_engine.h"

#include "integrate/archive.h"
#include "integrate/mechanism/contraction.h"
#include "math/largest.h"
#include "math/rotation_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace polhode {

namespace {

constexpr int mostGaussIterations = 40;

/// Whether the first rows of a joint hold a point of its second body on one of its first, in x, y and z.
bool beginsAsBall(const MechanismJoint& joint) {
  if (joint.rows() < 3) return false;
  const Form& first = joint.equations.front().form;
  for (int k = 0; k < 3; ++k) {
    const JointEquation& equation = joint.equations[static_cast<std::size_t>(k)];
    const Form& form = equation.form;
    if (form.kind != FormKind::point || form.a != Vector3::Unit(k) || equation.drive || equation.offset != 0.0 ||
        form.firstPoint != first.firstPoint || form.secondPoint != first.secondPoint)
      return false;
  }
  return true;
}

/// Whether forces or joints hang on where bodies are, not on their directors and rates alone.
bool placesMatter(const Mechanism& mechanism) {
  const auto hangsOnPlaces = [](const JointEquation& equation) {
    return equation.form.kind == FormKind::axisPoint || equation.form.kind == FormKind::squaredDistance;
  };
  return !mechanism.forces().empty() ||
         std::any_of(mechanism.joints().begin(), mechanism.joints().end(), [&](const MechanismJoint& joint) {
           return std::any_of(joint.equations.begin(), joint.equations.end(), hangsOnPlaces);
         });
}

/// Of some rows of stages, the sums with these weights.
Twelve sumOf(const stages::Rows<12>& rows, const GaussCoefficients::Weights& weights) {
  Twelve sum = Twelve::Zero();
  for (int i = 0; i < stages::columns; ++i)
    for (int k = 0; k < 12; ++k) sum[k] += rows(k, i) * weights[i];
  return sum;
}

/// Whether no inertia resists some turn of the body, so that equations of motion need not determine it.
bool turnsFreely(const MechanismBody& body) {
  return !(body.inertia.minCoeff() > 1e-12 * body.inertia.maxCoeff());
}

}  // namespace

GaussEngine::GaussEngine(const Mechanism& mechanism, int stages)
    : mechanism_(mechanism),
      coefficients_(GaussCoefficients::of(stages)),
      stages_(stages),
      size_(mechanismSize(mechanism)),
      nodeOf_(nodesOf(mechanism)),
      border_(mechanism, nodeOf_),
      redundancy_(mechanism),
      placesMatter_(placesMatter(mechanism)),
      b_(coefficients_.b()),
      sum_(GaussCoefficients::Weights::Zero()),
      last_(coefficients_.lastCoefficient().cwiseProduct(b_)),
      throughA_(StageSquare::Zero()),
      throughInverse_(StageSquare::Zero()),
      loads_(mechanism.bodies().size()),
      drives_(mechanism),
      drivenAngles_(mechanism),
      bodies_(mechanism.bodies().size()),
      multipliers_(mechanism.rows()),
      residuals_(firstMultiplier() + mechanism.rows()),
      changes_(residuals_),
      slopes_(firstMultiplier()),
      rowSlopes_(multipliers_),
      turns_(3 * static_cast<int>(bodies_.size())),
      closing_(VectorX::Zero(mechanism.rows())),
      start_(initialMotion(mechanism)),
      middle_(start_),
      end_(start_),
      meanMultipliers_(static_cast<std::size_t>(mechanism.rows()), 0.0),
      kept_(bodies_),
      keptMultipliers_(multipliers_) {
  for (GaussMode& mode : gaussModes(coefficients_))
    modes_.push_back({std::move(mode), treeSystem<Complex>(mechanism, nodeOf_, border_)});
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const int child = border_.childOf(mechanism, j);
    childOf_.push_back(child < 0 ? -1 : nodeOf_[static_cast<std::size_t>(child)]);
    beginsAsBall_.push_back(beginsAsBall(mechanism.joints()[j]));
  }
  settleTrees();
  sum_.head(stages) = b_.head(stages);
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Long A = coefficients_.m().topLeftCorner(stages, stages).cast<long double>() *
                 b_.head(stages).cast<long double>().asDiagonal();
  throughA_.topLeftCorner(stages, stages) = A.transpose().cast<double>();
  throughInverse_.topLeftCorner(stages, stages) = A.inverse().transpose().cast<double>();
  for (int i = stages; i < most; ++i) {
    throughA_.col(i) = throughA_.col(stages - 1);
    throughInverse_.col(i) = throughInverse_.col(stages - 1);
  }
  limitBorderRanks();
}

/// As GeneralEngine does it: which rows repeat others is known at the start, and between iterations they need not.
void GaussEngine::limitBorderRanks() {
  if (mechanism_.topology().cutJoints.empty()) return;
  constexpr double closed = 1e-10, worse = 100.0;
  int cutRows = 0;
  for (const int j : mechanism_.topology().cutJoints)
    cutRows += mechanism_.joints()[static_cast<std::size_t>(j)].rows();
  if (!redundancy_.rows().empty()) looseness_ = closed + worse * redundancy_.largestRounding();
  rankIsKnown_ = modes_.front().system.border().pattern().nodes() == 1;
  if (!rankIsKnown_) {
    MechanismState start = startOf(mechanism_);
    start.lost.resize(bodies_.size());
    predict(start, 1e-3);
    findClosing(start, 1e-3);
    evaluate(start, 1e-3);
    formModes(start, 1e-3);
  }
  for (Mode& mode : modes_) {
    LoopBorderOf<Complex>& border = mode.system.border();
    rankIsKnown_ ? border.limitRank(border.size() - cutRows + redundancy_.rank()) : border.limitRanks();
  }
}

void GaussEngine::persist(Archive& archive) {
  archive.section("gauss engine");
  archive(loads_, stiff_, known_, lastLength_);
  for (Mode& mode : modes_) archive(mode.system.border());
  for (BodyStages& body : kept_) archive.plain(body);
  archive(keptMultipliers_, redundancy_);
  settleTrees();
}

StepReport GaussEngine::step(MechanismState& state, double h, double most) {
  state.lost.resize(state.bodies.size());
  if (redundancy_.review(state.time, state.bodies)) settleTrees();
  StepReport report;
  if (std::isfinite(most)) {  // a shorter step is tried soon
    predict(state, h);
    report = iterate(state, h, most);
  } else {
    Contraction unused;
    report = iterateFromPast(
        h, known_, unused, [&](double length) { predict(state, length); },
        [&](double length) { return iterate(state, length, most); }, [&](double ratio) { stretch(ratio); });
  }
  if (report.converged) finish(state, h);
  return report;
}

/// The stages on the polynomials of the last step, continued (or on those of the refused one); or at the velocities of the start.
void GaussEngine::predict(const MechanismState& state, double h) {
  using namespace stages;
  const bool goesOn = known_ > 0 && h * lastLength_ > 0.0;
  StageSquare goOn = StageSquare::Zero();  // from slopes in columns
  if (goesOn)
    goOn = b_.asDiagonal() * coefficients_.continuation(h / lastLength_, known_ == refused ? 0.0 : 1.0).transpose() *
           b_.cwiseInverse().asDiagonal();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    BodyStages& body = bodies_[b];
    const MovingPlacement& at = state.bodies[b];
    const bool asBefore = goesOn && !turnsFreely(mechanism_.bodies()[b]);
    if (asBefore) {
      multiply(1.0, kept_[b].slope.data(), 12, goOn, stages_, body.slope.data());
      multiply(1.0, body.slope.data(), 12, throughA_, stages_, body.rate.data());
    } else {
      body.slope.setZero();
      body.rate.setZero();
    }
    const Twelve rate0 = twelve(at.rate);
    for (int first = 0; first < filled(stages_); first += lanes)
      for (int k = 0; k < 12; ++k) (Lane::from(&body.rate(k, first)) + Lane(rate0[k])).to(&body.rate(k, first));
    multiply(h, body.rate.data(), 12, throughA_, stages_, body.displacement.data());
    const Vec turnRate0 = inAllLanes(turnRate(at));
    for (int first = 0; first < filled(stages_); first += lanes) {
      Vec turning = Vec::Zero();
      for (int k = 0; k < 3; ++k)
        turning += (inAllLanes(Vector3(at.at.D.col(k))) + vectorAt(body.displacement.row(3 + 3 * k).data(), first))
                       .cross(vectorAt(body.rate.row(3 + 3 * k).data(), first));
      put(vectorAt(body.rate.data(), first), body.twist.data(), first);
      put(asBefore ? Vec(Lane(0.5) * turning) : turnRate0, body.twist.row(3).data(), first);
    }
  }
  multipliers_ = state.multipliers.replicate(1, most);
  if (goesOn)
    stages::multiply(lastLength_ / h, keptMultipliers_.data(), mechanism_.rows(), goOn, stages_, multipliers_.data());
}

/// From a shorter step to one that is longer by this, with its velocities.
void GaussEngine::stretch(double ratio) {
  for (BodyStages& body : bodies_) body.displacement *= ratio;
}

StepReport GaussEngine::iterate(const MechanismState& state, double h, double most) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), slow = 0.25, far = 0.1;
  constexpr double stagnation = 1e-13, coarseStagnation = 1e-10;
  constexpr double slowest = 0.3;      // of corrections over two iterations by stages
  constexpr double worthModes = 0.15;  // what modes reach where the motion is stiff
  constexpr double nearlyRests = 1e4;  // of roundings: below such corrections the last digits matter
  constexpr double stiff = 4.0;        // steps ten times as short cost less than modes do
  constexpr int mostDoubts = 3, stiffSteps = 8;
  constexpr double tooLong = 1.5;
  const double settled = 0.015 * std::sqrt(most);  // a tenth of what the estimate then is the square of
  StepReport report;
  findClosing(state, h);
  double before = 0.0, earlier = 0.0, first = 0.0, rate = 1.0, roundOff = 0.0;
  bool formed = false, byModes = stiff_ > 0 || trees_.empty();
  if (stiff_ > 0) --stiff_;
  const bool mayMislead =
      std::isfinite(most) && known_ > 0;  // the past, in which case divergence does not tell stiffness
  if (!byModes)
    for (const int row : redundancy_.rows()) multipliers_.row(row).setZero();
  for (int doubts = 0; report.iterations < mostGaussIterations && doubts < mostDoubts;) {
    const bool shrinksSlowly = report.iterations > 1 && rate > slow;  // by roundings of a quick look, maybe
    const bool looksFine = byModes || shrinksSlowly || before * rate < nearlyRests * roundOff;
    evaluate(state, h, looksFine ? Look::fine : Look::quick);
    if (!formed) {
      if (!byModes && !formStages()) byModes = true;  // what no inertia resists, springs may
      if (byModes) formModes(state, h);
      report.factorisations += byModes ? static_cast<int>(modes_.size()) : stages_;
      formed = true;
    }
    byModes ? solveModes() : solveStages(h);
    const double now = takeChanges(h, byModes);
    ++report.iterations;
    report.residual = now;
    if (!std::isfinite(now)) {
      if (!byModes && !mayMislead) stiff_ = stiffSteps;  // the next attempt is by modes
      return report;
    }
    // the estimate is settled long before the stages are; what is far too long is not worth the rest
    if (now < settled && before >= settled && estimate(bodies_, h) > tooLong * most) {
      report.converged = true;
      return report;
    }
    // the rate that the last corrections show; none of them may make it look much better by chance
    if (before > 0.0) rate = std::max(now / before, 0.25 * rate);
    if (report.iterations <= 3) roundOff = epsilon * std::max(1e-6, largestIncrement(h));
    const bool rests =
        now == 0.0 ||
        (looksFine &&
         (now <= roundOff || now * rate <= 0.5 * roundOff ||
          (report.iterations > 2 && ((now < stagnation && now > 0.5 * before) ||
                                     (now < coarseStagnation && now > 0.95 * std::max(before, earlier))))));
    if (byModes) {
      if (before > 0.0 ? now > slow * before : now > far) formed = false;
    } else if (!rests && report.iterations > 2 && now > slowest * earlier) {
      const double contraction = std::sqrt(now / earlier);
      if (std::isfinite(most) && (contraction < stiff || mayMislead)) {
        if (contraction < stiff) report.contraction = contraction;
        return report;
      }
      byModes = true;
      formed = false;
      stiff_ = stiffSteps;
    }
    earlier = before;
    before = now;
    if (report.iterations == 1) first = now;
    if (!rests) continue;
    for (const Mode& mode : modes_)
      if (byModes && mode.system.deficientNode() >= 0)
        throwUnresisted(mechanism_, mode.system.deficientNode(), state.time);
    report.converged = vouches(state, h, report);
    if (report.converged) {
      if (report.iterations > 2) report.contraction = std::pow(now / first, 1.0 / (report.iterations - 1));
      if (byModes && !trees_.empty() && report.contraction > worthModes) {  // not stiff, but a long step
        stiff_ = 0;
        report.contraction = 1.0;
      }
      break;
    }
    if (!rankIsKnown_)
      for (Mode& mode : modes_) mode.system.border().freeRanks();
    formed = false;
    byModes = true;
    ++doubts;
  }
  return report;
}

/// Looks at the equations where the iteration came to rest, all of them, and at where the step ends.
bool GaussEngine::vouches(const MechanismState& state, double h, StepReport& report) {
  constexpr double balanced = 1e-7, orthonormal = 1e-12;
  constexpr double roundings = 1e3 * std::numeric_limits<double>::epsilon();
  evaluate(state, h, Look::close);
  for (std::size_t b = 0; b < bodies_.size(); ++b) noteBody(b, h);
  findEnd(state, h);
  noteGaps(state.time + h);
  const double unbalanced = balanced * left_.force + roundings * left_.torque / size_;
  const double unbalancedTurning = balanced * left_.torque + roundings * left_.force * size_;
  bool good = left_.gap <= 1.0 && multipliers_.allFinite();
  report.openJoint = left_.gap <= 1.0 || left_.joint < 0
                         ? std::string_view()
                         : std::string_view(mechanism_.joints()[static_cast<std::size_t>(left_.joint)].name);
  report.gap = left_.opening;
  for (std::size_t b = 0; b < bodies_.size() && good; ++b) {
    const Matrix3& D = end_[b].at.D;
    good = (D.transpose() * D - Matrix3::Identity()).norm() <= orthonormal;
    for (int i = 0; i < stages_ && good; ++i) {
      const auto rest = residuals_.col(i).segment<6>(6 * static_cast<int>(b));
      good = rest.head<3>().norm() <= unbalanced && rest.tail<3>().norm() <= unbalancedTurning;
    }
    if (!good) report.body = mechanism_.bodies()[b].name;
  }
  const int turned = good ? drivenAngles_.turnedOver(state.time + h, [&](int b) { return motionOf(end_, b).at; }) : -1;
  if (turned >= 0) {
    report.openJoint = mechanism_.joints()[static_cast<std::size_t>(turned)].name;
    report.gap = std::numbers::pi;
    good = false;
  }
  report.doubtful = !good;
  return good;
}

double GaussEngine::largestIncrement(double h) const {
  using namespace stages;
  Lane moves = 0.0, turns = 0.0;  // squared rates
  for (const BodyStages& body : bodies_)
    for (int first = 0; first < filled(stages_); first += lanes) {
      const Vec v = vectorAt(body.twist.data(), first), omega = vectorAt(body.twist.row(3).data(), first);
      moves = largestOrNaN(moves, v.dot(v));
      turns = largestOrNaN(turns, omega.dot(omega));
    }
  return largestOverStep(moves, turns, h);
}

void GaussEngine::finish(MechanismState& state, double h) {
  state.work += work_ + workOfDrives(state, h);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    MovingPlacement& motion = state.bodies[b];
    const BodyStages& body = bodies_[b];
    const Twelve moved = h * sumOf(body.rate, sum_), faster = sumOf(body.slope, sum_);
    motion.rate.v += faster.head<3>();
    motion.rate.W += Eigen::Map<const Matrix3>(faster.data() + 3);
    addKeepingDigits(motion.at.x, Vector3(moved.head<3>()), state.lost[b].x);
    addKeepingDigits(motion.at.D,
                     Matrix3(Eigen::Map<const Matrix3>(moved.data() + 3) + towardsOrthonormal(end_[b].at.D)),
                     state.lost[b].D);
  }
  state.multipliers = multipliers_ * sum_;
  state.time += h;

  kept_.swap(bodies_);
  keptMultipliers_ = multipliers_;
  lastLength_ = h;
  known_ = taken;
}

void GaussEngine::within(double theta, std::span<MovingPlacement> bodies) const {
  const GaussCoefficients::Weights weights = coefficients_.polynomialAt(theta).cwiseProduct(b_);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Twelve moved = lastLength_ * sumOf(kept_[b].rate, weights), faster = sumOf(kept_[b].slope, weights);
    bodies[b].at.x += moved.head<3>();
    bodies[b].at.D += Eigen::Map<const Matrix3>(moved.data() + 3);
    bodies[b].rate.v += faster.head<3>();
    bodies[b].rate.W += Eigen::Map<const Matrix3>(faster.data() + 3);
  }
}

double GaussEngine::estimate(const std::vector<BodyStages>& bodies, double h) const {
  constexpr double share = 0.15;
  double largest = 0.0;
  for (const BodyStages& body : bodies) {
    const Twelve last = h * sumOf(body.rate, last_);
    largest = largestOrNaN({largest, last.head<3>().norm() / size_, last.tail<9>().norm() / std::sqrt(2.0)});
  }
  return largest * largest / (share * share);
}

}  // namespace polhode
