#pragma once

#include "server/frame.h"

#include <cstring>
#include <string_view>
#include <vector>

namespace polhode::test {

/// The numbers that stand in some bytes, which may be none.
template <class Number>
std::vector<Number> numbersIn(std::string_view bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

/// The numbers of a frame as a page reads them.
inline std::vector<double> frameNumbers(std::string_view bytes) {
  return numbersIn<double>(bytes);
}

/// The numbers of a frame as it was sent (onTheWire), in the order of frames.
inline std::vector<double> sentNumbers(std::string_view bytes) {
  const std::vector<double> head = frameNumbers(bytes.substr(0, live::frameHead * sizeof(double)));
  const std::size_t bodiesAt = bytes.size() - live::frameBody * static_cast<std::size_t>(head.back()) * sizeof(float);
  const std::vector<float> bodies = numbersIn<float>(bytes.substr(bodiesAt));
  const std::size_t headBytes = live::frameHead * sizeof(double);
  const std::vector<double> told = frameNumbers(bytes.substr(headBytes, bodiesAt - headBytes));
  std::vector<double> numbers = head;
  numbers.insert(numbers.end(), bodies.begin(), bodies.end());
  numbers.insert(numbers.end(), told.begin(), told.end());
  return numbers;
}

}  // namespace polhode::test
