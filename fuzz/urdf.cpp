// URDF files: text to model, and what the model's checks say of it.
#include "input.h"
#include "io/urdf_reader.h"
#include "model/validation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  fuzz::attempt([&] { validate(readUrdf(fuzz::textOf(data, size), "fuzz.urdf").model); });
  return 0;
}
