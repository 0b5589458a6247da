#include "polhode/io/load_model.h"

#include "io/examples.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <filesystem>

#include <fmt/format.h>

namespace polhode {

namespace {

/// "jansen-walkr": no path, and no ending as files have.
bool isBareWord(const std::string& path) {
  return path.find_first_of("/\\.") == std::string::npos;
}

std::vector<std::string> exampleNames() {
  std::vector<std::string> names;
  for (const Example& example : examples()) names.push_back(example.name);
  return names;
}

}  // namespace

ModelFile loadModel(const std::string& pathOrExample, const std::vector<std::string>& overrides) {
  std::error_code ignored;
  if (!std::filesystem::exists(pathOrExample, ignored)) {
    if (const Example* example = findExample(pathOrExample))
      return readModelText(example->text, example->name + ".toml", overrides);
    if (isBareWord(pathOrExample))
      throw InputError(fmt::format("there is no file and no example {}; {}", quoted(pathOrExample),
                                   suggestion(pathOrExample, exampleNames())));
  }
  return readModelFile(pathOrExample, overrides);
}

}  // namespace polhode
