#pragma once

namespace polhode::test {

/// Whether the tests run under sanitizers, ten times slower, which look for other faults than wrong numbers: those that go through
/// hundreds of cases take a part of them there. All of them run optimised.
#ifdef POLHODE_SANITIZED
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif

}  // namespace polhode::test
