#include "analysis/engines/settings_fit.h"
#include "analysis/formulations/absolute_engine.h"
#include "analysis/formulations/formulations.h"
#include "system/index_formulation.h"
#include "system/mechanism_pieces.h"

namespace polhode {

namespace {

class IndexEngine final : public AbsoluteEngine {
 public:
  IndexEngine(const std::shared_ptr<const Mechanism>& mechanism, const SimulationSettings& settings,
              ConstraintLevel level)
      : AbsoluteEngine(mechanism, settings), equations_(selected_, level, settings.baumgarte.value_or(Baumgarte{})) {
    setStepper([this, settings](double t, const VectorX& y) {
      return makeDaeStepper(equations_, smoothPieces(this->mechanism(), t, settings.end), y,
                            integratorOptions(settings), impact());
    });
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

template <ConstraintLevel Level>
std::unique_ptr<ClassicalMechanismEngine> withMultipliers(const std::shared_ptr<const Mechanism>& mechanism,
                                                          const SimulationSettings& settings) {
  return std::make_unique<IndexEngine>(mechanism, settings, Level);
}

}  // namespace

const FormulationType index1Formulation{
    .name = "index-1",
    .summary = "With multipliers, constraints on the level of acceleration; integrator bdf only.",
    .isDifferentialAlgebraic = true,
    .takesBaumgarte = true,
    .make = withMultipliers<ConstraintLevel::acceleration>};

const FormulationType index2Formulation{
    .name = "index-2",
    .summary = "With multipliers, constraints on the level of velocity; integrator bdf only.",
    .isDifferentialAlgebraic = true,
    .make = withMultipliers<ConstraintLevel::velocity>};

const FormulationType index3Formulation{
    .name = "index-3",
    .summary = "With multipliers, constraints on the level of position; integrator bdf only.",
    .isDifferentialAlgebraic = true,
    .make = withMultipliers<ConstraintLevel::position>};

const FormulationType gglFormulation{
    .name = "ggl",
    .summary = "Constraints on the levels of position and velocity (Gear, Gupta & Leimkuhler); integrator bdf only.",
    .isDifferentialAlgebraic = true,
    .make = withMultipliers<ConstraintLevel::stabilised>};

}  // namespace polhode
