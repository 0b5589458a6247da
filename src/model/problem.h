#pragma once

#include <string>

namespace polhode {

/// What is wrong: the key of the model file that is to blame, and a sentence whose subject is the body,
/// joint or force: {"bodies", "connects 'thigh' to itself; give two different bodies"}.
struct Problem {
  const char* key;  // a literal
  std::string sentence;
};

}  // namespace polhode
