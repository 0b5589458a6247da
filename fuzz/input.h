#pragma once

#include "polhode/error.h"

#include <cstddef>
#include <cstdint>
#include <string>

/// What the fuzz targets share. An input may be refused with an InputError or fail with a SimulationError, whose texts are
/// one line each; whatever else leaves the function is a fault.
namespace polhode::fuzz {

inline std::string textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Stops here, as a crash does, so that the input is kept.
[[noreturn]] inline void fault(const std::string& what) {
  std::fprintf(stderr, "FAULT: %s\n", what.c_str());
  __builtin_trap();
}

/// A sentence for people: not empty, and one line.
inline void checkSentence(const std::string& sentence) {
  if (sentence.empty() || sentence.find('\n') != std::string::npos) fault("not one line: '" + sentence + "'");
}

/// Does something with an input that may be refused or fail.
template <class Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    checkSentence(error.what());
  } catch (const SimulationError& error) {
    checkSentence(error.what());
  }
}

}  // namespace polhode::fuzz
