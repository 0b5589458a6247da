// Formulas of time: parsed and evaluated with both derivatives.
#include "model/formula.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  fuzz::attempt([&] {
    const Formula formula(fuzz::textOf(data, size));
    for (const double time : {0.0, 0.5, 1e3, -1.0}) {
      formula.value(time);
      formula.rate(time);
      formula.acceleration(time);
    }
  });
  return 0;
}
