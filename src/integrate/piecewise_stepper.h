#pragma once

#include "integrate/stepper.h"
#include "model/smooth_pieces.h"
#include "system/dae.h"
#include "system/ode.h"

#include <functional>
#include <memory>
#include <vector>

namespace polhode {

/// Any stepper, piece by piece: its steps end where a signal breaks, and there it begins anew with the equations behind the
/// break. Nothing that it knows of the motion before (estimates of errors, a history, matrices, dense output) is taken
/// across.
class PiecewiseStepper final : public Stepper {
 public:
  /// Makes the stepper of a piece: at its beginning, with this state, which is not to step beyond its end.
  using Make = std::function<std::unique_ptr<Stepper>(const SmoothPiece& piece, const VectorX& y)>;

  /// There is at least one piece.
  PiecewiseStepper(std::vector<SmoothPiece> pieces, const VectorX& y0, Make make);

  void step() override;
  double time() const override { return now_->time(); }
  double previousTime() const override { return now_->previousTime(); }
  const VectorX& state() const override { return now_->state(); }
  void interpolate(double t, VectorX& y) const override { now_->interpolate(t, y); }
  void replaceState(const VectorX& y) override { now_->replaceState(y); }
  const WorkCounts& work() const override;
  void persist(Archive& archive) override;
  std::string warning() const override { return warning_.empty() ? now_->warning() : warning_; }

 private:
  std::vector<SmoothPiece> pieces_;
  std::size_t piece_ = 0;
  Make make_;
  std::unique_ptr<Stepper> now_;
  VectorX begin_;             // the state with which the present piece was begun
  WorkCounts before_;         // of the pieces behind
  mutable WorkCounts total_;  // with the present one
  std::string warning_;       // the first one
};

/// Makes velocities follow at once where the rate of a drive jumps: replaces the state at that time.
using Impact = std::function<void(double t, VectorX& y)>;

/// A classical integrator by name (see makeOdeStepper) that steps through these pieces. Signals have at a break the value
/// behind it; a step that ends there sees the value before in all of its stages. Where the options give no largest step
/// it is that of each piece. Where a value or a rate jumps the piece begins with the state that `impact` makes of the last
/// one. With a single piece and no break this is the plain integrator.
std::unique_ptr<Stepper> makeOdeStepper(const std::string& name, const OdeSystem& ode,
                                        const std::vector<SmoothPiece>& pieces, const VectorX& y0,
                                        const IntegratorOptions& options, const Impact& impact = nullptr);

/// The same for differential-algebraic equations, by BdfDae.
std::unique_ptr<Stepper> makeDaeStepper(const DaeSystem& dae, const std::vector<SmoothPiece>& pieces, const VectorX& y0,
                                        const IntegratorOptions& options, const Impact& impact = nullptr);

}  // namespace polhode
