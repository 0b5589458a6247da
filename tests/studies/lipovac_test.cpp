#include "polhode/error.h"
#include "study.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::lipovac_test {
namespace {

const auto silent = [](const std::string&) {};

std::string cell(const Table& table, const std::string& row, const std::string& column) {
  const auto index = std::find(table.columns.begin(), table.columns.end(), column) - table.columns.begin();
  for (const auto& cells : table.rows)
    if (cells[0] == row) return cells[static_cast<std::size_t>(index)];
  return "missing";
}

TEST(LipovacStudy, HasEveryFigureAndTheComparison) {
  const StudyResult result = lipovacStudy(silent, {});
  for (const auto& [chapter, first, last] : {std::tuple{3, 2, 12}, std::tuple{4, 1, 13}})
    for (int figure = first; figure <= last; ++figure) {
      const std::string name = fmt::format("figure-{}.{}", chapter, figure);
      EXPECT_TRUE(std::any_of(result.tables.begin(), result.tables.end(), [&](const auto& table) {
        return table.first == name + ".csv" || table.first.starts_with(name + "-");
      })) << name;
    }
  const Table& laws = result.report.sections.front().tables.front();
  // tests/data/control.json
  EXPECT_EQ(cell(laws, "H1 Neumann, ρ0 = 1e-6, ρ1 = 5e-13", "RMS error [m]"), "0.05097");
  EXPECT_EQ(cell(laws, "H1 mixed, five functions", "variation [m/s]"), "15.88");
  EXPECT_LT(std::stod(cell(laws, "receding horizon, T = 0.03 s", "RMS error [m]")), 0.012);
  EXPECT_LT(std::stod(cell(laws, "receding horizon, T = 0.03 s", "variation [m/s]")), 16.0);
}

TEST(LipovacStudy, FollowsAnotherSignal) {
  const StudyResult seven = lipovacStudy(silent, {"", 7}), eight = lipovacStudy(silent, {"", 8});
  const Table& a = seven.report.sections.front().tables.front();
  const Table& b = eight.report.sections.front().tables.front();
  EXPECT_NE(cell(a, "L2, ρ0 = 1e-05", "variation [m/s]"), cell(b, "L2, ρ0 = 1e-05", "variation [m/s]"));

  const std::string path = testing::TempDir() + "lipovac_signal.csv";
  std::ofstream(path) << "t,x,y,z\n5.0,1,0,0\n5.2,1,0,0\n5.4,2,0,0\n5.6,2,0,0\n";
  const StudyResult own = lipovacStudy(silent, {path, {}});
  EXPECT_EQ(own.report.subtitle, path);
  EXPECT_NE(cell(own.report.sections.front().tables.front(), "L2, ρ0 = 1e-05", "RMS error [m]"), "0.07552");

  std::ofstream(path) << "0,1,0,0\n";
  EXPECT_THROW(lipovacStudy(silent, {path, {}}), InputError);
}

}  // namespace
}  // namespace polhode::lipovac_test
