#include "polhode/integrate/mechanism/mechanism_stepper.h"

#include "polhode/error.h"
#include "polhode/integrate/adaptive_conserving.h"
#include "polhode/integrate/archive.h"
#include "polhode/integrate/catalogue.h"
#include "polhode/integrate/composition.h"
#include "polhode/integrate/step_breaks.h"
#include "polhode/math/largest.h"
#include "polhode/math/rotation_maps.h"
#include "polhode/system/mechanism_extent.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr std::string_view smallerStep = "take a smaller step, or a tolerance instead of a step";

/// The scheme of order two, as compositions and step-size control see schemes: with the engine behind it.
struct MechanismScheme2 {
  using State = MechanismState;
  static constexpr std::string_view name = "director-em", remedy = smallerStep;
  static constexpr int order = 2, sequences = 1;

  explicit MechanismScheme2(DirectorEngine& e) : engine(&e), size(extentOf(e.mechanism()).size) {}
  StepReport step(State& state, double h) const { return engine->step(state, h, 0); }

  /// The largest distance of a body, relative to the size of the mechanism, or angle.
  double distance(const State& a, const State& b) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
      const Placement &p = a.bodies[i].at, &q = b.bodies[i].at;
      for (const double apart : {(p.x - q.x).norm() / size, (p.D - q.D).norm() / std::sqrt(2.0)})
        largest = largestOrNaN(largest, apart);
    }
    return largest;
  }

  DirectorEngine* engine;
  double size;
};

/// Its compositions, each stage two halves (see composition.h).
template <int Order>
struct MechanismComposition : MechanismScheme2 {
  static constexpr auto coefficients = compositionCoefficients<Order>();
  static constexpr int order = Order, sequences = 2 * static_cast<int>(coefficients.size());
  static constexpr std::string_view name = Order == 4   ? "director-em-4"
                                           : Order == 6 ? "director-em-6"
                                                        : "director-em-8";
  using MechanismScheme2::MechanismScheme2;

  StepReport step(State& state, double h) const {
    *before = state;
    StepReport report{true, 0, 0.0};
    int sequence = 0;
    for (const double coefficient : coefficients)
      for (int half = 0; half < 2 && report.converged; ++half)
        report += engine->step(state, 0.5 * coefficient * h, sequence++);
    if (!report.converged) state = *before;
    return report;
  }

  std::shared_ptr<State> before = std::make_shared<State>();  // room for the state to come back to
};

/// Where the placements of a step's two ends and their rates are known, those within it follow by Hermite's cubics, which
/// are right to the third order (as the rates are to the second); the directors are made orthonormal, and their rates tangential, W = omega^ D.
class StepperBase : public MechanismStepper {
 public:
  StepperBase(const Mechanism& mechanism, int sequences) : engine_(mechanism, sequences) {}

  double time() const override { return time_; }
  double previousTime() const override { return previousTime_; }
  const VectorX& state() const override { return y_; }
  const WorkCounts& work() const override { return work_; }
  DirectorEngine& engine() override { return engine_; }

  void interpolate(double t, VectorX& y) const override {
    const double h = time_ - previousTime_, s = (t - previousTime_) / h;
    const VectorX& end = followed_ ? beforeFollowing_ : y_;
    if (!(t < time_) || h == 0.0) {
      y = y_;
      return;
    }
    if (!(t > previousTime_)) {
      y = previous_;
      return;
    }
    y = (1.0 - s) * previous_ + s * end;
    for (int at = 0; at + 24 <= y.size(); at += 24) {
      hermite(end, h, s, at, at + 12, 3, y);
      hermite(end, h, s, at + 3, at + 15, 9, y);
      Eigen::Map<Matrix3> D(y.data() + at + 3), W(y.data() + at + 15);
      for (int pass = 0; pass < 3; ++pass) D = (D * (1.5 * Matrix3::Identity() - 0.5 * D.transpose() * D)).eval();
      Vector3 turning = Vector3::Zero();
      for (int i = 0; i < 3; ++i) turning += 0.5 * D.col(i).cross(W.col(i));
      W = hat(turning) * D;
    }
  }

 protected:
  void show(double time, const MechanismState& state) {
    previousTime_ = time_;
    previous_.swap(y_);
    time_ = time;
    pack(state, y_);
    followed_ = false;
  }

  /// Shows where a step has ended, with the rates of the drives; where something happens then, with those behind it.
  void arrive(double time, MechanismState& state, bool something) {
    state.time = time;
    if (!engine_.mechanism().isDriven()) return show(time, state);
    if (!something) engine_.followDrives(state);
    show(time, state);
    if (!something) return;
    beforeFollowing_ = y_;
    engine_.followDrives(state);
    pack(state, y_);
    followed_ = true;
  }

  /// At a time with nothing before it.
  void restart(double time, const MechanismState& state) {
    previousTime_ = time_ = time;
    pack(state, y_);
    previous_ = y_;
    followed_ = false;
  }

  void persistBase(Archive& archive) {
    archive.section("director-em");
    archive(engine_, time_, previousTime_, y_, previous_, work_, beforeFollowing_, followed_);
  }

  DirectorEngine engine_;
  double time_ = 0.0, previousTime_ = 0.0;
  VectorX y_, previous_;
  WorkCounts work_;

 private:
  /// Position and rate of `count` numbers at the fraction s of a step h.
  void hermite(const VectorX& end, double h, double s, int at, int rate, int count, VectorX& y) const {
    const double r = 1.0 - s;
    const auto x0 = previous_.segment(at, count), x1 = end.segment(at, count);
    const auto v0 = previous_.segment(rate, count), v1 = end.segment(rate, count);
    y.segment(at, count) = r * r * (1.0 + 2.0 * s) * x0 + s * s * (3.0 - 2.0 * s) * x1 + h * s * r * (r * v0 - s * v1);
    y.segment(rate, count) = 6.0 * s * r / h * (x1 - x0) + r * (1.0 - 3.0 * s) * v0 + s * (3.0 * s - 2.0) * v1;
  }

  VectorX beforeFollowing_;  // the end of the last step, where a signal kinked at it
  bool followed_ = false;
};

template <class Scheme>
class FixedMechanismStepper final : public StepperBase {
 public:
  FixedMechanismStepper(const Mechanism& mechanism, double end, double length)
      : StepperBase(mechanism, Scheme::sequences),
        scheme_(engine_),
        state_(engine_.start()),
        grid_(length, end, StepBreaks::ofFixedSteps(mechanism, end)) {
    show(0.0, state_);
    previous_ = y_;
  }

  void step() override {
    const StepGrid::Step next = grid_.from(time_);
    const StepReport report = scheme_.step(state_, next.length);
    work_.newtonIterations += report.iterations;
    work_.rhsEvaluations = work_.newtonIterations;
    work_.factorisations += report.factorisations;
    work_.jacobians = work_.factorisations;
    if (!report.converged) throwStepFailure(Scheme::name, time_, next.length, report, smallerStep);
    ++work_.steps;
    grid_.take(next);
    arrive(next.end, state_, grid_.breaksAt(next.end));
  }

  void replaceState(const VectorX& y) override {
    state_.bodies = motionFrom(y);
    state_.lost.clear();
    state_.work = workFrom(y);
    y_ = y;
  }

  void goOnFrom(double time, const MechanismMotion& bodies) override {
    state_ = engine_.start();
    state_.time = time;
    state_.bodies = bodies;
    grid_.beginAt(time);
    restart(time, state_);
  }

  const MechanismState& mechanismState() const override { return state_; }

  void persist(Archive& archive) override {
    persistBase(archive);
    archive(state_, grid_);
  }

 private:
  Scheme scheme_;
  MechanismState state_;
  StepGrid grid_;
};

template <class Scheme>
class AdaptiveMechanismStepper final : public StepperBase {
 public:
  AdaptiveMechanismStepper(const Mechanism& mechanism, double end, double tolerance, std::optional<double> largest)
      : StepperBase(mechanism, Scheme::sequences),
        end_(end),
        scheme_(engine_),
        control_{.tolerance = tolerance, .firstStep = firstStep(mechanism, end)},
        method_(scheme_, engine_.start(), control_),
        breaks_(StepBreaks::ofChosenSteps(mechanism, end, largest)) {
    show(0.0, method_.state());
    previous_ = y_;
  }

  void step() override {
    const double margin = 1e-12 * std::max(std::abs(time_), control_.firstStep);
    method_.limitStep(breaks_.largestStep(time_ + margin));
    method_.step(breaks_.next(time_, margin, end_));
    work_ = method_.work();
    work_.rhsEvaluations = work_.newtonIterations;
    work_.jacobians = work_.factorisations;
    const bool something = breaks_.at(method_.time(), margin);
    arrive(method_.time(), method_.state(), something);
    if (something) method_.beginAnew();
  }

  void replaceState(const VectorX& y) override {
    MechanismState state = method_.state();
    state.bodies = motionFrom(y);
    state.lost.clear();
    state.work = workFrom(y);
    method_ = AdaptiveConserving<Scheme>(scheme_, std::move(state), control_, time_);
    y_ = y;
  }

  void goOnFrom(double time, const MechanismMotion& bodies) override {
    MechanismState state = engine_.start();
    state.time = time;
    state.bodies = bodies;
    method_ = AdaptiveConserving<Scheme>(scheme_, std::move(state), control_, time);
    restart(time, method_.state());
  }

  const MechanismState& mechanismState() const override { return method_.state(); }

  void persist(Archive& archive) override {
    persistBase(archive);
    archive(method_);
  }

 private:
  /// A twentieth of the time in which something falls or moves by the mechanism's size; to be corrected at once.
  static double firstStep(const Mechanism& mechanism, double end) {
    const double size = extentOf(mechanism).size;
    double rate = std::sqrt(mechanism.gravity().norm() / size);
    for (const MechanismBody& body : mechanism.bodies())
      rate = std::max({rate, body.angularVelocity.norm(), body.velocity.norm() / size});
    return std::min(0.05 / std::max(rate, 1e-3), end);
  }

  double end_;
  Scheme scheme_;
  StepControl control_;
  AdaptiveConserving<Scheme> method_;
  StepBreaks breaks_;
};

template <class Scheme>
std::unique_ptr<MechanismStepper> make(const Mechanism& mechanism, double tEnd, std::optional<double> length,
                                       double tolerance, std::optional<double> largest) {
  if (length) return std::make_unique<FixedMechanismStepper<Scheme>>(mechanism, tEnd, *length);
  return std::make_unique<AdaptiveMechanismStepper<Scheme>>(mechanism, tEnd, tolerance, largest);
}

}  // namespace

static_assert(sizeof(MovingPlacement) == 24 * sizeof(double));

std::span<const MovingPlacement> MechanismStepper::motionIn(const VectorX& y) {
  return {reinterpret_cast<const MovingPlacement*>(y.data()), static_cast<std::size_t>(y.size() / 24)};
}

MechanismMotion MechanismStepper::motionFrom(const VectorX& y) {
  const auto bodies = motionIn(y);
  return {bodies.begin(), bodies.end()};
}

void MechanismStepper::pack(const MechanismState& state, VectorX& y) {
  y.resize(24 * static_cast<Eigen::Index>(state.bodies.size()) + 1);
  std::memcpy(y.data(), state.bodies.data(), state.bodies.size() * sizeof(MovingPlacement));
  y[y.size() - 1] = state.work;
}

std::unique_ptr<MechanismStepper> makeMechanismStepper(const std::string& name, const Mechanism& mechanism, double tEnd,
                                                       std::optional<double> length, double tolerance,
                                                       std::optional<double> largest) {
  const NamedIntegrator named = parseIntegrator(name);
  if (named.info.moves == IntegratorKind::director) {
    if (named.order == 4) return make<MechanismComposition<4>>(mechanism, tEnd, length, tolerance, largest);
    if (named.order == 6) return make<MechanismComposition<6>>(mechanism, tEnd, length, tolerance, largest);
    if (named.order == 8) return make<MechanismComposition<8>>(mechanism, tEnd, length, tolerance, largest);
    return make<MechanismScheme2>(mechanism, tEnd, length, tolerance, largest);
  }
  throw InputError(
      fmt::format("integrator '{}' does not move mechanisms; choose director-em, director-em-4, "
                  "director-em-6 or director-em-8",
                  name));
}

}  // namespace polhode
