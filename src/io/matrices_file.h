#pragma once

#include "polhode/math/types.h"

#include <filesystem>
#include <string>
#include <vector>

namespace polhode {

/// A matrix with a name, and names of its rows and columns where there are any.
struct NamedMatrix {
  std::string name;
  MatrixX matrix;
  std::vector<std::string> rows{}, columns{};
};

/// Writes matrices, numbers with 17 digits: to FILE.json as one object of arrays of rows ("A": [[..], ..], and "A_rows",
/// "A_columns" with the names), to FILE.csv as one file each, FILE.A.csv and so on, with names in lines that begin with '#', as
/// numpy.loadtxt(.., delimiter=',') reads them. A matrix without columns or rows is an empty array, and no CSV file. Returns the
/// paths. Throws InputError for another ending, or where a file cannot be written.
std::vector<std::string> writeMatrices(const std::filesystem::path& path, const std::vector<NamedMatrix>& matrices);

}  // namespace polhode
