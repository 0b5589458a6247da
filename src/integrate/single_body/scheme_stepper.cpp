#include "polhode/integrate/single_body/scheme_stepper.h"

#include "polhode/error.h"
#include "polhode/integrate/adaptive_conserving.h"
#include "polhode/integrate/archive.h"
#include "polhode/integrate/catalogue.h"
#include "polhode/integrate/composition.h"
#include "polhode/integrate/single_body/advance.h"
#include "polhode/integrate/single_body/all_schemes.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode::single_body {

namespace {

/// A scheme whose step is compiled once, not into each of its compositions and steppers anew, and that vouches for itself:
/// where Newton's method came to rest the quaternion must have the length one and energy and angular momentum must be what
/// the scheme keeps; otherwise the step did not converge.
template <class Scheme>
struct Outlined : Scheme {
  using State = typename Scheme::State;

  explicit Outlined(const TopData& top)
      : Scheme(top),
        up(top.gravity.isZero() ? Vector3(Vector3::Zero()) : Vector3(top.gravity.normalized())),
        keepsEnergy(Scheme::energyLaw == EnergyLaw::always ||
                    (Scheme::energyLaw == EnergyLaw::whenFree && up.isZero())),
        potential(top.moment.norm() * top.gravity.norm()) {}

  [[gnu::noinline]] StepReport step(State& state, double h) const {
    const State before = state;
    StepReport report = Scheme::step(state, h);
    if (report.converged && !vouches(before, state)) {
      report.converged = false;
      report.doubtful = true;
      state = before;
    }
    return report;
  }

 private:
  bool vouches(const State& before, const State& after) const {
    constexpr double unit = 1e-12, kept = 1e-10;
    const TopState top = this->Scheme::top(after);
    if (!(std::abs(top.q.norm() - 1.0) <= unit) || !top.Omega.allFinite()) return false;
    const Vector3 momentum = this->angularMomentum(before), drift = this->angularMomentum(after) - momentum;
    if (!((up.isZero() ? drift.norm() : std::abs(drift.dot(up))) <= kept * momentum.norm())) return false;
    const double energy = this->energy(before);
    return !keepsEnergy || std::abs(this->energy(after) - energy) <= kept * (std::abs(energy) + 2.0 * potential);
  }

  Vector3 up;
  bool keepsEnergy;
  double potential;  // the size of the weight's
};

template <class Scheme>
SchemeOutput outputOf(const Scheme& scheme, const typename Scheme::State& state) {
  const TopState top = scheme.top(state);
  return {top.q,
          top.Omega,
          scheme.energy(state),
          scheme.totalEnergy(state),
          scheme.angularMomentum(state),
          scheme.velocityDefect(state)};
}

/// What steppers of fixed and of chosen step share: output, and dense output between two nodes.
class SchemeStepperBase : public Stepper {
 public:
  double time() const override { return time_; }
  double previousTime() const override { return previousTime_; }
  const VectorX& state() const override { return y_; }
  const WorkCounts& work() const override { return work_; }

  /// Cubic in the quaternion (its rate is q o Omega/2), linear in everything else.
  void interpolate(double t, VectorX& y) const override {
    const double h = time_ - previousTime_, s = (t - previousTime_) / h;
    const SchemeOutput a = SchemeOutput::unpack(previous_), b = SchemeOutput::unpack(y_);
    const Quaternion bq = a.q.dot(b.q) < 0.0 ? Quaternion(-b.q) : b.q;
    const Quaternion rateA = 0.5 * h * multiply(a.q, pureQuaternion(a.Omega));
    const Quaternion rateB = 0.5 * h * multiply(bq, pureQuaternion(b.Omega));
    y = (1.0 - s) * previous_ + s * y_;
    const double s1 = 1.0 - s;
    y.head<4>() = (s1 * s1 * (1.0 + 2.0 * s) * a.q + s * s * (3.0 - 2.0 * s) * bq + s * s1 * (s1 * rateA - s * rateB))
                      .normalized();
  }

 protected:
  SchemeStepperBase(double tEnd) : end_(tEnd) {}

  void show(double time, const SchemeOutput& output) {
    previousTime_ = time_;
    previous_ = y_;
    time_ = time;
    y_ = output.pack();
  }

  void persistBase(Archive& archive) {
    archive.section("scheme");
    archive(time_, previousTime_, y_, previous_, work_);
  }

  double time_ = 0.0, previousTime_ = 0.0, end_;
  VectorX y_, previous_;
  WorkCounts work_;
};

template <class Scheme>
class FixedStepper final : public SchemeStepperBase {
 public:
  FixedStepper(const TopData& top, const TopState& start, double tEnd, double length)
      : SchemeStepperBase(tEnd), scheme_(top), state_(scheme_.start(start)), length_(length) {
    show(0.0, outputOf(scheme_, state_));
  }

  void step() override {
    // Times are multiples of the step, so that rounding does not add up; the last step lands on the end.
    const double planned = static_cast<double>(work_.steps + 1) * length_;
    const double next = planned < end_ - 1e-9 * length_ ? planned : end_;
    double time = time_;
    const StepReport report = stepOrThrow(scheme_, state_, time, next - time_);
    ++work_.steps;
    work_.newtonIterations += report.iterations;
    work_.rhsEvaluations = work_.newtonIterations;
    show(next, outputOf(scheme_, state_));
  }

  void replaceState(const VectorX& y) override {
    const SchemeOutput output = SchemeOutput::unpack(y);
    state_ = scheme_.start({output.q, output.Omega});
    y_ = outputOf(scheme_, state_).pack();
  }

  void persist(Archive& archive) override {
    persistBase(archive);
    archive.plain(state_);
  }

 private:
  Scheme scheme_;
  typename Scheme::State state_;
  double length_;
};

template <class Scheme>
class AdaptiveStepper final : public SchemeStepperBase {
 public:
  AdaptiveStepper(const TopData& top, const TopState& start, double tEnd, double tolerance)
      : SchemeStepperBase(tEnd),
        scheme_(top),
        control_{.tolerance = tolerance, .firstStep = firstStep(start, tEnd)},
        method_(scheme_, scheme_.start(start), control_) {
    show(0.0, outputOf(scheme_, method_.state()));
  }

  void step() override {
    method_.step(end_);
    work_ = method_.work();
    work_.rhsEvaluations = work_.newtonIterations;
    show(method_.time(), outputOf(scheme_, method_.state()));
  }

  void replaceState(const VectorX& y) override {
    const SchemeOutput output = SchemeOutput::unpack(y);
    method_ = AdaptiveConserving<Scheme>(scheme_, scheme_.start({output.q, output.Omega}), control_, time_);
    y_ = outputOf(scheme_, method_.state()).pack();
  }

  void persist(Archive& archive) override {
    persistBase(archive);
    archive(method_);
  }

 private:
  /// A tenth of a radian, to be corrected at once.
  static double firstStep(const TopState& start, double tEnd) {
    return std::min(0.1 / std::max(start.Omega.norm(), 1e-3), tEnd);
  }

  Scheme scheme_;
  StepControl control_;
  AdaptiveConserving<Scheme> method_;
};

using Made = std::unique_ptr<Stepper>;

template <class Scheme>
Made make(const TopData& top, const TopState& start, double tEnd, const SchemeSteps& steps) {
  if (steps.length) return std::make_unique<FixedStepper<Scheme>>(top, start, tEnd, *steps.length);
  return std::make_unique<AdaptiveStepper<Scheme>>(top, start, tEnd, steps.tolerance);
}

}  // namespace

VectorX SchemeOutput::pack() const {
  VectorX y(size);
  y << q, Omega, energy, totalEnergy, angularMomentum, velocityDefect;
  return y;
}

SchemeOutput SchemeOutput::unpack(const VectorX& y) {
  return {y.head<4>(), y.segment<3>(4), y[7], y[8], y.segment<3>(9), y[12]};
}

std::unique_ptr<Stepper> makeSchemeStepper(const std::string& name, const TopData& top, const TopState& start,
                                           double tEnd, const SchemeSteps& steps) {
  const NamedIntegrator named = parseIntegrator(name);
  Made made;
  AllSchemes::forEach([&]<class Scheme>() {
    static_assert(Scheme::symmetric);
    if (named.info.name != Scheme::name) return;
    if (!named.composed) made = make<Outlined<Scheme>>(top, start, tEnd, steps);
    if (named.order == 4) made = make<Composition<Outlined<Scheme>, 4>>(top, start, tEnd, steps);
    if (named.order == 6) made = make<Composition<Outlined<Scheme>, 6>>(top, start, tEnd, steps);
    if (named.order == 8) made = make<Composition<Outlined<Scheme>, 8>>(top, start, tEnd, steps);
  });
  if (!made) throw InputError(fmt::format("there is no conserving scheme '{}'; see `polhode list integrators`", name));
  return made;
}

}  // namespace polhode::single_body
