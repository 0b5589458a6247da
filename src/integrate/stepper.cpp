#include "integrate/stepper.h"

#include "polhode/error.h"

namespace polhode {

void Stepper::persist(Archive&) {
  throw InputError(
      "the state of this integrator cannot be saved; run without --checkpoint, or choose another integrator");
}

}  // namespace polhode
