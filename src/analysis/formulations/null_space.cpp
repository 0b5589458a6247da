#include "analysis/engines/settings_fit.h"
#include "analysis/formulations/formulations.h"
#include "integrate/piecewise_stepper.h"
#include "system/mechanism_pieces.h"
#include "system/mechanism_system.h"
#include "system/null_space_mechanism.h"
#include "system/selected_constraints.h"

namespace polhode {

namespace {

class NullSpaceEngine final : public ClassicalMechanismEngine {
 public:
  NullSpaceEngine(std::shared_ptr<const Mechanism> mechanism, const SimulationSettings& settings)
      : ClassicalMechanismEngine(mechanism, settings),
        equations_(makeNullSpaceMechanism(mechanism, settings.coordinates)),
        projectsWithin_(findIntegrator(settings.integrator).keepsHistory) {
    if (settings.projection != "none") {
      projected_ = std::make_shared<SelectedConstraints>(makeMechanismSystem(mechanism, settings.coordinates),
                                                         redundancy().rows());
      equations_->setProjection(projected_);
    }
    setStepper([this, settings](double t, const VectorX& y) {
      return makeOdeStepper(settings.integrator, *equations_, smoothPieces(this->mechanism(), t, settings.end), y,
                            integratorOptions(settings), [this](double at, VectorX& state) {
                              const int rates = equations_->rates();  // those that the drives allow
                              state.tail(rates) = equations_->stateOf(equations_->motionOf(at, state)).tail(rates);
                            });
    });
  }

  MechanismMotion motion(double t, const VectorX& y) const override { return equations_->motionOf(t, y); }

  void projectState() override {
    if (!projectsWithin_) projectOnto(*equations_);
  }

 protected:
  VectorX stateOf(double, const MechanismMotion& bodies) const override { return equations_->stateOf(bodies); }
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

}  // namespace

const FormulationType nullSpaceFormulation{
    .name = "null-space",
    .summary =
        "Position in the coordinates, velocity by the angular velocity: constraints hold on the level of velocity by "
        "construction.",
    .takesAngles = true,
    .make = [](const std::shared_ptr<const Mechanism>& mechanism,
               const SimulationSettings& settings) -> std::unique_ptr<ClassicalMechanismEngine> {
      return std::make_unique<NullSpaceEngine>(mechanism, settings);
    }};

}  // namespace polhode
