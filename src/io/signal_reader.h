#pragma once

#include "field.h"
#include "polhode/model/sampled_path.h"
#include "polhode/model/signal.h"

namespace polhode {

/// Reads a number over time: a number, { formula = "sin(t)" }, { table = [[0, 0], [0.5, 1]] } or a spline. Keys in `besides`
/// may stand there, too, for somebody else.
Signal readSignal(const Field& field, const std::vector<std::string>& besides = {});

/// The table of one that is no plain number, with the keys that it may have.
ModelSection signalSection(const Field& field, const std::vector<std::string>& besides = {});

/// Reads { spline = [[0, 0], [0.5, 1]], ends = "rest" } or { spline = "angle.csv" }, of one component or of three.
VectorSignal readSpline(const ModelSection& section, std::size_t components);
void refuseEndsWithoutSpline(const ModelSection& section);

/// Reads the file of samples that a string names, beside the model file.
SampledPath readNamedSignal(const Field& field, std::size_t components);

/// Reads the pairs of a table, [[0, 0], [0.5, 1]], into two columns.
void readPairs(const Field& field, std::vector<double>& first, std::vector<double>& second);

}  // namespace polhode
