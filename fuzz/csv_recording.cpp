// Recordings in CSV: read, shown on the live page, written and read again.
#include "input.h"
#include "io/csv_reader.h"
#include "io/csv_writer.h"
#include "server/run_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  const std::string text = fuzz::textOf(data, size);
  fuzz::attempt([&] {
    const Recording recording = parseCsv("fuzz.csv", text);
    const Recording again = parseCsv("again.csv", csvText(recording));
    if (again.columns != recording.columns || again.rows() != recording.rows())
      fuzz::fault("what was written is not what was read");
  });
  fuzz::attempt([&] { live::openRunBytes("fuzz.csv", text); });
  return 0;
}
