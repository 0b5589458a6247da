#include "support/allocation_count.h"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> count{0};
}

namespace polhode::test {

long allocationCount() {
  return count;
}

}  // namespace polhode::test

#ifdef POLHODE_SANITIZED

// AddressSanitizer owns malloc and calls this hook instead.
extern "C" void __sanitizer_malloc_hook(const volatile void*, std::size_t) {
  ++count;
}

#else

// Stands in front of the malloc of the GNU C library.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}

#endif
