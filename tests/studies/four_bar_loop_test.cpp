#include "study.h"

#include <gtest/gtest.h>

namespace polhode::four_bar_loop_test {
namespace {

// Of Kinon & Betsch 5.5 two statements do not hold: angular momentum is not kept, and the scheme does not last.
TEST(FourBarLoopStudy, ClaimsAndFigures) {
  const StudyResult result = fourBarLoopStudy([](const std::string&) {});
  const Table& claims = result.report.sections.front().tables.front();
  EXPECT_EQ(claims.rows.size(), 8u);
  for (const auto& row : claims.rows) {
    const bool fails = row[0].find("EML keeps the angular momentum") == 0 || row[0].find("EML suits closed loops") == 0;
    EXPECT_EQ(row[1], fails ? "✗ no" : "✓ yes") << row[0] << ": " << row[2];
  }
  for (const auto& [file, table] : result.tables) EXPECT_FALSE(table.rows.empty()) << file;
}

}  // namespace
}  // namespace polhode::four_bar_loop_test
