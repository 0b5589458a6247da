#pragma once

#include "counting_scalar.h"

#include <string>
#include <vector>

namespace polhode::lang {

/// A column of Lang's Table 1: what he printed and what polhode's right-hand side takes, both without torque.
struct RightHandSideCost {
  std::string label;
  std::string unknowns;
  OperationCounts printed;
  bool printedLuDecomposition;  // of a 15 x 15 matrix, in addition
  OperationCounts measured;

  /// The printed total; an LU decomposition and its two triangular solves are counted as the operations they take
  /// for n = 15: 2 n^3/3 - n^2/2 - n/6 and 2 n^2 - n.
  double printedTotal() const;
};

/// Table 1 for the five right-hand sides, measured with a scalar that counts.
std::vector<RightHandSideCost> operationCounts();

}  // namespace polhode::lang
