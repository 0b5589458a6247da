// Signals in CSV files, of one and of three components, and what is asked of them.
#include "io/signal_file.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  const std::string text = fuzz::textOf(data, size);
  for (const std::size_t components : {std::size_t{1}, std::size_t{3}})
    fuzz::attempt([&] {
      const SampledPath path = readSignalText(text, "fuzz.csv", components);
      for (std::size_t i = 0; i < path.size(); ++i)
        if (i > 0 && !(path.time(i) > path.time(i - 1))) fuzz::fault("times that do not increase were accepted");
    });
  return 0;
}
