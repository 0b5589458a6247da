// Model files: text to model to a few steps.
#include "few_steps.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  fuzz::attempt([&] { fuzz::simulateAFewSteps(readModelText(fuzz::textOf(data, size), "fuzz.toml")); });
  return 0;
}
