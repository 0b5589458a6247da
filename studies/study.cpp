#include "study.h"

#include "io/whole_file.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

/// A chart as a table in long form: series, x, y.
Table chartTable(const Chart& chart) {
  Table table;
  table.columns = {"series", chart.xLabel, chart.yLabel};
  for (const Series& series : chart.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      table.rows.push_back({series.name, fmt::format("{:.17g}", series.x[i]), fmt::format("{:.17g}", series.y[i])});
  return table;
}

/// Columns on a screen: what a code point takes, not what its bytes take.
std::size_t displayWidth(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void StudyResult::section(const std::string& title, const std::string& text) {
  report.sections.push_back({title, text, {}, {}});
}

void StudyResult::add(const std::string& file, Chart chart) {
  tables.emplace_back(file, chartTable(chart));
  report.sections.back().charts.push_back(std::move(chart));
}

void StudyResult::add(const std::string& file, Table table) {
  tables.emplace_back(file, table);
  report.sections.back().tables.push_back(std::move(table));
}

Table claimTable(const std::vector<Claim>& claims) {
  Table table{"What was found", {"statement", "holds", "measured"}, {}, ""};
  for (const Claim& claim : claims)
    table.rows.push_back({claim.statement, claim.holds ? "✓ yes" : "✗ no", claim.measured});
  return table;
}

const std::vector<Study>& studies() {
  static const std::vector<Study> all = {
      {"tour", "A first look: six examples, what they conserve, and what accuracy costs.", tourStudy},
      {"lang",
       "Lang 2010: quaternions against directors, null space against absolute coordinates; tables 1 and 3, figures 6 "
       "and 8 to 15.",
       langStudy},
      {"lang-c",
       "Lang 2010, example C: two bodies on a ball joint in four formulations with six integrators, at T = 0.5 and 1.",
       langCStudy},
      {"betsch-siebert",
       "Betsch & Siebert 2009: energy and momentum conserved in quaternions, against directors, a variational scheme "
       "and "
       "ALGO_C1; figures 1, 3, 4 and 5.",
       betschSiebertStudy},
      {"kinon-betsch",
       "Kinon & Betsch 2024: schemes from Livens' principle on four systems, their reductions and their cost; figures "
       "1 "
       "to 13.",
       kinonBetschStudy},
      {"four-bar-loop",
       "Kinon & Betsch 2024, section 5.5: a closed loop of four bars by quaternion EML and by the director scheme; "
       "figures 14 to 16.",
       fourBarLoopStudy},
      {"high-order",
       "Conserving schemes of order 2 to 16 against DOP853: error against wall time and evaluations, and what is "
       "left of the energy.",
       highOrderStudy},
      {"benchmarks",
       "Standard problems of the multibody community (IFToMM A01 to A05 and others): whether what is required is "
       "reached, and error against work for each integrator.",
       benchmarksStudy},
      {"lipovac",
       "Lipovac 2020: steering a body with a signal that jumps; figures 3.2 to 3.12 and 4.1 to 4.13, and all control "
       "laws "
       "compared. Takes --seed or --signal.",
       [](const StudyProgress& progress) { return lipovacStudy(progress, {}); }, lipovacStudy},
  };
  return all;
}

const Study& findStudy(const std::string& name) {
  std::vector<std::string> names;
  for (const Study& study : studies()) {
    if (study.name == name) return study;
    names.push_back(study.name);
  }
  throw InputError(fmt::format("there is no study {}; {}", quoted(name), suggestion(name, names)));
}

std::string studySummary(const Report& report) {
  if (report.sections.empty() || report.sections.front().tables.empty()) return "";
  const Table& table = report.sections.front().tables.front();
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(displayWidth(column));
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], displayWidth(row[i]));

  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += cells[i] + std::string(i + 1 < cells.size() ? widths[i] - displayWidth(cells[i]) + 2 : 0, ' ');
    text += '\n';
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  return text;
}

void writeTextTable(const std::string& path, const Table& table) {
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) text += fmt::format("{}{}", i ? "," : "", csvField(cells[i]));
    text += '\n';
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  writeWholeFile(path, text);
}

}  // namespace polhode
