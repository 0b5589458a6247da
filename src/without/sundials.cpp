// In place of SUNDIALS where polhode is built with -DPOLHODE_SUNDIALS=OFF: `bdf` says that it is not there.
#include "integrate/bdf.h"
#include "integrate/bdf_dae.h"
#include "polhode/error.h"

namespace polhode {

struct SundialsSolver {};

SundialsStepper::SundialsStepper(double t0, double tEnd, std::unique_ptr<SundialsSolver>)
    : time_(t0), previousTime_(t0), end_(tEnd) {
  throw InputError("integrator 'bdf' is SUNDIALS, which this polhode was built without; choose 'radau5'");
}
SundialsStepper::~SundialsStepper() = default;

// no object gets as far as these
void SundialsStepper::step() {}
void SundialsStepper::interpolate(double, VectorX&) const {}
void SundialsStepper::replaceState(const VectorX&) {}
void SundialsStepper::persist(Archive&) {}
int SundialsStepper::order() const {
  return 0;
}

Bdf::Bdf(const OdeSystem&, double t0, const VectorX&, double tEnd, const IntegratorOptions&, Projection)
    : SundialsStepper(t0, tEnd, nullptr) {}

BdfDae::BdfDae(const DaeSystem&, double t0, const VectorX&, double tEnd, const IntegratorOptions&)
    : SundialsStepper(t0, tEnd, nullptr) {}

}  // namespace polhode
