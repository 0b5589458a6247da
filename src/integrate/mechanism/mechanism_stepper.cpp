#include "polhode/integrate/mechanism/mechanism_stepper.h"

#include "polhode/error.h"
#include "polhode/integrate/adaptive_conserving.h"
#include "polhode/integrate/archive.h"
#include "polhode/integrate/composition.h"
#include "polhode/math/rotation_maps.h"
#include "polhode/system/mechanism_extent.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr std::string_view remedy = "take a smaller step, or a tolerance instead of a step";

/// The scheme of order two, as compositions and step-size control see schemes: with the engine behind it.
struct MechanismScheme2 {
  using State = MechanismState;
  static constexpr std::string_view name = "director-em", remedy = polhode::remedy;
  static constexpr int order = 2, sequences = 1;

  explicit MechanismScheme2(DirectorEngine& e) : engine(&e) {}
  StepReport step(State& state, double h) const { return engine->step(state, h, 0); }

  /// The largest distance of a body, relative to the size of the mechanism, or angle.
  double distance(const State& a, const State& b) const {
    const double size = extentOf(engine->mechanism()).size;
    double largest = 0.0;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
      const Placement &p = a.bodies[i].at, &q = b.bodies[i].at;
      largest = std::max({largest, (p.x - q.x).norm() / size, (p.D - q.D).norm() / std::sqrt(2.0)});
    }
    return largest;
  }

  DirectorEngine* engine;
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

/// Quintic through values, first and second differences is not known of a step's interior; cubic through positions and
/// velocities is.
class StepperBase : public MechanismStepper {
 public:
  StepperBase(const Mechanism& mechanism, int sequences, double end) : engine_(mechanism, sequences), end_(end) {}

  double time() const override { return time_; }
  double previousTime() const override { return previousTime_; }
  const VectorX& state() const override { return y_; }
  const WorkCounts& work() const override { return work_; }
  DirectorEngine& engine() override { return engine_; }

  void interpolate(double t, VectorX& y) const override {
    const double h = time_ - previousTime_, s = (t - previousTime_) / h, r = 1.0 - s;
    y = r * previous_ + s * y_;
    const auto hermite = [&](int at, int rate, int count) {
      y.segment(at, count) = r * r * (1.0 + 2.0 * s) * previous_.segment(at, count) +
                             s * s * (3.0 - 2.0 * s) * y_.segment(at, count) +
                             h * s * r * (r * previous_.segment(rate, count) - s * y_.segment(rate, count));
    };
    for (int at = 0; at + 24 <= y.size(); at += 24) {
      hermite(at, at + 12, 3);
      hermite(at + 3, at + 15, 9);
      Eigen::Map<Matrix3> D(y.data() + at + 3);
      for (int pass = 0; pass < 3; ++pass) D = (D * (1.5 * Matrix3::Identity() - 0.5 * D.transpose() * D)).eval();
    }
  }

 protected:
  void show(double time, const MechanismState& state) {
    previousTime_ = time_;
    previous_.swap(y_);
    time_ = time;
    pack(state, y_);
  }

  /// At a time with nothing before it.
  void restart(double time, const MechanismState& state) {
    previousTime_ = time_ = time;
    pack(state, y_);
    previous_ = y_;
  }

  void persistBase(Archive& archive) {
    archive.section("director-em");
    archive(engine_, time_, previousTime_, y_, previous_, work_);
  }

  DirectorEngine engine_;
  double time_ = 0.0, previousTime_ = 0.0, end_;
  VectorX y_, previous_;
  WorkCounts work_;
};

template <class Scheme>
class FixedMechanismStepper final : public StepperBase {
 public:
  FixedMechanismStepper(const Mechanism& mechanism, double end, double length)
      : StepperBase(mechanism, Scheme::sequences, end), scheme_(engine_), state_(engine_.start()), length_(length) {
    show(0.0, state_);
    previous_ = y_;
  }

  void step() override {
    const double planned = begin_ + static_cast<double>(work_.steps - stepsBefore_ + 1) * length_;
    const double next = planned < end_ - 1e-9 * length_ ? planned : end_;
    const double h = std::abs(next - time_ - length_) < 1e-9 * length_ ? length_ : next - time_;
    const StepReport report = scheme_.step(state_, h);
    work_.newtonIterations += report.iterations;
    work_.rhsEvaluations = work_.newtonIterations;
    work_.factorisations += report.factorisations;
    work_.jacobians = work_.factorisations;
    if (!report.converged) throwStepFailure(Scheme::name, time_, h, report, remedy);
    state_.time = next;
    ++work_.steps;
    show(next, state_);
  }

  void replaceState(const VectorX& y) override {
    state_.bodies = motionFrom(y);
    state_.lost.clear();
    state_.work = workFrom(y);
    y_ = y;
  }

  void goOnFrom(double time, const MechanismMotion& bodies) override {
    state_ = engine_.start();
    state_.time = begin_ = time;
    state_.bodies = bodies;
    stepsBefore_ = work_.steps;
    restart(time, state_);
  }

  const MechanismState& mechanismState() const override { return state_; }

  void persist(Archive& archive) override {
    persistBase(archive);
    archive(state_, begin_, stepsBefore_);
  }

 private:
  Scheme scheme_;
  MechanismState state_;
  double length_, begin_ = 0.0;
  std::int64_t stepsBefore_ = 0;  // before `begin_`
};

template <class Scheme>
class AdaptiveMechanismStepper final : public StepperBase {
 public:
  AdaptiveMechanismStepper(const Mechanism& mechanism, double end, double tolerance)
      : StepperBase(mechanism, Scheme::sequences, end),
        scheme_(engine_),
        control_{.tolerance = tolerance, .firstStep = firstStep(mechanism, end)},
        method_(scheme_, engine_.start(), control_) {
    show(0.0, method_.state());
    previous_ = y_;
  }

  void step() override {
    method_.step(end_);
    work_ = method_.work();
    work_.rhsEvaluations = work_.newtonIterations;
    work_.jacobians = work_.factorisations;
    show(method_.time(), method_.state());
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

  Scheme scheme_;
  StepControl control_;
  AdaptiveConserving<Scheme> method_;
};

template <class Scheme>
std::unique_ptr<MechanismStepper> make(const Mechanism& mechanism, double tEnd, std::optional<double> length,
                                       double tolerance) {
  if (length) return std::make_unique<FixedMechanismStepper<Scheme>>(mechanism, tEnd, *length);
  return std::make_unique<AdaptiveMechanismStepper<Scheme>>(mechanism, tEnd, tolerance);
}

}  // namespace

bool isMechanismScheme(const std::string& name) {
  return name == "director-em" || name == "director-em-4" || name == "director-em-6" || name == "director-em-8";
}

static_assert(sizeof(MovingPlacement) == 24 * sizeof(double));

MechanismMotion MechanismStepper::motionFrom(const VectorX& y) {
  MechanismMotion motion(static_cast<std::size_t>(y.size() / 24));
  std::memcpy(static_cast<void*>(motion.data()), y.data(), motion.size() * sizeof(MovingPlacement));
  return motion;
}

void MechanismStepper::pack(const MechanismState& state, VectorX& y) {
  y.resize(24 * static_cast<Eigen::Index>(state.bodies.size()) + 1);
  std::memcpy(y.data(), state.bodies.data(), state.bodies.size() * sizeof(MovingPlacement));
  y[y.size() - 1] = state.work;
}

std::unique_ptr<MechanismStepper> makeMechanismStepper(const std::string& name, const Mechanism& mechanism, double tEnd,
                                                       std::optional<double> length, double tolerance) {
  if (name == "director-em") return make<MechanismScheme2>(mechanism, tEnd, length, tolerance);
  if (name == "director-em-4") return make<MechanismComposition<4>>(mechanism, tEnd, length, tolerance);
  if (name == "director-em-6") return make<MechanismComposition<6>>(mechanism, tEnd, length, tolerance);
  if (name == "director-em-8") return make<MechanismComposition<8>>(mechanism, tEnd, length, tolerance);
  throw InputError(
      fmt::format("integrator '{}' does not move mechanisms; choose director-em, director-em-4, "
                  "director-em-6 or director-em-8",
                  name));
}

}  // namespace polhode
