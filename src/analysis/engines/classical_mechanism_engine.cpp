#include "analysis/engines/classical_mechanism_engine.h"

#include "analysis/engines/settings_fit.h"
#include "analysis/mechanism_observation.h"
#include "integrate/archive.h"
#include "integrate/piecewise_stepper.h"
#include "math/largest.h"
#include "polhode/error.h"
#include "system/index0_ode.h"
#include "system/index_formulation.h"
#include "system/mechanism_pieces.h"
#include "system/mechanism_system.h"
#include "system/null_space_mechanism.h"
#include "system/selected_constraints.h"
#include "system/work.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double nearSingular = 0.02;  // of the strongest that the rows of joints were on the way

}  // namespace

ClassicalMechanismEngine::ClassicalMechanismEngine(std::shared_ptr<const Mechanism> mechanism,
                                                   const SimulationSettings& settings)
    : mechanism_(std::move(mechanism)),
      redundancy_(*mechanism_),
      closed_(*mechanism_, redundancy_, settings.tolerance),
      integrator_(settings.integrator),
      storedAtStart_(storedByWorkers(*mechanism_, initialMotion(*mechanism_))),
      watch_(mechanism_) {}

void ClassicalMechanismEngine::setStepper(VouchedStepper::Maker make, const VectorX& y) {
  MeteredStepper::Quantity power;
  if (hasWorkers(*mechanism_)) power = [this](double t, const VectorX& at) { return this->power(t, at); };
  StepWitness& witness = *this;
  stepper_ = std::make_unique<MeteredStepper>(std::make_unique<VouchedStepper>(std::move(make), witness, 0.0, y),
                                              std::move(power));
}

bool ClassicalMechanismEngine::prepare(double t, VectorX& y) {
  if (mechanism_->topology().cutJoints.empty()) return false;
  const bool changed = redundancy_.review(t, motion(t, y));
  seeSingularity(t);
  if (changed) leaveOut(redundancy_.rows(), t, y);
  return changed;
}

bool ClassicalMechanismEngine::remedy(double t, VectorX& y) {
  if (!redundancy_.chooseAnew(t, motion(t, y))) return false;
  leaveOut(redundancy_.rows(), t, y);
  return true;
}

StepWitness::Objection ClassicalMechanismEngine::objection(double t, const VectorX& y) {
  if (!y.allFinite())
    return {
        fmt::format("at t = {:.6g} the state is not finite; look at forces that grow without bound, or give a smaller "
                    "tolerance",
                    t)};
  if (const double off = chartViolation(y); !(off <= closed_.torn()))
    return {
        fmt::format("at t = {:.6g} a body's rotation is none any more: its coordinates are off by {:.3g}; give a "
                    "smaller tolerance, or projection = \"explicit\"",
                    t, off)};
  const MechanismMotion bodies = motion(t, y);
  const ClosedJoints::Verdict verdict = closed_.look(t, bodies);
  if (verdict.state == ClosedJoints::State::closed) return {};
  // rows that part by little may stand where no other choice is better, unless drives contradict each other
  const bool isFatal = verdict.state == ClosedJoints::State::torn || closed_.isContradiction(verdict, t, bodies);
  return {closed_.words(verdict, t, bodies), isFatal};
}

void ClassicalMechanismEngine::seeSingularity(double t) {
  const double now = redundancy_.weakest();
  strongest_ = std::max(strongest_, now);
  if (now < weakest_) {
    weakest_ = now;
    weakestTime_ = t;
  }
}

std::string ClassicalMechanismEngine::warning() const {
  const std::string ofStepper = stepper_->warning();
  if (mechanism_->topology().cutJoints.empty() || weakest_ >= nearSingular * strongest_) return ofStepper;
  return ofStepper + (ofStepper.empty() ? "" : "; ") +
         fmt::format(
             "near t = {:.4g} the mechanism passed a singular position, or nearly, where its joints hardly determine "
             "how it "
             "goes "
             "on; {} may have left the motion there: compare with another tolerance, or with director-em",
             weakestTime_, integrator_);
}

double ClassicalMechanismEngine::power(double t, const VectorX& y) const {
  const MechanismMotion bodies = motion(t, y);
  double sum = powerOfForces(*mechanism_, t, bodies);
  if (mechanism_->isDriven()) sum += powerOfDrives(*mechanism_, t, bodies, pulls(t, y));
  return sum;
}

void ClassicalMechanismEngine::persist(Archive& archive) {
  archive(redundancy_, strongest_, weakest_, weakestTime_);
  if (archive.restores() && !mechanism_->topology().cutJoints.empty()) {
    VectorX y = stepper_->state();
    leaveOut(redundancy_.rows(), stepper_->time(), y);
  }
  Engine::persist(archive);
  archive(watch_);
}

Observation ClassicalMechanismEngine::observed(double t, const VectorX& y, Detail detail) const {
  const MechanismMotion bodies = motion(t, y);
  Observation o = observeMechanism(*mechanism_, t, bodies);
  complete(o, t, y, bodies);
  watch_.tell(o, bodies, detail);
  return o;
}

Balance ClassicalMechanismEngine::balance(double t, const VectorX& y) const {
  const MechanismMotion bodies = motion(t, y);
  Balance sums = balanceOf(*mechanism_, t, bodies);
  complete(sums, t, y, bodies);
  watch_.follow(t, bodies);
  return sums;
}

void ClassicalMechanismEngine::complete(Balance& sums, double t, const VectorX& y,
                                        const MechanismMotion& bodies) const {
  sums.work = stepper_->integralUntil(t) + storedByWorkers(*mechanism_, bodies) - storedAtStart_;
  sums.positionViolation = largestOrNaN(sums.positionViolation, chartViolation(y));
}

namespace {

class NullSpaceEngine final : public ClassicalMechanismEngine {
 public:
  NullSpaceEngine(std::shared_ptr<const Mechanism> mechanism, const SimulationSettings& settings)
      : ClassicalMechanismEngine(mechanism, settings),
        equations_(makeNullSpaceMechanism(mechanism, settings.coordinates)),
        projectsWithin_(settings.integrator == "bdf") {
    if (settings.projection != "none") {
      projected_ = std::make_shared<SelectedConstraints>(makeMechanismSystem(mechanism, settings.coordinates),
                                                         redundancy().rows());
      equations_->setProjection(projected_);
    }
    setStepper(
        [this, settings](double t, const VectorX& y) {
          return makeOdeStepper(settings.integrator, *equations_, smoothPieces(this->mechanism(), t, settings.end), y,
                                integratorOptions(settings), [this](double at, VectorX& state) {
                                  const int rates = equations_->rates();  // those that the drives allow
                                  state.tail(rates) = equations_->stateOf(equations_->motionOf(at, state)).tail(rates);
                                });
        },
        equations_->stateOf(initialMotion(*mechanism)));
  }

  MechanismMotion motion(double t, const VectorX& y) const override { return equations_->motionOf(t, y); }

  void projectState() override {
    if (!projectsWithin_) projectOnto(*equations_);
  }

 protected:
  double chartViolation(const VectorX& y) const override { return equations_->chartViolation(y); }
  VectorX pulls(double t, const VectorX& y) const override { return equations_->pulls(t, y); }

  /// Positions stay as they are: velocities are projected wherever they are needed.
  void leaveOut(const std::vector<int>& rows, double, VectorX&) override {
    equations_->leaveOut(rows);
    if (projected_) projected_->leaveOut(rows);
  }

 private:
  std::unique_ptr<NullSpaceMechanism> equations_;
  std::shared_ptr<SelectedConstraints> projected_;
  bool projectsWithin_;  // a multistep code projects within its step, since a replaced state would make it begin anew
};

/// What the formulations in absolute coordinates y = (q, v, ...) share.
class AbsoluteEngine : public ClassicalMechanismEngine {
 public:
  MechanismMotion motion(double, const VectorX& y) const override {
    const int n = system_->coordinates();
    return system_->motion(y.head(n), y.segment(n, n));
  }

 protected:
  VectorX pulls(double t, const VectorX& y) const override { return -multipliers(t, y); }

  AbsoluteEngine(std::shared_ptr<const Mechanism> mechanism, const SimulationSettings& settings)
      : ClassicalMechanismEngine(mechanism, settings),
        system_(makeMechanismSystem(mechanism, settings.coordinates)),
        selected_(std::make_shared<SelectedConstraints>(system_, redundancy().rows())) {
    const MechanismMotion start = initialMotion(*mechanism);
    q0_ = system_->position(start);
    v0_ = system_->velocity(q0_, start);
  }

  double chartViolation(const VectorX& y) const override {
    VectorX g(system_->constraints());
    system_->constraint(y.head(system_->coordinates()), g);
    return largestSizeOrNaN(g.tail(system_->constraints() - mechanism().rows()));
  }

  /// Puts (q, v) of a state onto the constraints.
  Impact impact() const {
    const auto constraints = std::make_shared<const Index0Ode>(selected_);
    return [constraints](double t, VectorX& y) {
      VectorX qv = y.head(constraints->size());
      constraints->project(t, qv);
      y.head(constraints->size()) = qv;
    };
  }

  /// Moves q and v to where the rows that are kept now are fulfilled, by about the roundings of the model.
  void leaveOut(const std::vector<int>& rows, double t, VectorX& y) override {
    selected_->leaveOut(rows);
    const int n = system_->coordinates();
    VectorX qv = y.head(2 * n);
    Index0Ode(selected_).project(t, qv);
    y = stateAt(t, qv.head(n), qv.tail(n));
  }

  /// y = (q, v, ...)
  virtual VectorX stateAt(double t, const VectorX& q, const VectorX& v) const = 0;

  std::shared_ptr<const MechanismSystem> system_;
  std::shared_ptr<SelectedConstraints> selected_;  // without the redundant ones
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

class Index0Engine final : public AbsoluteEngine {
 public:
  Index0Engine(const std::shared_ptr<const Mechanism>& mechanism, const SimulationSettings& settings)
      : AbsoluteEngine(mechanism, settings),
        equations_(selected_, settings),
        projectsWithin_(settings.integrator == "bdf") {
    setStepper(
        [this, settings](double t, const VectorX& y) {
          return makeOdeStepper(settings.integrator, equations_, smoothPieces(this->mechanism(), t, settings.end), y,
                                integratorOptions(settings), impact());
        },
        equations_.initialValue(q0_, v0_));
  }

  void projectState() override {
    if (!projectsWithin_) projectOnto(equations_);
  }
  VectorX multipliers(double t, const VectorX& y) const override {
    return selected_->allMultipliers(equations_.multipliers(t, y));
  }

 protected:
  VectorX stateAt(double, const VectorX& q, const VectorX& v) const override { return equations_.initialValue(q, v); }

 private:
  ChosenIndex0 equations_;
  bool projectsWithin_;  // as above
};

class IndexEngine final : public AbsoluteEngine {
 public:
  IndexEngine(const std::shared_ptr<const Mechanism>& mechanism, const SimulationSettings& settings)
      : AbsoluteEngine(mechanism, settings),
        equations_(selected_, *constraintLevel(settings.formulation), settings.baumgarte.value_or(Baumgarte{})) {
    setStepper(
        [this, settings](double t, const VectorX& y) {
          return makeDaeStepper(equations_, smoothPieces(this->mechanism(), t, settings.end), y,
                                integratorOptions(settings), impact());
        },
        equations_.initialValue(0.0, q0_, v0_));
  }

  VectorX multipliers(double, const VectorX& y) const override {
    return selected_->allMultipliers(y.segment(2 * selected_->coordinates(), selected_->constraints()));
  }

 protected:
  VectorX stateAt(double t, const VectorX& q, const VectorX& v) const override {
    return equations_.initialValue(t, q, v);
  }

 private:
  IndexFormulation equations_;
};

std::string classicalMechanismObstacle(const Model&, const SimulationSettings& settings) {
  if (const std::string found = formulationObstacle(settings); !found.empty()) return found;
  if (!settings.baumgarte || settings.formulation == "absolute" || settings.formulation == "index-1") return "";
  if (settings.formulation == "null-space")
    return "baumgarte damps a drift that formulation 'null-space' does not have; use it with 'absolute' or 'index-1', "
           "or leave it out";
  return fmt::format(
      "baumgarte does not go with formulation '{}', which has constraints on other levels; use it with 'absolute' or "
      "'index-1', or leave it out",
      settings.formulation);
}

}  // namespace

const EngineType ClassicalMechanismEngine::type = {
    "classical mechanism",
    "mechanisms in any formulation by the classical integrators",
    {.denseOutput = true, .movesDrives = true, .couplesJoints = true},
    [](const Model&, const SimulationSettings&) { return true; },
    classicalMechanismObstacle,
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return makeClassicalMechanismEngine(model, settings);
    }};

std::unique_ptr<ClassicalMechanismEngine> makeClassicalMechanismEngine(const Model& model,
                                                                       const SimulationSettings& settings) {
  const auto mechanism = std::make_shared<const Mechanism>(model);
  if (settings.formulation == "null-space") return std::make_unique<NullSpaceEngine>(mechanism, settings);
  if (settings.formulation == "absolute") return std::make_unique<Index0Engine>(mechanism, settings);
  if (constraintLevel(settings.formulation)) return std::make_unique<IndexEngine>(mechanism, settings);
  throw InputError(fmt::format("there is no formulation '{}'; see `polhode list formulations`", settings.formulation));
}

}  // namespace polhode
