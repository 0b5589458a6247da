#pragma once

#include "server/frame.h"

#include <cstring>
#include <string_view>
#include <vector>

namespace polhode::test {

/// The numbers of a frame as a page reads them.
inline std::vector<double> frameNumbers(std::string_view bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  return numbers;
}

}  // namespace polhode::test
