#pragma once

#include "field.h"
#include "polhode/model/signal.h"

namespace polhode {

/// Reads a number over time: a number, { formula = "sin(t)" } or { table = [[0, 0], [0.5, 1]] }.
Signal readSignal(const Field& field);

/// Reads the pairs of a table, [[0, 0], [0.5, 1]], into two columns.
void readPairs(const Field& field, std::vector<double>& first, std::vector<double>& second);

}  // namespace polhode
