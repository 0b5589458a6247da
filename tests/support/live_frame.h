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

/// The numbers of a frame as it was sent (onTheWire), in the order of frames.
inline std::vector<double> sentNumbers(std::string_view bytes) {
  const std::vector<double> head = frameNumbers(bytes.substr(0, live::frameHead * sizeof(double)));
  std::vector<float> bodies(live::frameBody * static_cast<std::size_t>(head.back()));
  const std::size_t bodiesAt = bytes.size() - bodies.size() * sizeof(float);
  std::memcpy(bodies.data(), bytes.data() + bodiesAt, bodies.size() * sizeof(float));
  const std::size_t headBytes = live::frameHead * sizeof(double);
  const std::vector<double> told = frameNumbers(bytes.substr(headBytes, bodiesAt - headBytes));
  std::vector<double> numbers = head;
  numbers.insert(numbers.end(), bodies.begin(), bodies.end());
  numbers.insert(numbers.end(), told.begin(), told.end());
  return numbers;
}

}  // namespace polhode::test
