#include "system/contradiction.h"

#include "polhode/io/model_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::contradiction_test {
namespace {

/// A parallelogram whose two cranks are driven.
Model parallelogram(const std::string& left, const std::string& right) {
  constexpr const char* text = R"(
[[body]]
name = "c1"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0.5, 0]
[[body]]
name = "rod"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1, 1, 0]
[[body]]
name = "c2"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [2, 0.5, 0]
[[joint]]
name = "A"
type = "revolute"
bodies = ["ground", "c1"]
point = [0, 0, 0]
axis = [0, 0, 1]
drive = {{ angle = {{ formula = "{}" }} }}
[[joint]]
name = "B"
type = "revolute"
bodies = ["c1", "rod"]
point = [0, 1, 0]
axis = [0, 0, 1]
[[joint]]
name = "C"
type = "revolute"
bodies = ["rod", "c2"]
point = [2, 1, 0]
axis = [0, 0, 1]
[[joint]]
name = "D"
type = "revolute"
bodies = ["ground", "c2"]
point = [2, 0, 0]
axis = [0, 0, 1]
drive = {{ angle = {{ formula = "{}" }} }}
)";
  return readModelText(fmt::format(fmt::runtime(text), left, right), "parallelogram.toml").model;
}

}  // namespace

TEST(Contradiction, OfTwoDrivesIsFoundByName) {
  const std::string found = contradictionOf(Mechanism(parallelogram("0.1*t^2", "0.3*t^2")), 2.0);
  EXPECT_NE(found.find("the drive of joint 'A'"), std::string::npos) << found;
  EXPECT_NE(found.find("the drive of joint 'D'"), std::string::npos) << found;
  EXPECT_NE(found.find("contradicts"), std::string::npos) << found;
}

TEST(Contradiction, IsFoundWhereItBeginsLate) {
  EXPECT_EQ(contradictionOf(Mechanism(parallelogram("0.1*t^2", "0.1*t^2 + 0.01*t^8")), 0.1), "");
  EXPECT_NE(contradictionOf(Mechanism(parallelogram("0.1*t^2", "0.1*t^2 + 0.01*t^8")), 2.0), "");
}

TEST(Contradiction, IsNoneWhereDrivesAgree) {
  EXPECT_EQ(contradictionOf(Mechanism(parallelogram("0.5*sin(t)^2", "0.5*sin(t)^2")), 10.0), "");
}

TEST(Contradiction, OfVelocitiesAtTheStartIsRefused) {
  try {
    parallelogram("0.1*t", "0.3*t");
    FAIL() << "was accepted";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("the drive of joint"), std::string::npos) << error.what();
  }
}

}  // namespace polhode::contradiction_test
