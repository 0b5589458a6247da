#include "polhode/io/load_model.h"

#include "io/examples.h"

#include <filesystem>

namespace polhode {

ModelFile loadModel(const std::string& pathOrExample, const std::vector<std::string>& overrides) {
  std::error_code ignored;
  if (!std::filesystem::exists(pathOrExample, ignored))
    if (const Example* example = findExample(pathOrExample))
      return readModelText(example->text, example->name + ".toml", overrides);
  return readModelFile(pathOrExample, overrides);
}

}  // namespace polhode
