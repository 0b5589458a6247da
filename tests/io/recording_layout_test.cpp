#include "io/recording_layout.h"

#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::recording_layout_test {
namespace {

std::vector<std::string> vectorOf(const std::string& stem) {
  return {stem + ".x", stem + ".y", stem + ".z"};
}

std::vector<std::string> columnsOf(std::initializer_list<std::vector<std::string>> parts) {
  std::vector<std::string> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(RecordingLayout, GivesEveryQuantityItsPlaceUnitAndFrame) {
  struct Expected {
    const char *path, *unit, *frame;
    std::size_t width;
  };
  const auto tables = recordingLayout(columnsOf({{"time"},
                                                 vectorOf("bar A.B.position"),
                                                 {"top.quaternion.w", "top.quaternion.x", "top.quaternion.y"},
                                                 vectorOf("top.angular_velocity"),
                                                 {"joint.knee.angle", "joint.knee.angle_rate"},
                                                 vectorOf("joint.knee.torque"),
                                                 vectorOf("force.strut.force"),
                                                 {"energy", "node_energy"},
                                                 vectorOf("angular_momentum"),
                                                 {"constraint.position", "multiplier.1", "multiplier.2"}}));
  const Expected expected[] = {{"time", "s", "", 1},
                               {"bodies/bar A.B/position", "m", "space", 3},
                               {"bodies/top/quaternion", "1", "from body to space, scalar first", 3},
                               {"bodies/top/angular_velocity", "rad/s", "body", 3},
                               {"joints/knee/angle", "rad", "", 1},
                               {"joints/knee/angle_rate", "rad/s", "", 1},
                               {"joints/knee/torque", "N m", "space", 3},
                               {"forces/strut/force", "N", "space", 3},
                               {"energy/total", "J", "", 1},
                               {"energy/node", "J", "", 1},
                               {"momentum/angular", "kg m^2/s", "space, about the origin", 3},
                               {"constraints/position", "m or 1", "", 1},
                               {"multipliers", "", "", 2}};
  ASSERT_EQ(tables.size(), std::size(expected));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    EXPECT_EQ(tables[i].path, expected[i].path);
    EXPECT_EQ(tables[i].unit, expected[i].unit) << tables[i].path;
    EXPECT_EQ(tables[i].frame, expected[i].frame) << tables[i].path;
    EXPECT_EQ(tables[i].width(), expected[i].width) << tables[i].path;
  }
}

TEST(RecordingLayout, KnowsTheNamesOfItsColumns) {
  std::vector<std::string> columns{"time"};
  for (std::size_t b = 0; b <= mostObjects; ++b)
    for (const std::string& name : vectorOf("b" + std::to_string(b) + ".velocity")) columns.push_back(name);
  for (const std::string& name : vectorOf("joint.a.force")) columns.push_back(name);
  for (const RecordedTable& table : recordingLayout(columns)) {
    const std::size_t width = table.width();
    for (std::size_t k = 0; k < table.columns(); ++k)
      ASSERT_EQ(table.columnName(k), columns[table.starts[k / width] + k % width]);
  }
  EXPECT_EQ(recordingLayout(columns).size(), 3u);
}

TEST(RecordingLayout, RefusesOneNameTwice) {
  EXPECT_THROW(recordingLayout({"time", "a.x", "a.x"}), InputError);
}

}  // namespace
}  // namespace polhode::recording_layout_test
