#include "integrate/single_body/scheme_stepper.h"

#include "integrate/archive.h"
#include "integrate/catalogue.h"
#include "integrate/conserving_stepper.h"
#include "integrate/first_chosen_step.h"
#include "integrate/hermite.h"
#include "integrate/single_body/all_schemes.h"
#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode::single_body {

namespace {

/// A scheme that vouches for its steps: where Newton's method came to rest the quaternion must have the length one and
/// energy and angular momentum must be what the scheme keeps; otherwise the step did not converge.
template <class Scheme>
struct Vouched : Scheme {
  using State = typename Scheme::State;

  explicit Vouched(const TopData& top)
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

/// Cubic in the quaternion (its rate is q o Omega/2), linear in everything else.
void blendOutputs(const VectorX& from, const VectorX& to, double h, double s, VectorX& y) {
  const SchemeOutput a = SchemeOutput::unpack(from), b = SchemeOutput::unpack(to);
  const Quaternion bq = a.q.dot(b.q) < 0.0 ? Quaternion(-b.q) : b.q;
  const Quaternion rateA = 0.5 * h * multiply(a.q, pureQuaternion(a.Omega));
  const Quaternion rateB = 0.5 * h * multiply(bq, pureQuaternion(b.Omega));
  y = (1.0 - s) * from + s * to;
  y.head<4>() = hermite(1.0, s, a.q, rateA, bq, rateB).normalized();
}

template <class Scheme>
class SchemeStepper final : public ConservingStepperOf<typename Scheme::State> {
  using State = typename Scheme::State;

 public:
  SchemeStepper(const TopData& top, const TopState& start, double tEnd, double length)
      : ConservingStepperOf<State>(std::string(Scheme::name), tEnd, length), scheme_(top) {
    this->state_ = scheme_.start(start);
    this->beginAt(0.0);
  }

 private:
  StepReport bareStep(double, double h, int) override { return scheme_.step(this->state_, h); }
  double distance(const State& a, const State& b) const override { return scheme_.distance(a, b); }
  double turnRate() const override { return scheme_.top(this->state_).Omega.norm(); }
  std::string remedy() const override { return std::string(Scheme::remedy); }
  void persistScheme(Archive& archive) override { archive(this->state_); }

  void show(VectorX& y) const override {
    const State& state = this->state_;
    const TopState top = scheme_.top(state);
    y = SchemeOutput{top.q,
                     top.Omega,
                     scheme_.energy(state),
                     scheme_.totalEnergy(state),
                     scheme_.angularMomentum(state),
                     scheme_.velocityDefect(state)}
            .pack();
  }

  void take(const VectorX& y) override {
    const SchemeOutput output = SchemeOutput::unpack(y);
    this->state_ = scheme_.start({output.q, output.Omega});
  }

  void blend(const VectorX& from, const VectorX& to, double h, double s, VectorX& y) const override {
    blendOutputs(from, to, h, s, y);
  }

  Scheme scheme_;
};

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
  const double firstStep = steps.firstStep.value_or(firstChosenStep(start.Omega.norm(), tEnd));
  std::unique_ptr<ConservingStepper> made;
  AllSchemes::forEach([&]<class Scheme>() {
    static_assert(Scheme::symmetric);
    if (named.info.name != Scheme::name) return;
    made = std::make_unique<SchemeStepper<Vouched<Scheme>>>(top, start, tEnd, steps.length.value_or(firstStep));
    if (named.composed) made->compose(named.order, Scheme::nearIdentity);
  });
  if (!made) throw InputError(fmt::format("there is no conserving scheme '{}'; see `polhode list integrators`", name));
  if (!steps.length) made->control(steps.tolerance, steps.smallestStep);
  return made;
}

}  // namespace polhode::single_body
