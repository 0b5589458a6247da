// A step of a single-body scheme allocates nothing. A program of its own, because it replaces the allocator's
// entry points: Eigen aborts on any allocation, and operator new counts.
#include "integrate/composition.h"
#include "integrate/single_body/all_schemes.h"
#include "integrate/single_body/cases.h"

#include <cstdlib>
#include <iostream>
#include <new>

namespace {
long allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

int main() {
  using namespace polhode;
  using namespace polhode::single_body;
  bool clean = true;
  const auto check = [&]<class Scheme>() {
    const Case body = heavyTop();
    const Scheme scheme(body.top);
    auto state = scheme.start(body.start);
    const long before = allocations;
    Eigen::internal::set_is_malloc_allowed(false);
    for (int i = 0; i < 100; ++i) clean = scheme.step(state, 1e-3).converged && clean;
    Eigen::internal::set_is_malloc_allowed(true);
    if (allocations != before) {
      std::cerr << Scheme::name << " allocates " << (allocations - before) / 100.0 << " times a step\n";
      clean = false;
    }
  };
  AllSchemes::forEach(check);
  check.operator()<Composition<DirectorEm, 8>>();
  return clean ? EXIT_SUCCESS : EXIT_FAILURE;
}
