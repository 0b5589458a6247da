#include "server/hand.h"

#include "control/control_equation.h"
#include "control/follower.h"
#include "control/limited_law.h"
#include "control/passive_law.h"
#include "integrate/mechanism/mechanism_state.h"

#include <algorithm>

namespace polhode::live {

namespace {

constexpr double neumannRatio = 0.5, mixedRatio = 1.2;  // rho1/(h^2 rho0) in the thesis

/// What a constant load makes of the control, with rho0 = 1.
double controlPerLoad(const std::string& method, double step) {
  ControlEquationGains gains = l2Gains(1.0);
  if (method == "h1-neumann") gains = neumannGains(1.0, neumannRatio * square(step), step);
  if (method == "h1-mixed") gains = mixedGains(1.0, mixedRatio * square(step), step, MixedSpace::fiveFunctions);
  return gains.ofLoad / (1.0 - gains.ofLast);
}

}  // namespace

ControlSettings controlSettings(const HandLaw& law, double step, double mobility) {
  ControlSettings settings;
  settings.method = law.method;
  settings.timeConstant = law.timeConstant;
  settings.largestForce = law.largestForce;
  settings.epsilon = std::min(1.0, step / law.timeConstant);
  settings.rho0 = controlPerLoad(law.method, step) * step * square(mobility * law.timeConstant);
  settings.rho1 = (law.method == "h1-mixed" ? mixedRatio : neumannRatio) * square(step) * settings.rho0;
  return settings;
}

void Hand::Law::observe(const Sample<Translation>& sample) {
  if (made_)
    made_->observe(sample);
  else
    first_ = sample;
}

Vector3 Hand::Law::force(const DrivenState<Translation>& state) {
  if (!made_) {
    made_ = std::make_unique<PassiveLaw>(
        std::make_unique<LimitedLaw<Translation>>(
            makeControlLaw<Translation>(controlSettings(law_, state.step, state.mobility.trace() / 3.0), shareOfStep_),
            law_.largestForce),
        PassiveSettings{law_.timeConstant, law_.largestForce, shareOfStep_});
    made_->observe(first_);
  }
  return made_->force(state);
}

Hand::Hand(const Model& model, const Grab& grab, const HandLaw& law, double step, double shareOfStep)
    : grab_(grab),
      timeConstant_(law.timeConstant),
      step_(step),
      shareOfStep_(shareOfStep),
      mechanism_(std::make_unique<const Mechanism>(model)),
      guide_(*mechanism_, step),
      law_(law, shareOfStep),
      grip_{static_cast<int>(grab.body), mechanism_->bodies()[grab.body].axes.transpose() * grab.point, &law_,
            nullptr} {}

void Hand::moveTo(double time, const Vector3& target) {
  grab_.target = target;
  isFirst_ = false;
  law_.observe({time, target});
}

void Hand::follow(const HandLaw& law) {
  law_ = Law(law, shareOfStep_);
  timeConstant_ = law.timeConstant;
  isFirst_ = true;
}

Vector3 Hand::torque(const MechanismMotion& motion) const {
  const MovingPlacement& body = motion[grab_.body];
  const Vector3& inertia = mechanism_->bodies()[grab_.body].inertia;
  // what would take more than half of a turn's speed in one step is left to the next
  const Vector3 damping = (0.5 / step_ * inertia).cwiseMin(inertia.maxCoeff() / timeConstant_);
  return -body.at.D * damping.cwiseProduct(body.at.D.transpose() * turnRate(body));
}

void Hand::begin(double time) {
  if (isFirst_) moveTo(time, grab_.target);
}

Vector3 Hand::force(double time, const MechanismMotion& motion) {
  Wrench wrench;
  guide_.guide(time, motion, {&grip_, 1}, {&wrench, 1});
  return wrench.force;
}

}  // namespace polhode::live
