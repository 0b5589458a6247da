#pragma once

#include <string>
#include <vector>

namespace polhode {

/// A model file of examples/, carried inside the program.
struct Example {
  std::string name;  // of the file, without its ending
  std::string text;
};

/// All examples, by name.
const std::vector<Example>& examples();

/// The example of that name, or nothing.
const Example* findExample(const std::string& name);

}  // namespace polhode
