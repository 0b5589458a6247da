#include "polhode/analysis/classical_mechanism_run.h"

#include "polhode/analysis/index_body_run.h"
#include "polhode/analysis/mechanism_observation.h"
#include "polhode/analysis/single_body_run.h"
#include "polhode/error.h"
#include "polhode/integrate/bdf_dae.h"
#include "polhode/integrate/catalogue.h"
#include "polhode/system/index0_ode.h"
#include "polhode/system/index_formulation.h"
#include "polhode/system/mechanism_system.h"
#include "polhode/system/mobility.h"
#include "polhode/system/null_space_mechanism.h"
#include "polhode/system/selected_constraints.h"
#include "polhode/system/work.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

ClassicalMechanismRun::ClassicalMechanismRun(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)),
      storedAtStart_(storedByWorkers(*mechanism_, initialMotion(*mechanism_))),
      watch_(mechanism_) {}

void ClassicalMechanismRun::setStepper(std::unique_ptr<Stepper> stepper) {
  MeteredStepper::Quantity power;
  if (hasWorkers(*mechanism_)) power = [this](double t, const VectorX& y) { return this->power(t, y); };
  stepper_ = std::make_unique<MeteredStepper>(std::move(stepper), std::move(power));
}

double ClassicalMechanismRun::power(double t, const VectorX& y) const {
  const MechanismMotion bodies = motion(t, y);
  double sum = powerOfForces(*mechanism_, t, bodies);
  if (mechanism_->isDriven()) sum += powerOfDrives(*mechanism_, t, bodies, pulls(t, y));
  return sum;
}

Observation ClassicalMechanismRun::observed(double t, const VectorX& y, Detail detail) const {
  const MechanismMotion bodies = motion(t, y);
  Observation o = observeMechanism(*mechanism_, t, bodies);
  o.work = stepper_->integralUntil(t) + storedByWorkers(*mechanism_, bodies) - storedAtStart_;
  o.positionViolation = std::max(o.positionViolation, chartViolation(y));
  watch_.tell(o, bodies, detail);
  return o;
}

namespace {

class NullSpaceRun final : public ClassicalMechanismRun {
 public:
  NullSpaceRun(std::shared_ptr<const Mechanism> mechanism, const SimulationSettings& settings)
      : ClassicalMechanismRun(mechanism),
        equations_(makeNullSpaceMechanism(mechanism, settings.coordinates)),
        projectsWithin_(settings.integrator == "bdf") {
    if (settings.baumgarte)
      throw InputError(
          "baumgarte damps a drift that formulation 'null-space' does not have; use it with 'absolute' or "
          "'index-1', or leave it out");
    if (settings.projection != "none") {
      const auto system = makeMechanismSystem(mechanism, settings.coordinates);
      equations_->setProjection(std::make_shared<SelectedConstraints>(system, equations_->loops().redundantRows()));
    }
    setStepper(makeOdeStepper(settings.integrator, *equations_, 0.0, equations_->stateOf(initialMotion(*mechanism)),
                              settings.end, integratorOptions(settings)));
  }

  MechanismMotion motion(double t, const VectorX& y) const override { return equations_->motionOf(t, y); }

  bool project(double t, VectorX& y) const override { return !projectsWithin_ && equations_->project(t, y); }

 protected:
  double chartViolation(const VectorX& y) const override { return equations_->chartViolation(y); }
  VectorX pulls(double t, const VectorX& y) const override { return equations_->pulls(t, y); }

 private:
  std::unique_ptr<NullSpaceMechanism> equations_;
  bool projectsWithin_;  // a multistep code projects within its step, since a replaced state would make it begin anew
};

/// What the formulations in absolute coordinates y = (q, v, ...) share.
class AbsoluteRun : public ClassicalMechanismRun {
 public:
  MechanismMotion motion(double, const VectorX& y) const override {
    const int n = system_->coordinates();
    return system_->motion(y.head(n), y.segment(n, n));
  }

 protected:
  VectorX pulls(double t, const VectorX& y) const override { return -multipliers(t, y); }

  AbsoluteRun(std::shared_ptr<const Mechanism> mechanism, const SimulationSettings& settings)
      : ClassicalMechanismRun(mechanism),
        system_(makeMechanismSystem(mechanism, settings.coordinates)),
        selected_(std::make_shared<SelectedConstraints>(system_, mobilityOf(*mechanism).redundantRows)) {
    const MechanismMotion start = initialMotion(*mechanism);
    q0_ = system_->position(start);
    v0_ = system_->velocity(q0_, start);
  }

  double chartViolation(const VectorX& y) const override {
    VectorX g(system_->constraints());
    system_->constraint(y.head(system_->coordinates()), g);
    return g.tail(system_->constraints() - mechanism().rows()).cwiseAbs().maxCoeff();
  }

  std::shared_ptr<const MechanismSystem> system_;
  std::shared_ptr<const SelectedConstraints> selected_;  // without the redundant ones
  VectorX q0_, v0_;
};

/// Index 0 that projects only where this was asked for.
class ChosenIndex0 final : public Index0Ode {
 public:
  ChosenIndex0(std::shared_ptr<const ConstrainedSystem> system, const SimulationSettings& settings)
      : Index0Ode(std::move(system), settings.baumgarte.value_or(Baumgarte{})),
        projects_(settings.projection != "none") {}

  bool project(double t, VectorX& y) const override { return projects_ && Index0Ode::project(t, y); }

 private:
  bool projects_;
};

class Index0Run final : public AbsoluteRun {
 public:
  Index0Run(const std::shared_ptr<const Mechanism>& mechanism, const SimulationSettings& settings)
      : AbsoluteRun(mechanism, settings),
        equations_(selected_, settings),
        projectsWithin_(settings.integrator == "bdf") {
    setStepper(makeOdeStepper(settings.integrator, equations_, 0.0, equations_.initialValue(q0_, v0_), settings.end,
                              integratorOptions(settings)));
  }

  bool project(double t, VectorX& y) const override { return !projectsWithin_ && equations_.project(t, y); }
  VectorX multipliers(double t, const VectorX& y) const override {
    return selected_->allMultipliers(equations_.multipliers(t, y));
  }

 private:
  ChosenIndex0 equations_;
  bool projectsWithin_;  // as above
};

class IndexRun final : public AbsoluteRun {
 public:
  IndexRun(const std::shared_ptr<const Mechanism>& mechanism, const SimulationSettings& settings)
      : AbsoluteRun(mechanism, settings),
        equations_(selected_, levelNamed(settings.formulation), settings.baumgarte.value_or(Baumgarte{})) {
    requireIndexFit(settings);
    if (settings.baumgarte && settings.formulation != "index-1")
      throw InputError(
          fmt::format("baumgarte does not go with formulation '{}', which has constraints on other levels; "
                      "use it with 'absolute' or 'index-1', or leave it out",
                      settings.formulation));
    setStepper(std::make_unique<BdfDae>(equations_, 0.0, equations_.initialValue(0.0, q0_, v0_), settings.end,
                                        integratorOptions(settings)));
  }

  VectorX multipliers(double, const VectorX& y) const override {
    return selected_->allMultipliers(y.segment(2 * selected_->coordinates(), selected_->constraints()));
  }

 private:
  IndexFormulation equations_;
};

}  // namespace

std::unique_ptr<ClassicalMechanismRun> makeClassicalMechanismRun(const Model& model,
                                                                 const SimulationSettings& settings) {
  const auto mechanism = std::make_shared<const Mechanism>(model);
  if (settings.formulation == "null-space") return std::make_unique<NullSpaceRun>(mechanism, settings);
  if (settings.formulation == "absolute") return std::make_unique<Index0Run>(mechanism, settings);
  if (IndexBodyRun::handles(settings.formulation)) return std::make_unique<IndexRun>(mechanism, settings);
  throw InputError(fmt::format("there is no formulation '{}'; see `polhode list formulations`", settings.formulation));
}

}  // namespace polhode
