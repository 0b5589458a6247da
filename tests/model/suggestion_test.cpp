#include "model/suggestion.h"

#include <gtest/gtest.h>

namespace polhode::suggestion_test {

TEST(Suggestion, IsTheNearestWord) {
  const std::vector<std::string> known = {"mass", "inertia", "position", "velocity", "angular_velocity"};
  EXPECT_EQ(nearestWord("mas", known), "mass");
  EXPECT_EQ(nearestWord("amss", known), "mass");
  EXPECT_EQ(nearestWord("intertia", known), "inertia");
  EXPECT_EQ(nearestWord("Velocity", known), "velocity");
  EXPECT_EQ(nearestWord("angularVelocity", known), "angular_velocity");
  EXPECT_EQ(nearestWord("angular velocity", known), "angular_velocity");
}

TEST(Suggestion, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearestWord("colour", {"mass", "inertia"}), "");
  EXPECT_EQ(nearestWord("x", {"y"}), "");
  EXPECT_EQ(nearestWord("", {"y"}), "");
  EXPECT_EQ(nearestWord("mass", {}), "");
  EXPECT_EQ(nearestWord(std::string(1'000'000, 'm'), {"mass"}), "");
}

TEST(Suggestion, ListsWhatIsKnownOtherwise) {
  EXPECT_EQ(suggestion("mas", {"mass", "inertia"}), "did you mean 'mass'?");
  EXPECT_EQ(suggestion("colour", {"mass", "inertia"}), "known are 'mass', 'inertia'");
  EXPECT_EQ(suggestion("colour", {"mass"}), "known is 'mass'");
  EXPECT_EQ(suggestion("colour", {}), "none is known");
  EXPECT_NE(suggestion("colour", std::vector<std::string>(100, "body")).find("and 84 more"), std::string::npos);
}

TEST(Quoted, IsShortAndOnOneLine) {
  EXPECT_EQ(quoted("top"), "'top'");
  EXPECT_EQ(quoted("a\nb\x1B[31m"), "'a?b?[31m'");
  EXPECT_LT(quoted(std::string(10'000, 'x')).size(), 80u);
  // sixty bytes would end in the middle of the last letter
  EXPECT_EQ(quoted(std::string(59, 'x') + "\xC3\xA9\xC3\xA9"), "'" + std::string(59, 'x') + "...'");
}

}  // namespace polhode::suggestion_test
