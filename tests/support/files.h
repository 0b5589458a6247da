#pragma once

#include "json.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace polhode::test {

inline std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A file of tests/data.
inline Json readData(const std::string& name) {
  return parseJson(readFile(std::string(POLHODE_TEST_DATA "/") + name));
}

}  // namespace polhode::test
