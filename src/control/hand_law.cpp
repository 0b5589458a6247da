#include "control/hand_law.h"

#include "control/control_equation.h"
#include "control/control_methods.h"
#include "control/limited_law.h"
#include "control/passive_law.h"
#include "math/euler_map.h"

#include <algorithm>
#include <limits>

namespace polhode {

namespace {

constexpr double neumannRatio = 0.5, mixedRatio = 1.2;  // rho1/(h^2 rho0) in the thesis
constexpr double trembling = 1e-3;                      // of the mechanism's size
constexpr double givingWay = 1e-6;                      // of the largest mobility
constexpr double steadyingRate = 2.0;                   // 1/s: what swings loses six sevenths of its energy a second

/// What a constant load makes of the control, with rho0 = 1.
double controlPerLoad(const std::string& method, double step) {
  ControlEquationGains gains = l2Gains(1.0);
  if (method == "h1-neumann") gains = neumannGains(1.0, neumannRatio * square(step), step);
  if (method == "h1-mixed") gains = mixedGains(1.0, mixedRatio * square(step), step, MixedSpace::fiveFunctions);
  return gains.ofLoad / (1.0 - gains.ofLast);
}

/// The method's own parameters by which a point of that mobility (1/kg) follows with the law's time constant T. A
/// servo constraint comes nearer by epsilon = h/T of the deviation each step. The one-step laws of Lipovac 2020 are springs
/// without a damper: with W the mobility, rho0 = h W^2 T^2 makes the one of L2 swing as exp(i t/T). Those of H1 keep the
/// ratio of rho1 to h^2 rho0 that the thesis has at h = 1e-3, and have the rho0 that makes them as stiff.
ControlSettings controlSettings(const HandLaw& law, double step, double mobility) {
  ControlSettings settings;
  settings.method = law.method;
  settings.timeConstant = law.timeConstant;
  // a spring that cuts its force along its direction would pull a stretched chain anywhere: LimitedLaw knows better
  settings.largestForce =
      law.method == "critically-damped" ? std::numeric_limits<double>::infinity() : law.largestForce;
  settings.epsilon = std::min(1.0, step / law.timeConstant);
  settings.rho0 = controlPerLoad(law.method, step) * step * square(mobility * law.timeConstant);
  settings.rho1 = (law.method == "h1-mixed" ? mixedRatio : neumannRatio) * square(step) * settings.rho0;
  return settings;
}

/// A mobility without the directions in which the point moves, or the body turns, only as joints give way to roundings, or as a
/// link tilts that has hardly any inertia: whoever pulls there with all his force tears what he holds, and has none left for
/// where it could go.
Matrix3 withoutGiving(const Matrix3& mobility) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> principal(mobility);
  Vector3 values = principal.eigenvalues();
  values = (values.array() > givingWay * values.maxCoeff()).select(values, 0.0);
  return principal.eigenvectors() * values.asDiagonal() * principal.eigenvectors().transpose();
}

/// A law of one step for a body that turns about some axes much more easily than about others, as a slim rod about itself: it is told
/// that all are alike, and the body is given the acceleration that the law asks for so.
class EvenTurning final : public ControlLaw<Rotation> {
 public:
  explicit EvenTurning(std::unique_ptr<ControlLaw<Rotation>> law) : law_(std::move(law)) {}

  void observe(const Sample<Rotation>& sample) override { law_->observe(sample); }

  Vector3 force(const DrivenState<Rotation>& state) override {
    const double mobility = usualMobility<Rotation>(state.mobility, 3);
    DrivenState<Rotation> even = state;
    even.mobility = mobility * Matrix3::Identity();
    return forceFor(mobility * law_->force(even), state.mobility);
  }

  void persist(Archive& archive) override { law_->persist(archive); }

 private:
  std::unique_ptr<ControlLaw<Rotation>> law_;
};

template <class Motion>
class PullOfPerson final : public ControlLaw<Motion> {
 public:
  /// What is held moves in that many directions.
  PullOfPerson(const HandLaw& law, int directions, double size, double shareOfStep)
      : law_(law), directions_(directions), size_(size), shareOfStep_(shareOfStep) {
    make(1.0);  // throws for a method that is unknown
  }

  void observe(const Sample<Motion>& sample) override {
    if (made_)
      made_->observe(sample);
    else
      first_ = sample;
  }

  Vector3 force(const DrivenState<Motion>& driven) override {
    DrivenState<Motion> state = driven;
    state.mobility = withoutGiving(driven.mobility);
    if (!made_) {
      made_ = std::make_unique<PassiveLaw<Motion>>(
          std::make_unique<LimitedLaw<Motion>>(make(usualMobility<Motion>(state.mobility, directions_)),
                                               law_.largestForce),
          PassiveSettings{.timeConstant = law_.timeConstant,
                          .largestForce = law_.largestForce,
                          .workShare = shareOfStep_ > 0.0 ? shareOfStep_ : 1.0,
                          .stillWithin = trembling * size_,
                          .directions = directions_,
                          .steadying = steadyingRate});
      made_->observe(first_);
    }
    return made_->force(state);
  }

  void hasWorked(double work) override {
    if (made_) made_->hasWorked(work);
  }
  void hasCalmed(double energy) override {
    if (made_) made_->hasCalmed(energy);
  }
  Steadying steadying(double time) const override { return made_ ? made_->steadying(time) : Steadying(); }

  void persist(Archive&) override {}

 private:
  std::unique_ptr<ControlLaw<Motion>> make(double mobility) const {
    auto law = makeControlLaw<Motion>(
        [law = law_, mobility](double step) { return controlSettings(law, step, mobility); }, shareOfStep_);
    if constexpr (std::is_same_v<Motion, Rotation>)
      if (law_.method == "l2" || law_.method.starts_with("h1")) return std::make_unique<EvenTurning>(std::move(law));
    return law;
  }

  HandLaw law_;
  int directions_;
  double size_, shareOfStep_;
  Sample<Motion> first_;
  std::unique_ptr<ControlLaw<Motion>> made_;
};

class TurnBrake final : public ControlLaw<Rotation> {
 public:
  TurnBrake(double timeConstant, const Vector3& inertia) : timeConstant_(timeConstant), inertia_(inertia) {}

  void observe(const Sample<Rotation>&) override {}

  Vector3 force(const DrivenState<Rotation>& state) override {
    // what would take more than half of a turn's speed in one step is left to the next
    const Vector3 damping = (0.5 / state.step * inertia_).cwiseMin(inertia_.maxCoeff() / timeConstant_);
    const Matrix3 D = rotationMatrix(state.place);
    return -D * damping.cwiseProduct(D.transpose() * state.velocity);
  }

  void persist(Archive&) override {}

 private:
  double timeConstant_;
  Vector3 inertia_;
};

}  // namespace

HandLaw lawFor(const Model& model) {
  double mass = 0.0;
  for (const Body& body : model.bodies) mass += body.mass;
  HandLaw law;
  law.largestForce = 5.0 * mass * std::max(9.81, model.gravity.norm());
  return law;
}

HandLaws lawsOf(const HandLaw& law, const Vector3& inertia, double size, double shareOfStep) {
  return {std::make_unique<PullOfPerson<Translation>>(law, 3, size, shareOfStep),
          std::make_unique<TurnBrake>(law.timeConstant, inertia)};
}

HandLaws lawsOfTurning(const HandLaw& law, double size, double shareOfStep) {
  HandLaw about = law;
  about.largestForce *= size;
  return {nullptr, std::make_unique<PullOfPerson<Rotation>>(about, 3, 1.0, shareOfStep)};
}

HandLaws lawsOfCoordinate(const HandLaw& law, bool turns, double size, double shareOfStep) {
  HandLaw along = law;
  if (turns) along.largestForce *= size;
  return {std::make_unique<PullOfPerson<Translation>>(along, 1, turns ? 1.0 : size, shareOfStep), nullptr};
}

}  // namespace polhode
