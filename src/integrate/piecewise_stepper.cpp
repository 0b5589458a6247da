#include "integrate/piecewise_stepper.h"

#include "integrate/archive.h"
#include "integrate/bdf_dae.h"
#include "integrate/catalogue.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

/// The instants at which equations are evaluated in a piece.
class Instants {
 public:
  void set(const SmoothPiece& piece) { first_ = piece.firstInstant, last_ = piece.lastInstant; }
  double of(double t) const { return std::clamp(t, first_, last_); }

 private:
  double first_ = 0.0, last_ = 0.0;
};

/// An equation within a piece.
class OdeInPiece final : public OdeSystem {
 public:
  explicit OdeInPiece(const OdeSystem& ode) : ode_(ode) {}
  void enter(const SmoothPiece& piece) { instants_.set(piece); }

  int size() const override { return ode_.size(); }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    ode_.derivative(instants_.of(t), y, dydt);
  }
  bool project(double t, VectorX& y) const override { return ode_.project(instants_.of(t), y); }

 private:
  const OdeSystem& ode_;
  Instants instants_;
};

class DaeInPiece final : public DaeSystem {
 public:
  explicit DaeInPiece(const DaeSystem& dae) : dae_(dae) {}
  void enter(const SmoothPiece& piece) { instants_.set(piece); }

  int size() const override { return dae_.size(); }
  int index() const override { return dae_.index(); }
  void residual(double t, const VectorX& y, const VectorX& ydot, VectorX& r) const override {
    dae_.residual(instants_.of(t), y, ydot, r);
  }
  std::vector<bool> differential() const override { return dae_.differential(); }
  std::vector<int> componentIndex() const override { return dae_.componentIndex(); }
  void complete(double t, VectorX& y, VectorX& ydot) const override { dae_.complete(instants_.of(t), y, ydot); }

 private:
  const DaeSystem& dae_;
  Instants instants_;
};

/// What an integrator is to do in a piece.
IntegratorOptions optionsIn(const SmoothPiece& piece, const IntegratorOptions& options, bool first) {
  IntegratorOptions own = options;
  if (own.largestStep == 0.0 && std::isfinite(piece.largestStep)) own.largestStep = piece.largestStep;
  if (!first) own.initialStep = 0.0;
  if (own.initialStep > 0.0) own.initialStep = std::min(own.initialStep, piece.end - piece.begin);
  return own;
}

bool isWhole(const SmoothPiece& piece) {
  return piece.firstInstant == piece.begin && piece.lastInstant == piece.end;
}

/// `make(equations, piece, y, options)` is the stepper for a piece; the equations see the instants of that piece.
template <class EquationsInPiece, class Equations, class MakeOne>
std::unique_ptr<Stepper> makePiecewise(const Equations& equations, const std::vector<SmoothPiece>& pieces,
                                       const VectorX& y0, const IntegratorOptions& options, const Impact& impact,
                                       const MakeOne& make) {
  const SmoothPiece& first = pieces.front();
  if (pieces.size() == 1 && isWhole(first)) return make(equations, first, y0, optionsIn(first, options, true));
  const double begin = first.begin;
  const auto inPiece = std::make_shared<EquationsInPiece>(equations);
  return std::make_unique<PiecewiseStepper>(
      pieces, y0, [inPiece, options, impact, make, begin](const SmoothPiece& piece, const VectorX& y) {
        inPiece->enter(piece);
        const IntegratorOptions own = optionsIn(piece, options, piece.begin == begin);
        if (!impact || piece.breakOrder > 1 || piece.begin == begin) return make(*inPiece, piece, y, own);
        VectorX behind = y;
        impact(piece.firstInstant, behind);
        return make(*inPiece, piece, behind, own);
      });
}

}  // namespace

PiecewiseStepper::PiecewiseStepper(std::vector<SmoothPiece> pieces, const VectorX& y0, Make make)
    : pieces_(std::move(pieces)), make_(std::move(make)), now_(make_(pieces_.front(), y0)), begin_(y0) {}

void PiecewiseStepper::step() {
  // the next piece begins only now, so that the last step of the one before could be looked into
  if (now_->time() >= pieces_[piece_].end && piece_ + 1 < pieces_.size()) {
    const VectorX begin = now_->state();
    std::unique_ptr<Stepper> next = make_(pieces_[piece_ + 1], begin);
    begin_ = begin;
    ++piece_;
    before_ = before_ + now_->work();
    if (warning_.empty()) warning_ = now_->warning();
    now_ = std::move(next);
  }
  now_->step();
}

/// The piece is begun once more as it was, then goes on where it was.
void PiecewiseStepper::persist(Archive& archive) {
  archive.section("pieces");
  archive(piece_, begin_, before_, warning_);
  if (piece_ >= pieces_.size()) throw InputError("the checkpoint does not fit the signals; begin the run anew");
  if (archive.restores()) now_ = make_(pieces_[piece_], begin_);
  now_->persist(archive);
}

const WorkCounts& PiecewiseStepper::work() const {
  return total_ = before_ + now_->work();
}

std::unique_ptr<Stepper> makeOdeStepper(const std::string& name, const OdeSystem& ode,
                                        const std::vector<SmoothPiece>& pieces, const VectorX& y0,
                                        const IntegratorOptions& options, const Impact& impact) {
  return makePiecewise<OdeInPiece>(
      ode, pieces, y0, options, impact,
      [name](const OdeSystem& each, const SmoothPiece& piece, const VectorX& y, const IntegratorOptions& own) {
        return makeOdeStepper(name, each, piece.begin, y, piece.end, own);
      });
}

std::unique_ptr<Stepper> makeDaeStepper(const DaeSystem& dae, const std::vector<SmoothPiece>& pieces, const VectorX& y0,
                                        const IntegratorOptions& options, const Impact& impact) {
  return makePiecewise<DaeInPiece>(
      dae, pieces, y0, options, impact,
      [](const DaeSystem& each, const SmoothPiece& piece, const VectorX& y, const IntegratorOptions& own) {
        return std::unique_ptr<Stepper>(std::make_unique<BdfDae>(each, piece.begin, y, piece.end, own));
      });
}

}  // namespace polhode
