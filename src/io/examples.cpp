#include "io/examples.h"

namespace polhode {

const Example* findExample(const std::string& name) {
  for (const Example& example : examples())
    if (example.name == name) return &example;
  return nullptr;
}

}  // namespace polhode
