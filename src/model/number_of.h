#pragma once

#include "model/suggestion.h"
#include "polhode/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace polhode {

/// The number of the part with that name. Where there is none an InputError says `lacking`, the name and what may have been
/// meant: "there is no body 'tob'; did you mean 'top'?"
template <class Part>
std::size_t numberOf(const std::vector<Part>& parts, std::string_view name, const std::string& lacking) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    if (part.name == name) return names.size();
    names.push_back(part.name);
  }
  const std::string written(name);
  throw InputError(lacking + " " + quoted(written) + "; " + suggestion(written, names));
}

}  // namespace polhode
