#include "integrate/mechanism/gauss_engine.h"

#include "integrate/archive.h"
#include "integrate/mechanism/contraction.h"
#include "math/largest.h"
#include "math/rotation_maps.h"
#include "system/redundancy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr int mostGaussIterations = 40;

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
      b_(coefficients_.b()),
      throughA_(StageSquare::Zero()),
      throughInverse_(StageSquare::Zero()),
      loads_(mechanism.bodies().size()),
      bodies_(mechanism.bodies().size()),
      multipliers_(MatrixX::Zero(mechanism.rows(), stages)),
      residuals_(MatrixX::Zero(firstMultiplier() + mechanism.rows(), stages)),
      changes_(residuals_),
      turns_(MatrixX::Zero(3 * static_cast<int>(bodies_.size()), stages)),
      closing_(VectorX::Zero(mechanism.rows())),
      motion_(static_cast<std::size_t>(stages), initialMotion(mechanism)),
      start_(motion_.front()),
      middle_(start_),
      end_(start_),
      meanMultipliers_(static_cast<std::size_t>(mechanism.rows()), 0.0),
      kept_(bodies_),
      keptMultipliers_(multipliers_) {
  for (GaussMode& mode : gaussModes(coefficients_))
    modes_.push_back({std::move(mode), treeSystem<Complex>(mechanism, nodeOf_, border_)});
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Long A = coefficients_.m().topLeftCorner(stages, stages).cast<long double>() *
                 b_.head(stages).cast<long double>().asDiagonal();
  throughA_.topLeftCorner(stages, stages) = A.transpose().cast<double>();
  throughInverse_.topLeftCorner(stages, stages) = A.inverse().transpose().cast<double>();
  limitBorderRanks();
}

/// As GeneralEngine does it: which rows repeat others is known at the start, and between iterations they need not.
void GaussEngine::limitBorderRanks() {
  if (mechanism_.topology().cutJoints.empty()) return;
  constexpr double closed = 1e-10, worse = 100.0;
  const Redundancy redundancy(mechanism_);
  int cutRows = 0;
  for (const int j : mechanism_.topology().cutJoints)
    cutRows += mechanism_.joints()[static_cast<std::size_t>(j)].rows();
  if (!redundancy.rows().empty()) looseness_ = closed + worse * redundancy.largestRounding();
  rankIsKnown_ = modes_.front().system.border().pattern().nodes() == 1;
  if (!rankIsKnown_) {
    MechanismState start = startOf(mechanism_);
    start.lost.resize(bodies_.size());
    predict(start, 1e-3);
    findClosing(start, 1e-3);
    evaluate(start, 1e-3);
    formMatrices(start, 1e-3);
  }
  for (Mode& mode : modes_) {
    LoopBorderOf<Complex>& border = mode.system.border();
    rankIsKnown_ ? border.limitRank(border.size() - cutRows + redundancy.rank()) : border.limitRanks();
  }
}

void GaussEngine::persist(Archive& archive) {
  archive.section("gauss engine");
  archive(loads_, known_, lastLength_);
  for (Mode& mode : modes_) archive(mode.system.border());
  for (BodyStages& body : kept_) archive.plain(body);
  archive(keptMultipliers_);
}

StepReport GaussEngine::step(MechanismState& state, double h) {
  state.lost.resize(state.bodies.size());
  Contraction unused;
  const StepReport report = iterateFromPast(
      h, known_, unused, [&](double length) { predict(state, length); },
      [&](double length) { return iterate(state, length); }, [&](double ratio) { stretch(ratio); });
  if (report.converged) finish(state, h);
  return report;
}

/// The stages on the polynomials of the last step, continued; or at the velocities of the start.
void GaussEngine::predict(const MechanismState& state, double h) {
  const bool goesOn = known_ > 0 && h * lastLength_ > 0.0;
  StageSquare goOn = StageSquare::Zero();  // from slopes in columns
  if (goesOn) {
    goOn = coefficients_.continuation(h / lastLength_).transpose();
    goOn = (b_.asDiagonal() * goOn * b_.cwiseInverse().asDiagonal()).eval();
  }
  const auto square = goOn.topLeftCorner(stages_, stages_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    BodyStages& body = bodies_[b];
    const MovingPlacement& at = state.bodies[b];
    const bool asBefore = goesOn && !turnsFreely(mechanism_.bodies()[b]);
    body.slope.setZero();
    if (asBefore) body.slope.leftCols(stages_) = kept_[b].slope.leftCols(stages_).lazyProduct(square);
    body.rate.leftCols(stages_) = body.slope.leftCols(stages_).lazyProduct(throughA_.topLeftCorner(stages_, stages_));
    for (int i = 0; i < stages_; ++i) {
      body.rate.col(i).head<3>() += at.rate.v;
      Eigen::Map<Matrix3>(body.rate.col(i).data() + 3) += at.rate.W;
    }
    body.displacement.leftCols(stages_) =
        h * body.rate.leftCols(stages_).lazyProduct(throughA_.topLeftCorner(stages_, stages_));
    for (int i = 0; i < stages_; ++i) {
      Vector3 turning = Vector3::Zero();
      for (int k = 0; k < 3; ++k)
        turning += 0.5 * Vector3(at.at.D.col(k) + body.displacement.col(i).segment<3>(3 + 3 * k))
                             .cross(body.rate.col(i).segment<3>(3 + 3 * k));
      body.twist.col(i) << body.rate.col(i).head<3>(), asBefore ? turning : turnRate(at);
    }
  }
  if (goesOn)
    multipliers_ = keptMultipliers_ * square * (lastLength_ / h);
  else
    multipliers_ = state.multipliers.replicate(1, stages_);
}

/// From a shorter step to one that is longer by this: velocities change by so much more.
void GaussEngine::stretch(double ratio) {
  for (BodyStages& body : bodies_) {
    body.slope *= ratio;
    body.displacement *= ratio;
  }
}

StepReport GaussEngine::iterate(const MechanismState& state, double h) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), slow = 0.25, far = 0.1;
  constexpr double stagnation = 1e-13, coarseStagnation = 1e-10;
  constexpr int mostDoubts = 3;
  StepReport report;
  findClosing(state, h);
  double before = 0.0, rate = 1.0;
  bool formed = false;
  for (int doubts = 0; report.iterations < mostGaussIterations && doubts < mostDoubts;) {
    evaluate(state, h);
    if (!formed) {
      formMatrices(state, h);
      report.factorisations += static_cast<int>(modes_.size());
      formed = true;
    }
    const double now = correct(h);
    ++report.iterations;
    report.residual = now;
    if (!std::isfinite(now)) return report;
    // the rate that the last corrections show; none of them may make it look much better by chance
    if (before > 0.0) rate = std::max(now / before, 0.25 * rate);
    const double roundOff = epsilon * std::max(1e-6, largestIncrement(h));
    const bool rests = now <= roundOff || now * rate <= 0.5 * roundOff ||
                       (report.iterations > 2 &&
                        ((now < stagnation && now > 0.5 * before) || (now < coarseStagnation && now > 0.95 * before)));
    if (before > 0.0 ? now > slow * before : now > far) formed = false;
    before = now;
    if (!rests) continue;
    for (const Mode& mode : modes_)
      if (mode.system.deficientNode() >= 0) throwUnresisted(mechanism_, mode.system.deficientNode(), state.time);
    report.converged = vouches(state, h, report);
    if (report.converged) break;
    if (!rankIsKnown_)
      for (Mode& mode : modes_) mode.system.border().freeRanks();
    formed = false;
    ++doubts;
  }
  return report;
}

/// Looks at the equations where the iteration came to rest, all of them, and at where the step ends.
bool GaussEngine::vouches(const MechanismState& state, double h, StepReport& report) {
  constexpr double balanced = 1e-7, orthonormal = 1e-12;
  constexpr double roundings = 1e3 * std::numeric_limits<double>::epsilon();
  evaluate(state, h);
  noteGaps(state);
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
  report.doubtful = !good;
  return good;
}

double GaussEngine::largestIncrement(double h) const {
  double largest = 0.0;
  for (const BodyStages& body : bodies_)
    for (int i = 0; i < stages_; ++i)
      largest = std::max({largest, std::abs(h) * body.twist.col(i).head<3>().norm() / size_,
                          std::abs(h) * body.twist.col(i).tail<3>().norm()});
  return largest;
}

/// One correction of all stages; how large the largest was over the step, as an angle or relative to the mechanism's size.
double GaussEngine::correct(double h) {
  changes_.setZero();
  turns_.setZero();
  for (Mode& mode : modes_) {
    TreeSystemOf<Complex>& system = mode.system;
    system.clearRight();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      Vector6 real = Vector6::Zero(), imaginary = real;
      for (int i = 0; i < stages_; ++i) {
        const auto left = residuals_.col(i).segment<6>(6 * static_cast<int>(b));
        real -= mode.row[i].real() * left;
        imaginary -= mode.row[i].imag() * left;
      }
      auto& f = nodeOf(mode, static_cast<int>(b)).f;
      f.real() = real;
      f.imag() = imaginary;
    }
    const auto share = [&](const MatrixX& stages, Eigen::Index row) {
      Complex sum = 0.0;
      for (int i = 0; i < stages_; ++i) sum += mode.row[i] * stages(row, i);
      return sum;
    };
    for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
      const MechanismJoint& joint = mechanism_.joints()[j];
      const int child = border_.childOf(mechanism_, j);
      for (int row = 0; row < joint.rows(); ++row) {
        const Complex right = -share(residuals_, firstMultiplier() + joint.firstRow + row);
        if (child >= 0) {
          nodeOf(mode, child).g[row] = right;
          continue;
        }
        const int unknown = system.firstUnknown(border_.ofJoint[j]) + row;
        system.border().right(unknown) = right;
        system.border().present(unknown) = share(multipliers_, joint.firstRow + row);
      }
    }
    system.solve();

    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const auto& y = nodeOf(mode, static_cast<int>(b)).z;
      const Eigen::Matrix<Complex, 3, 1> turn = y.tail<3>() / mode.p;
      const Vector6 real = mode.share * y.real(), imaginary = mode.share * y.imag();
      const Vector3 turnReal = mode.share * turn.real(), turnImaginary = mode.share * turn.imag();
      for (int i = 0; i < stages_; ++i) {
        const double c = mode.column[i].real(), s = mode.column[i].imag();
        changes_.col(i).segment<6>(6 * static_cast<int>(b)) += c * real - s * imaginary;
        turns_.col(i).segment<3>(3 * static_cast<int>(b)) += c * turnReal - s * turnImaginary;
      }
    }
    for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
      const MechanismJoint& joint = mechanism_.joints()[j];
      const int child = border_.childOf(mechanism_, j);
      for (int row = 0; row < joint.rows(); ++row) {
        const Complex value =
            mode.share * (child >= 0 ? nodeOf(mode, child).l[row]
                                     : system.border().solution(system.firstUnknown(border_.ofJoint[j]) + row));
        for (int i = 0; i < stages_; ++i)
          changes_(firstMultiplier() + joint.firstRow + row, i) +=
              mode.column[i].real() * value.real() - mode.column[i].imag() * value.imag();
      }
    }
  }

  double largest = 0.0;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (int i = 0; i < stages_; ++i) {
      const Matrix3& D = motion_[static_cast<std::size_t>(i)][b].at.D;
      const auto change = changes_.col(i).segment<6>(6 * static_cast<int>(b));
      const Vector3 turn = D * turns_.col(i).segment<3>(3 * static_cast<int>(b));
      bodies_[b].twist.col(i).head<3>() += change.head<3>();
      bodies_[b].twist.col(i).tail<3>() += D * change.tail<3>();
      auto displacement = bodies_[b].displacement.col(i);
      for (int k = 0; k < 3; ++k) displacement.segment<3>(3 + 3 * k) += turn.cross(D.col(k));
      largest =
          largestOrNaN({largest, std::abs(h) * change.head<3>().norm() / size_, std::abs(h) * change.tail<3>().norm()});
    }
  multipliers_ += changes_.bottomRows(multipliers_.rows());
  return largest;
}

void GaussEngine::finish(MechanismState& state, double h) {
  state.work += work_;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    MovingPlacement& motion = state.bodies[b];
    const BodyStages& body = bodies_[b];
    const Eigen::Matrix<double, 12, 1> moved = h * (body.rate.leftCols(stages_) * b_.head(stages_)),
                                       faster = body.slope.leftCols(stages_) * b_.head(stages_);
    motion.rate.v += faster.head<3>();
    motion.rate.W += Eigen::Map<const Matrix3>(faster.data() + 3);
    addKeepingDigits(motion.at.x, Vector3(moved.head<3>()), state.lost[b].x);
    addKeepingDigits(motion.at.D,
                     Matrix3(Eigen::Map<const Matrix3>(moved.data() + 3) + towardsOrthonormal(end_[b].at.D)),
                     state.lost[b].D);
  }
  state.multipliers = multipliers_ * b_.head(stages_);
  state.time += h;

  kept_.swap(bodies_);
  keptMultipliers_ = multipliers_;
  lastLength_ = h;
  known_ = 1;
}

void GaussEngine::within(double theta, std::span<MovingPlacement> bodies) const {
  const GaussCoefficients::Weights weights = coefficients_.polynomialAt(theta).cwiseProduct(b_);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Eigen::Matrix<double, 12, 1> moved = lastLength_ * (kept_[b].rate.leftCols(stages_) * weights.head(stages_)),
                                       faster = kept_[b].slope.leftCols(stages_) * weights.head(stages_);
    bodies[b].at.x += moved.head<3>();
    bodies[b].at.D += Eigen::Map<const Matrix3>(moved.data() + 3);
    bodies[b].rate.v += faster.head<3>();
    bodies[b].rate.W += Eigen::Map<const Matrix3>(faster.data() + 3);
  }
}

double GaussEngine::estimate() const {
  constexpr double share = 0.15;
  const GaussCoefficients::Weights weights = coefficients_.lastCoefficient().cwiseProduct(b_);
  double largest = 0.0;
  for (const BodyStages& body : kept_) {
    const Eigen::Matrix<double, 12, 1> last = lastLength_ * (body.rate.leftCols(stages_) * weights.head(stages_));
    largest = largestOrNaN({largest, last.head<3>().norm() / size_, last.tail<9>().norm() / std::sqrt(2.0)});
  }
  return largest * largest / (share * share);
}

}  // namespace polhode
