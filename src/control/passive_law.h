#pragma once

#include "control/control_law.h"
#include "control/stillness.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>

/// A law that gives a mechanism no more energy than somebody who stretches a spring between the body and the hand, whatever
/// the law inside asks for, and that calms what it holds. A law that cancels what the rest of a mechanism does can, wherever
/// its forecast is not exact, feed a chain that whips about for ever.
///
/// With d the distance of the point from the hand (its anchor, stillness.h), W the mobility of the point, w a third of its
/// trace, T a time constant and F the largest force, the spring that is meant stores
///
///     U(d) = d^2/(2 w T^2)   up to the tension F, and with that tension from there on,
///
/// and it is hung up so that it bears what the point has to bear, H = |W^+ freeAcceleration|, at most F. The hand carries a
/// store S of energy:
///
///     S += U(d after) - U(d before)    where the hand moves, if that is more than nothing,
///     S += (H + U'(d)/4) dn            where the point comes nearer by dn than ever since the hand was there, at most F dn,
///     S -= work                        of the force, as the engine has it in its own balance (hasWorked),
///     S <= U(d) + H (d - nearest)      what is beyond is lost,
///
/// and a hand that is still forgets S, what is above H (d - nearest) fourfold. The force f does the work h f.(u + s h W f) in a
/// step, u = v + s h freeAcceleration. Where that would be more than there is, the hand brakes,
///
///     f' = (I + h b W)^-1 (f - b (v + h freeAcceleration))    with the least b > 0 that is enough:
///
/// for large b the force at which the point rests at the end of the step. Where not even that is enough, as it owes energy, it
/// goes on from there towards the force that takes the most, -W^+ u/(2 s h). What holds without moving stays as it is.
///
/// So from the moment on at which a hand holds still, its force gives in all no more than
///
///     U(d) + F d    with the d of that moment,
///
/// however long it waits and whatever swings meanwhile; where d = 0, nothing. Only what an engine does otherwise than it
/// told the law is found out afterwards, and paid back first.
///
/// Calm comes from three more things. To what the law asks for, a hand that is still adds a damper at the point, with the
/// principal values b of W,
///
///     f' = (I + h B W)^-1 (f - B (v + h freeAcceleration)),    B = 2/(T max(b, w)),
///
/// the critical one for the spring that is meant: a law that is a spring without a damper would swing on, for ever where an
/// actuator of the model drives what is held. The hand also slows all bodies of the mechanism at the rate `steadying`
/// (SteeredMechanism), since a point that is held does not calm what swings beside it. And where the point cannot follow, for
/// want of force or of energy, it gives in: the law is led to where the point is, with the time `yielding`.
///
/// So a point that has swung past the hand may come to rest far from it. When all has had five seconds to calm down, it is
/// fetched so slowly that what has to move with it, way.W^+ way, has a small share of what the pull gave as kinetic energy, and
/// more slowly where this grows. What it costs comes out of what was lost or forgotten of S and of what the slowing has taken
/// from the mechanism, since the hand is still: a hundredth at once, and as above for coming nearer than where it rested. It is
/// fetched again only where it then rests nearer by a tenth. The promise stays, with the work of the slowing counted as the
/// hand's.
///
/// What is led may be an orientation as well: d is the angle of the turn between body and hand then, F the largest torque, and w
/// the middle one of the principal mobilities, since a slim rod spins about itself a thousand times as easily as otherwise.
///
/// Reference: Hannaford & Ryu 2002, Time-domain passivity control of haptic interfaces.
namespace polhode {

struct PassiveSettings {
  double timeConstant = 0.03;   // T, in seconds
  double largestForce = 100.0;  // F, in newtons, or newton metres
  double workShare = 1.0;       // s: 1 where work is that with the velocity at the step's end, 1/2 with the mean one
  double stillWithin = 0.0;     // how far a hand trembles, in metres or radians
  int directions = 3;           // in which what is held moves: a point in three, a coordinate in one
  double steadying = 0.0;       // by which a hand that is still slows all bodies, 1/s
};

/// w above. Directions in which joints do not let the body turn do not count.
template <class Motion>
double usualMobility(const Matrix3& mobility, int directions) {
  if constexpr (std::is_same_v<Motion, Translation>) {
    return mobility.trace() / directions;
  } else {
    const Vector3 principal = Eigen::SelfAdjointEigenSolver<Matrix3>(mobility, Eigen::EigenvaluesOnly).eigenvalues();
    int held = 0;
    while (held < 2 && principal[held] <= 1e-9 * principal[2]) ++held;
    return principal[held == 0 ? 1 : held];
  }
}

template <class Motion>
class PassiveLaw final : public ControlLaw<Motion> {
 public:
  using Place = typename Motion::Place;

  PassiveLaw(std::unique_ptr<ControlLaw<Motion>> law, const PassiveSettings& settings)
      : law_(std::move(law)),
        settings_(settings),
        stillness_(settings.stillWithin, fading),
        rest_(settings.stillWithin, fading) {}

  void observe(const Sample<Motion>& sample) override {
    const std::optional<Place> before = moved_ ? std::optional(stillness_.anchor()) : std::nullopt;
    stillness_.observe(sample.time, sample.place);
    if (before && stillness_.anchor() != *before) beginAnew();
    last_ = sample;
    law_->observe({sample.time, Motion::moved(sample.place, yielded_), sample.velocity});
  }

  Steadying steadying(double time) const override {
    const double calm = stillness_.calm(time);
    return {settings_.steadying * calm, calm == 1.0};
  }

  void hasWorked(double work) override {
    store_ -= work;
    worked_ += work;
    given_ = std::max(given_, worked_);
  }
  void hasCalmed(double energy) override { spare_ += energy; }

  Vector3 force(const DrivenState<Motion>& state) override {
    fill(state);
    if (stillness_.calm(state.time) == 1.0) giveIn(state);
    const Vector3 asked = fetches_ ? fetchingForce(state) : damped(law_->force(state), state);
    Vector3 force = asked;
    // the less force, the less the point comes nearer, and the less is there: a few rounds
    for (int i = 0; i < 4; ++i) {
      const double before = force.squaredNorm();
      const double distance = apart(anchor_, Motion::moved(state.place, state.step * velocityUnder(force, state)));
      force = affordable(asked, store_ + payFor(distance) + fetchFor(distance), state);
      if (force.squaredNorm() == before) break;
    }
    if (fetches_) law_->hasPulledWith(force);
    isShort_ = force != asked || force.norm() > 0.99 * settings_.largestForce;
    return force;
  }

  void persist(Archive& archive) override { law_->persist(archive); }

 private:
  static constexpr double fading = 0.5;        // seconds until a hand counts as still
  static constexpr double yielding = 0.25;     // seconds
  static constexpr double calming = 5.0;       // seconds
  static constexpr double movingShare = 3e-5;  // of what the pull gave, as kinetic energy
  static constexpr double beginning = 1e-2;  // of what fetching costs, at once, since it may begin by sinking a little
  static constexpr double nearerBy = 0.9;    // from one rest to the next
  static constexpr double forgetting = 3.0;  // besides, of what is beyond H (d - nearest)
  static constexpr double shareOfTension = 0.25;  // paid for coming nearer, so that nothing stops halfway

  /// What the hand has done since the last step.
  void fill(const DrivenState<Motion>& state) {
    stiffness_ = 1.0 / (usualMobility<Motion>(state.mobility, settings_.directions) * square(settings_.timeConstant));
    bears_ = forceFor(state.freeAcceleration, state.mobility, settings_.largestForce).norm();
    const double distance = apart(stillness_.anchor(), state.place);
    if (!moved_) nearest_ = fetched_ = distance;
    const double fetch = fetchFor(distance);
    store_ += payFor(distance) + fetch;
    spare_ -= fetch;
    if (moved_) {
      const double moved = apart(stillness_.anchor(), anchor_);
      nearest_ = std::min(distance, nearest_ + moved);
      fetched_ = std::min(distance, fetched_ + moved);
      store_ += std::max(springEnergy(distance) - springEnergy(apart(anchor_, state.place)), 0.0);
    } else {
      store_ = springEnergy(distance);
      moved_ = true;
    }
    const bool isStill = anchor_ == stillness_.anchor();
    anchor_ = stillness_.anchor();
    const double toNearest = bears_ * (distance - fetched_);
    const double before = store_;
    store_ = std::min(store_, springEnergy(distance) + toNearest);
    const double slowed = std::min(1.0, steadying(state.time).rate * state.step);
    if (store_ > toNearest) store_ -= std::min(1.0, forgetting * slowed) * (store_ - toNearest);
    if (store_ > 0.0) store_ -= slowed * store_;
    if (isStill) spare_ += before - store_;
  }

  /// The hand has moved: what was found out about its last place is over.
  void beginAnew() {
    yielded_.setZero();
    fetched_ = nearest_;
    spare_ = 0.0;
    restedApart_ = std::numeric_limits<double>::infinity();
    fetches_ = false;
  }

  /// Where the point cannot come nearer, a hand that is still gives in; where it then rests, it is fetched.
  void giveIn(const DrivenState<Motion>& state) {
    rest_.observe(state.time, state.place);
    if (fetches_ && apart(anchor_, state.place) < settings_.stillWithin) {
      fetches_ = false;
      yielded_.setZero();
    } else {
      if (!isShort_ && yielded_.isZero()) return;
      const Vector3 away = Motion::difference(state.place, last_.place);
      if (stillness_.duration(state.time) > calming && rest_.calm(state.time) == 1.0) fetch(state);
      if (fetches_)
        yielded_ = away;
      else if (isShort_)
        yielded_ += std::min(1.0, state.step / yielding) * (away - yielded_);
    }
    law_->observe({std::max(state.time, last_.time), Motion::moved(last_.place, yielded_), last_.velocity});
  }

  void fetch(const DrivenState<Motion>& state) {
    const double distance = apart(anchor_, state.place);
    inertia_ = inertiaToHand(state);
    fetches_ = distance > settings_.stillWithin && distance < nearerBy * restedApart_ && inertia_ > 0.0;
    if (!fetches_) return;
    restedApart_ = fetched_ = distance;
    speed_ = std::max(std::sqrt(2.0 * movingShare * given_ / inertia_),
                      2.0 * settings_.stillWithin / fading);  // slower would count as rest
    const double begin = std::clamp(spare_, 0.0, beginning * (springEnergy(distance) + bears_ * distance));
    store_ += begin;
    spare_ -= begin;
    rest_ = {settings_.stillWithin, fading};
    rest_.observe(state.time, state.place);
  }

  /// By which the point goes towards the hand; more slowly where more has to move with it, as where a chain is stretched.
  Vector3 fetchingForce(const DrivenState<Motion>& state) const {
    const double speed = speed_ * std::sqrt(std::min(1.0, inertia_ / inertiaToHand(state)));
    const double within = std::max(settings_.timeConstant, 2.0 * state.step);
    return forceFor((speed * wayToHand(state) - state.velocity) / within - state.freeAcceleration, state.mobility,
                    settings_.largestForce);
  }

  Vector3 wayToHand(const DrivenState<Motion>& state) const {
    return Motion::difference(anchor_, state.place).normalized();
  }

  double inertiaToHand(const DrivenState<Motion>& state) const {
    const Vector3 way = wayToHand(state);
    return way.dot(forceFor(way, state.mobility));
  }

  /// What the law asks for, with the damper of a hand that is still.
  Vector3 damped(const Vector3& force, const DrivenState<Motion>& state) const {
    const double calm = stillness_.calm(state.time), h = state.step;
    const double usual = usualMobility<Motion>(state.mobility, settings_.directions);
    if (calm == 0.0 || !(usual > 0.0)) return force;
    const Eigen::SelfAdjointEigenSolver<Matrix3> principal(state.mobility);
    const Matrix3& axes = principal.eigenvectors();
    const Vector3 mobility = principal.eigenvalues().cwiseMax(0.0);
    const Vector3 damping = 2.0 * calm / settings_.timeConstant * mobility.cwiseMax(usual).cwiseInverse();
    const Vector3 end = moving(axes.transpose() * (state.velocity + h * state.freeAcceleration), mobility);
    const Vector3 found = (axes.transpose() * force - damping.cwiseProduct(end)).array() /
                          (1.0 + h * damping.cwiseProduct(mobility).array());
    return axes * found * std::min(1.0, settings_.largestForce / found.norm());
  }

  static double apart(const Place& a, const Place& b) { return Motion::difference(a, b).norm(); }

  double tension(double distance) const { return std::min(stiffness_ * distance, settings_.largestForce); }

  double springEnergy(double distance) const {
    return tension(distance) * (distance - 0.5 * tension(distance) / stiffness_);
  }

  double payPerLength(double distance) const {
    return std::min(bears_ + shareOfTension * tension(distance), settings_.largestForce);
  }

  /// What the person gives for coming nearer than ever.
  double payFor(double distance) const { return payPerLength(distance) * std::max(nearest_ - distance, 0.0); }

  /// The same for coming nearer than since it was last fetched, out of what is there for it.
  double fetchFor(double distance) const {
    const double nearer = std::max(fetched_ - std::max(distance, nearest_), 0.0);
    return std::clamp(spare_, 0.0, payPerLength(distance) * nearer);
  }

  Vector3 velocityUnder(const Vector3& force, const DrivenState<Motion>& state) const {
    return state.velocity + settings_.workShare * state.step * (state.mobility * force + state.freeAcceleration);
  }

  /// A velocity along the principal directions of the mobility without those that joints hold, where no force does work.
  static Vector3 moving(const Vector3& velocity, const Vector3& mobility) {
    return (mobility.array() > 1e-9 * mobility.maxCoeff()).select(velocity, 0.0);
  }

  /// The force that does no more than this work in the step, after as little braking as is needed.
  Vector3 affordable(const Vector3& force, double work, const DrivenState<Motion>& state) const {
    const double allowed = work / state.step;
    if (force.dot(velocityUnder(force, state)) <= allowed) return force;
    // along the principal directions of the mobility
    const Eigen::SelfAdjointEigenSolver<Matrix3> principal(state.mobility);
    const Matrix3& axes = principal.eigenvectors();
    const Vector3 mobility = principal.eigenvalues().cwiseMax(0.0);
    const double h = state.step, share = settings_.workShare;
    const auto velocityAfter = [&](double time) {
      return moving(axes.transpose() * (state.velocity + time * state.freeAcceleration), mobility);
    };
    const Vector3 mean = velocityAfter(share * h), end = velocityAfter(h);
    const auto isAffordable = [&](const Vector3& f) {
      return f.dot(mean + share * h * mobility.cwiseProduct(f)) <= allowed;
    };
    // (I + k b W)^-1 (from - b velocity), from b = 0 on until it is affordable
    const auto braked = [&](const Vector3& from, const Vector3& velocity, double k) {
      const auto by = [&](double b) -> Vector3 {
        return (from - b * velocity).array() / (1.0 + k * b * mobility.array());
      };
      double least = 0.0, most = 1e-6 / std::max(k * mobility.maxCoeff(), 1e-300);
      for (int i = 0; i < 25 && !isAffordable(by(most)); ++i) {
        least = most;
        most *= 4.0;
      }
      for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (least + most);
        (isAffordable(by(middle)) ? most : least) = middle;
      }
      return by(most);
    };
    Vector3 found = braked(axes.transpose() * force, end, h);
    if (!isAffordable(found)) found = braked(found, mean, 2.0 * share * h);
    const double size = found.norm();  // a smaller force along the same line gives no more, where there is no debt
    return axes * found * std::min(1.0, settings_.largestForce / size);
  }

  std::unique_ptr<ControlLaw<Motion>> law_;
  PassiveSettings settings_;
  Stillness<Motion> stillness_;  // of the hand
  Stillness<Motion> rest_;       // of the point, while it is away from a hand that is still
  Place anchor_ = {};            // of the last step
  Sample<Motion> last_;
  Vector3 yielded_ = Vector3::Zero();  // by what the law is led away from the hand
  bool isShort_ = false;               // whether there was less force in the last step than asked for
  bool moved_ = false;                 // whether there was one
  double store_ = 0.0;                 // joules
  double nearest_ = 0.0;               // how near the point has been to the hand since this was there
  double fetched_ = 0.0;               // and since it was last fetched
  double spare_ = 0.0;                 // joules that are there for fetching
  double restedApart_ = std::numeric_limits<double>::infinity();  // from the hand, when it was last fetched
  double worked_ = 0.0, given_ = 0.0;                             // its work so far, and the most that this has been
  double speed_ = 0.0, inertia_ = 0.0;  // with which the point began to be fetched, and of what moved with it
  bool fetches_ = false;
  double stiffness_ = 1.0, bears_ = 0.0;
};

}  // namespace polhode
