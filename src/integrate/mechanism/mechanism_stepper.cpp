#include "integrate/mechanism/mechanism_stepper.h"

#include "integrate/archive.h"
#include "integrate/catalogue.h"
#include "integrate/composition.h"
#include "integrate/first_chosen_step.h"
#include "integrate/hermite.h"
#include "math/largest.h"
#include "math/rotation_maps.h"
#include "polhode/error.h"
#include "system/mechanism_extent.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace polhode {

static_assert(sizeof(MovingPlacement) == 24 * sizeof(double));

MechanismStepper::MechanismStepper(const Mechanism& mechanism, int order, double end, double length, Scheme scheme)
    : ConservingStepperOf(scheme == Scheme::director ? "director-em"
                          : order == 0               ? "director-gauss"
                                                     : fmt::format("director-gauss-{}", order),
                          end, length),
      engine_(mechanism, scheme == Scheme::gauss ? 1 : static_cast<int>(subStepsOf(order, false).size())),
      size_(extentOf(mechanism).size) {
  if (scheme == Scheme::gauss) {
    gauss_ = std::make_unique<GaussOrders>(mechanism, order);
    setOrder(gauss_->order());
  } else if (order > 2) {
    compose(order);
  }
  state_ = engine_.start();
  beginAt(0.0);
}

void MechanismStepper::setLoad(std::size_t body, const BodyLoad& load) {
  gauss_ ? gauss_->setLoad(body, load) : engine_.setLoad(body, load);
}

void MechanismStepper::goOnFrom(double time, const MechanismMotion& bodies) {
  state_ = engine_.start();
  state_.time = time;
  state_.bodies = bodies;
  beginAt(time);
}

/// The largest distance of a body, relative to the size of the mechanism, or angle.
double MechanismStepper::distance(const MechanismState& a, const MechanismState& b) const {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Placement &p = a.bodies[i].at, &q = b.bodies[i].at;
    for (const double apart : {(p.x - q.x).norm() / size_, (p.D - q.D).norm() / std::sqrt(2.0)})
      largest = largestOrNaN(largest, apart);
  }
  return largest;
}

/// With the rates of the drives; where something happens these are taken over behind it.
void MechanismStepper::arrive(double time, bool somethingHappens) {
  state_.time = time;
  if (!somethingHappens) engine_.followDrives(state_);
  if (!gauss_) return;
  if (!inexactSince_ && gauss_->missesWork()) inexactSince_ = this->time();
  if (!choosesSteps()) return;
  changeNextStep(gauss_->taken(time - this->time(), tolerance()));
  setOrder(gauss_->order());
}

std::string MechanismStepper::warning() const {
  if (!inexactSince_) return "";
  return fmt::format(
      "some steps from t = {:.4g} on are so long for the springs that energy is only as exact as the placements; take "
      "a smaller step or tolerance",
      *inexactSince_);
}

bool MechanismStepper::passBreak() {
  engine_.followDrives(state_);
  return engine_.mechanism().isDriven();
}

void MechanismStepper::show(VectorX& y) const {
  y.resize(24 * static_cast<Eigen::Index>(state_.bodies.size()) + 1);
  std::memcpy(y.data(), state_.bodies.data(), state_.bodies.size() * sizeof(MovingPlacement));
  y[y.size() - 1] = state_.work;
}

void MechanismStepper::take(const VectorX& y) {
  state_.bodies = motionFrom(y);
  state_.lost.clear();
  state_.work = workFrom(y);
}

void MechanismStepper::persistScheme(Archive& archive) {
  archive.section("director-em");
  archive(engine_, state_);
  if (!gauss_) return;
  archive(*gauss_, inexactSince_);
  setOrder(gauss_->order());
}

std::span<const MovingPlacement> MechanismStepper::motionIn(const VectorX& y) {
  return {reinterpret_cast<const MovingPlacement*>(y.data()), static_cast<std::size_t>(y.size() / 24)};
}

MechanismMotion MechanismStepper::motionFrom(const VectorX& y) {
  const auto bodies = motionIn(y);
  return {bodies.begin(), bodies.end()};
}

void MechanismStepper::blend(const VectorX& from, const VectorX& to, double h, double s, VectorX& y) const {
  y = (1.0 - s) * from + s * to;
  if (gauss_) {
    const double work = workFrom(y);
    y = from;
    gauss_->within(s, {reinterpret_cast<MovingPlacement*>(y.data()), static_cast<std::size_t>(y.size() / 24)});
    y[y.size() - 1] = work;
  }
  const auto cubic = [&](int at, int rate, int count) {
    const auto x0 = from.segment(at, count), v0 = from.segment(rate, count);
    const auto x1 = to.segment(at, count), v1 = to.segment(rate, count);
    y.segment(at, count) = hermite(h, s, x0, v0, x1, v1);
    y.segment(rate, count) = hermiteRate(h, s, x0, v0, x1, v1);
  };
  for (int at = 0; at + 24 <= y.size(); at += 24) {
    if (!gauss_) {
      cubic(at, at + 12, 3);
      cubic(at + 3, at + 15, 9);
    }
    Eigen::Map<Matrix3> D(y.data() + at + 3), W(y.data() + at + 15);
    for (int pass = 0; pass < 3; ++pass) D = (D * (1.5 * Matrix3::Identity() - 0.5 * D.transpose() * D)).eval();
    Vector3 turning = Vector3::Zero();
    for (int i = 0; i < 3; ++i) turning += 0.5 * D.col(i).cross(W.col(i));
    W = hat(turning) * D;
  }
}

std::unique_ptr<MechanismStepper> makeMechanismStepper(const std::string& name, const Mechanism& mechanism, double tEnd,
                                                       std::optional<double> length, double tolerance,
                                                       std::optional<double> largest) {
  const NamedIntegrator named = parseIntegrator(name);
  const bool isGauss = named.info.moves == IntegratorKind::directorGauss;
  if (named.info.moves != IntegratorKind::director && !isGauss)
    throw InputError(
        fmt::format("integrator '{}' does not move mechanisms; choose director-em, director-em-4, "
                    "director-em-6, director-em-8 or director-gauss-4 to director-gauss-16",
                    name));
  auto stepper = std::make_unique<MechanismStepper>(
      mechanism, named.order, tEnd, length ? *length : firstChosenStep(mechanism, tEnd),
      isGauss ? MechanismStepper::Scheme::gauss : MechanismStepper::Scheme::director);
  if (!length) stepper->control(tolerance);
  stepper->endStepsAt(length ? StepBreaks::ofFixedSteps(mechanism, tEnd)
                             : StepBreaks::ofChosenSteps(mechanism, tEnd, largest));
  return stepper;
}

}  // namespace polhode
