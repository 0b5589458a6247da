#include "analysis/engines/settings_fit.h"
#include "analysis/formulations/absolute_engine.h"
#include "analysis/formulations/formulations.h"
#include "system/index0_ode.h"
#include "system/mechanism_pieces.h"

namespace polhode {

namespace {

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
        projectsWithin_(findIntegrator(settings.integrator).keepsHistory) {
    setStepper([this, settings](double t, const VectorX& y) {
      return makeOdeStepper(settings.integrator, equations_, smoothPieces(this->mechanism(), t, settings.end), y,
                            integratorOptions(settings), impact());
    });
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
  bool projectsWithin_;  // as in null_space.cpp
};

}  // namespace

const FormulationType absoluteFormulation{
    .name = "absolute",
    .summary = "Coordinates and their derivatives, multipliers eliminated (index 0); drifts faster.",
    .takesBaumgarte = true,
    .make = [](const std::shared_ptr<const Mechanism>& mechanism, const SimulationSettings& settings)
        -> std::unique_ptr<ClassicalMechanismEngine> { return std::make_unique<Index0Engine>(mechanism, settings); }};

}  // namespace polhode
