#include "polhode/analysis/recording.h"

#include <algorithm>
#include <stdexcept>

namespace polhode {

std::vector<double> Recording::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) throw std::out_of_range("the recording has no column '" + name + "'");
  const auto index = static_cast<std::size_t>(found - columns.begin());
  std::vector<double> result(rows());
  for (std::size_t row = 0; row < result.size(); ++row) result[row] = at(row, index);
  return result;
}

}  // namespace polhode
