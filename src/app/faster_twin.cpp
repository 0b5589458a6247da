#include "faster_twin.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace polhode::app {

#if defined(__x86_64__) && !defined(__AVX2__)

void handOverToFasterTwin(char** arguments) {
  if (std::getenv("POLHODE_PLAIN") || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2"))
    return;
  std::error_code none;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  const std::filesystem::path twin = here.parent_path() / "libexec/polhode/x86-64-v3/polhode";
  if (!none && std::filesystem::exists(twin, none)) execv(twin.c_str(), arguments);  // returns where that fails
}

#else

void handOverToFasterTwin(char**) {}

#endif

}  // namespace polhode::app
