#pragma once

#include "integrate/conserving_stepper.h"
#include "integrate/mechanism/director_engine.h"
#include "integrate/mechanism/gauss_orders.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace polhode {

/// The director scheme on a mechanism, or Gauss collocation with some stages, as a stepper. Its state is, for each body, x, D (column by column), v and W, and
/// after all bodies the work of loads and dampers.
///
/// Within a step of collocation the motion is that of its polynomials. Otherwise placements follow Hermite's cubics, which are right to the third order (as the rates are to the second);
/// the directors are made orthonormal, and their rates tangential, W = omega^ D.
class MechanismStepper final : public ConservingStepperOf<MechanismState> {
 public:
  /// Of a step's acceleration that moves a body in the same step, for laws that look ahead (control/receding_horizon.h).
  static constexpr double shareOfStep = 0.5;

  /// `length` is that of the steps, or the first one where they are chosen; `order` that of a composition, or 2, or that of
  /// Gauss collocation, 0 for the one that costs least.
  enum class Scheme { director, gauss };
  MechanismStepper(const Mechanism& mechanism, int order, double end, double length, Scheme scheme = Scheme::director);

  DirectorEngine& engine() { return engine_; }
  void setLoad(std::size_t body, const BodyLoad& load);
  const MechanismState& mechanismState() const { return state_; }

  /// Begins anew at that time, with the bodies moving as given.
  void goOnFrom(double time, const MechanismMotion& bodies);

  /// A motion that this stepper has shown, as it is to be told. Collocation's velocities at the ends of steps, with which
  /// energy and momenta are exact, miss orthonormality and joints by about h^s; the nearest ones that do not have its order 2s.
  MechanismMotion told(double t, MechanismMotion shown) {
    return gauss_ ? engine_.fitting(t, std::move(shown)) : std::move(shown);
  }

  std::string warning() const override;

  static MechanismMotion motionFrom(const VectorX& y);

  /// The same where it lies; as long as y stays.
  static std::span<const MovingPlacement> motionIn(const VectorX& y);
  static double workFrom(const VectorX& y) { return y[y.size() - 1]; }

 private:
  StepReport bareStep(double, double h, int part) override {
    return gauss_ ? gauss_->step(state_, h, largestError()) : engine_.step(state_, h, part);
  }
  double estimatedError() const override { return gauss_ ? gauss_->estimate() : -1.0; }
  void forget() override {
    if (gauss_) gauss_->forget();
  }
  void refuse() override {
    if (gauss_) gauss_->refuse();
  }
  double distance(const MechanismState& a, const MechanismState& b) const override;
  void show(VectorX& y) const override;
  void take(const VectorX& y) override;
  void persistScheme(Archive& archive) override;
  void blend(const VectorX& from, const VectorX& to, double h, double s, VectorX& y) const override;
  void arrive(double time, bool somethingHappens) override;
  bool passBreak() override;
  std::string remedy() const override { return "take a smaller step, or a tolerance instead of a step"; }

  DirectorEngine engine_;
  std::unique_ptr<GaussOrders> gauss_;  // in the place of that
  std::optional<double> inexactSince_;  // the begin of the first step that was too long for its springs
  double size_;                         // of the mechanism
};

/// With steps of a fixed length, or chosen for the tolerance. Steps end where a drive or a load kinks or jumps; chosen ones
/// are at most `largest` long (step_breaks.h). Throws InputError for a name that is none.
std::unique_ptr<MechanismStepper> makeMechanismStepper(const std::string& name, const Mechanism& mechanism, double tEnd,
                                                       std::optional<double> length, double tolerance,
                                                       std::optional<double> largest = std::nullopt);

}  // namespace polhode
