#pragma once

#include "polhode/analysis/row_sink.h"

#include <string>
#include <vector>

namespace polhode {

/// The numbers of the columns that a list of patterns asks for, in the order of the columns, the time always among them:
/// "top.position.*,energy". In a pattern * stands for anything and ? for one character; the beginning of a name up to a dot
/// stands for all of that, "top.position". Throws an InputError with the nearest name where a pattern fits no column.
std::vector<std::size_t> chosenColumns(const std::string& patterns, const std::vector<std::string>& columns);

/// Hands on some columns of the rows.
class ChosenColumns final : public RowSink {
 public:
  ChosenColumns(RowSink& sink, std::string patterns) : sink_(sink), patterns_(std::move(patterns)) {}

  /// Exactly those columns, where they exist.
  ChosenColumns(RowSink& sink, std::vector<std::string> names) : sink_(sink), names_(std::move(names)) {}

  void begin(const std::vector<std::string>& columns) override;
  void append(std::span<const double> row) override;
  void finish() override { sink_.finish(); }

 private:
  RowSink& sink_;
  std::string patterns_;
  std::vector<std::string> names_;
  std::vector<std::size_t> chosen_;
  std::vector<double> row_;
};

}  // namespace polhode
