// Recordings in HDF5, as somebody may drop them onto the live page.
#include "input.h"
#include "server/run_file.h"

#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

// HDF5 reads in a process of its own, which may die of what is damaged; only its parent must not.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  return pthread_atfork(nullptr, nullptr, [] { __sanitizer_set_death_callback([] {}); });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  // all else is CSV, which has a target of its own
  std::string bytes = "\x89HDF\r\n\x1a\n";
  if (size > bytes.size()) bytes.append(reinterpret_cast<const char*>(data) + bytes.size(), size - bytes.size());
  fuzz::attempt([&] { live::openRunBytes("fuzz.h5", bytes); });
  return 0;
}
