#include "integrate/mechanism/lane_trees.h"

#include "integrate/mechanism/contraction.h"
#include "integrate/mechanism/mechanism_stepper.h"
#include "integrate/mechanism/tree_parts.h"
#include "math/fused_lanes.h"
#include "polhode/error.h"

#include <array>
#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr int mostLaneIterations = 12;

/// How the turns of a step follow from those of so many steps before it, newest first: constant, linear, up to cubic.
constexpr int pastTurns = 4;
constexpr double turnWeights[pastTurns + 1][pastTurns] = {
    {0, 0, 0, 0}, {1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};

/// Every number of all members, one a lane; the last member fills lanes that are left.
template <int W>
TreeParts<FusedLanes<W>> partsInLanes(const std::vector<std::shared_ptr<const Mechanism>>& members) {
  std::vector<std::vector<double>> numbers;
  for (const auto& member : members) numbers.push_back(numbersOf(treeParts(*member)));
  return partsWith<FusedLanes<W>>(treeParts(*members.front()), [&](std::size_t k) {
    FusedLanes<W> lanes(0.0);
    for (std::size_t lane = 0; lane < W; ++lane) lanes.numbers[lane] = numbers[std::min(lane, numbers.size() - 1)][k];
    return lanes;
  });
}

template <int W>
class TreesInLanes final : public LaneTrees {
 public:
  using Lane = FusedLanes<W>;
  using Kernel = TreeKernel<Lane>;
  using Vec = Vector<Lane, 3>;

  TreesInLanes(std::vector<std::shared_ptr<const Mechanism>> members, double h, TreeParts<Lane> parts)
      : LaneTrees(std::move(members), h), kernel_(parts.kernel()), bodies_(std::move(parts.bodies)) {
    for (auto& turns : past_) turns.assign(bodies_.size(), Vec::Zero());
  }

  void step(double length) override {
    if (length != last_) known_ = 0;
    last_ = length;
    predict(length);
    std::array<bool, W> converged = iterate(length);
    std::vector<std::pair<std::size_t, MechanismMotion>> left;
    for (std::size_t m = 0; m < members_.size(); ++m)
      if (!converged[m] || !failures_[m].empty()) left.emplace_back(m, motion(m));

    for (int k = pastTurns - 1; k > 0; --k) past_[k].swap(past_[k - 1]);
    known_ = std::min(known_ + 1, pastTurns);
    for (std::size_t i = 0; i < kernel_.size(); ++i) past_[0][i] = kernel_.turn(i);
    kernel_.finish(bodies_, length);
    for (auto& [member, before] : left) stepAlone(member, std::move(before), length);
    passed(length);
  }

  using LaneTrees::motion;
  void motion(std::size_t member, MechanismMotion& bodies) const override {
    const int lane = static_cast<int>(member);
    bodies.resize(bodies_.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto& from = bodies_[b];
      for (int i = 0; i < 3; ++i) {
        bodies[b].at.x[i] = from.at.x[i][lane];
        bodies[b].rate.v[i] = from.rate.v[i][lane];
        for (int j = 0; j < 3; ++j) {
          bodies[b].at.D(i, j) = from.at.D(i, j)[lane];
          bodies[b].rate.W(i, j) = from.rate.W(i, j)[lane];
        }
      }
    }
  }

  /// What is predicted of the next steps begins with the rates that it has there.
  void place(std::size_t member, const MechanismMotion& bodies) override {
    put(member, bodies);
    failures_[member].clear();
    contractions_[member].forget();
    const int lane = static_cast<int>(member);
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      const Vector3 turn = last_ * turnRate(bodies[static_cast<std::size_t>(kernel_.link(i).body)]);
      for (auto& turns : past_)
        for (int k = 0; k < 3; ++k) turns[i][k].numbers[lane] = turn[k];
    }
  }

  void setLoad(std::size_t member, std::size_t body, const Vector3& force, const Vector3& torque) override {
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      if (kernel_.link(i).body != static_cast<int>(body)) continue;
      for (int k = 0; k < 3; ++k) {
        kernel_.load(i).force[k].numbers[static_cast<int>(member)] = force[k];
        kernel_.load(i).torque[k].numbers[static_cast<int>(member)] = torque[k];
      }
    }
  }

 private:
  void put(std::size_t member, const MechanismMotion& bodies) {
    const int lane = static_cast<int>(member);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      auto& to = bodies_[b];
      for (int i = 0; i < 3; ++i) {
        to.at.x[i].numbers[lane] = bodies[b].at.x[i];
        to.rate.v[i].numbers[lane] = bodies[b].rate.v[i];
        for (int j = 0; j < 3; ++j) {
          to.at.D(i, j).numbers[lane] = bodies[b].at.D(i, j);
          to.rate.W(i, j).numbers[lane] = bodies[b].rate.W(i, j);
        }
      }
    }
  }

  /// Extrapolates the turns of the last steps, up to cubically; from rates in the first.
  void predict(double h) {
    const double* w = turnWeights[known_];
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      Vec& turn = kernel_.turn(i);
      turn.setZero();
      if (known_ == 0) {
        const auto& body = bodies_[static_cast<std::size_t>(kernel_.link(i).body)];
        for (int d = 0; d < 3; ++d) turn += 0.5 * h * Vec(body.at.D.col(d)).cross(Vec(body.rate.W.col(d)));
      }
      for (int k = 0; k < known_; ++k) turn += w[k] * past_[k][i];
    }
    kernel_.begin(bodies_);
  }

  /// Newton's method with the matrix of its first iteration, until every member has converged or given up.
  std::array<bool, W> iterate(double h) {
    constexpr double roundOff = std::numeric_limits<double>::epsilon(), stagnation = 1e-13;
    std::array<bool, W> converged{};
    std::array<double, W> before{};
    Lane share(1.0);  // one for members that are still iterated, zero for those that wait
    int moving = W;
    for (int iteration = 0; moving > 0 && iteration < mostLaneIterations; ++iteration) {
      if (iteration == 0)
        kernel_.template inward<Kernel::Matrix::made>(bodies_, h);
      else
        kernel_.template inward<Kernel::Matrix::kept>(bodies_, h);
      const typename Kernel::Correction largest =
          kernel_.correct(bodies_, [&](const Vec& change) { return Vec(select(share, change)); });
      for (std::size_t lane = 0; lane < W; ++lane) {
        if (share[static_cast<int>(lane)] == 0.0) continue;
        const double now = std::sqrt(largest.change[static_cast<int>(lane)]);
        const double turn = std::sqrt(largest.turn[static_cast<int>(lane)]);
        const double target = roundOff * std::max(turn, 1e-6);
        const bool rests = std::isfinite(now) && (contractions_[lane].suffices(now, before[lane], target) ||
                                                  (before[lane] > 0.0 && now < stagnation && now > 0.5 * before[lane]));
        before[lane] = now;
        if (std::isfinite(now) && !rests) continue;
        converged[lane] = rests;
        share.numbers[lane] = 0.0;
        --moving;
      }
    }
    closeHinges(converged);
    for (std::size_t lane = 0; lane < W; ++lane)
      if (!converged[lane]) contractions_[lane].forget();
    return converged;
  }

  /// Members that wait do not move, whatever their correction says (not a number, where they have given up).
  static Vec select(const Lane& share, const Vec& change) {
    Vec taken;
    for (int k = 0; k < 3; ++k) taken[k].numbers = share.numbers != 0.0 ? change[k].numbers : typename Lane::Numbers{};
    return taken;
  }

  /// A member whose hinges are not closed has not converged.
  void closeHinges(std::array<bool, W>& converged) const {
    constexpr double closed = 1e-11;
    if (!kernel_.hasHinges()) return;
    Lane widest(0.0);
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      if (!kernel_.link(i).isHinge) continue;
      const auto [first, second] = kernel_.hingeGap(i);
      widest = largestOrNaN(widest, largestOrNaN(abs(first), abs(second)));
    }
    for (std::size_t lane = 0; lane < W; ++lane)
      converged[lane] = converged[lane] && widest[static_cast<int>(lane)] <= closed;
  }

  /// A step of one member from where it was, in place of what the lanes made of it.
  void stepAlone(std::size_t member, MechanismMotion before, double h) {
    const Mechanism& mechanism = *members_[member];
    MechanismMotion after = before;
    if (failures_[member].empty()) {
      try {
        const double end = time() + h;
        const auto stepper = makeMechanismStepper("director-em", mechanism, end, h, 1e-9, std::nullopt);
        stepper->goOnFrom(time(), before);
        for (std::size_t i = 0; i < kernel_.size(); ++i) {
          const auto b = static_cast<std::size_t>(kernel_.link(i).body);
          Vector3 force, torque;
          for (int k = 0; k < 3; ++k) {
            force[k] = kernel_.load(i).force[k][static_cast<int>(member)];
            torque[k] = kernel_.load(i).torque[k][static_cast<int>(member)];
          }
          stepper->setLoad(b, BodyLoad(mechanism.bodies()[b], Vector3::Zero(), force, torque));
        }
        while (stepper->time() < end) stepper->step();
        after = MechanismStepper::motionFrom(stepper->state());
      } catch (const SimulationError& error) {
        failures_[member] = error.what();
      }
    }
    put(member, after);
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      const auto b = static_cast<std::size_t>(kernel_.link(i).body);
      const Matrix3 turned = after[b].at.D * before[b].at.D.transpose();
      const Vector3 c = 2.0 / (1.0 + turned.trace()) *
                        Vector3(turned(2, 1) - turned(1, 2), turned(0, 2) - turned(2, 0), turned(1, 0) - turned(0, 1));
      for (int k = 0; k < 3; ++k) past_[0][i][k].numbers[static_cast<int>(member)] = c[k];
    }
  }

  Kernel kernel_;
  std::vector<typename Kernel::Motion> bodies_;
  std::array<std::vector<Vec>, pastTurns> past_;
  int known_ = 0;
  double last_ = 0.0;  // length of the last step
  std::array<Contraction, W> contractions_;
};

template <int W>
std::unique_ptr<LaneTrees> inLanes(std::vector<std::shared_ptr<const Mechanism>> members, double h) {
  TreeParts<FusedLanes<W>> parts = partsInLanes<W>(members);
  return std::make_unique<TreesInLanes<W>>(std::move(members), h, std::move(parts));
}

}  // namespace

bool LaneTrees::fit(const Mechanism& first, const Mechanism& other) {
  const Topology &a = first.topology(), &b = other.topology();
  if (!isTreeOfBallsAndHinges(first) || !isTreeOfBallsAndHinges(other) || a.order != b.order || a.parent != b.parent)
    return false;
  for (std::size_t j = 0; j < first.joints().size(); ++j) {
    const MechanismJoint &one = first.joints()[j], &two = other.joints()[j];
    if (one.type != two.type || one.first != two.first || one.second != two.second) return false;
  }
  return true;
}

int LaneTrees::usualWidth() {
  return lanesOfRegister;
}

std::unique_ptr<LaneTrees> LaneTrees::make(std::vector<std::shared_ptr<const Mechanism>> members, double h, int width) {
  switch (width) {
    case 1:
      return inLanes<1>(std::move(members), h);
    case 2:
      return inLanes<2>(std::move(members), h);
    case 4:
      return inLanes<4>(std::move(members), h);
    default:
      return inLanes<8>(std::move(members), h);
  }
}

}  // namespace polhode
