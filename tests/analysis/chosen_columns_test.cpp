#include "analysis/chosen_columns.h"

#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::chosen_columns_test {
namespace {

const std::vector<std::string> all = {"time",           "top.position.x",    "top.position.y",
                                      "top.velocity.x", "joint.tip.force.x", "energy"};

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST(ChosenColumns, FitPatterns) {
  EXPECT_EQ(chosenColumns("energy", all), Numbers({0, 5}));
  EXPECT_EQ(chosenColumns("energy, top.position.*", all), Numbers({0, 1, 2, 5}));
  EXPECT_EQ(chosenColumns("*.x", all), Numbers({0, 1, 3, 4}));
  EXPECT_EQ(chosenColumns("top.position", all), Numbers({0, 1, 2}));
  EXPECT_EQ(chosenColumns("top.????????.x", all), Numbers({0, 1, 3}));
  EXPECT_EQ(chosenColumns("*o*e*x", all), Numbers({0, 3, 4}));
  EXPECT_EQ(chosenColumns("*", all).size(), all.size());
}

TEST(ChosenColumns, AreRefusedWithTheNearestName) {
  const auto errorOf = [](const std::string& patterns) {
    try {
      chosenColumns(patterns, all);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(errorOf("energy,top.positon.x"),
            "'top.positon.x' fits no column of the recording; did you mean 'top.position.x'?");
  EXPECT_NE(errorOf("top.p").find("fits no column"), std::string::npos);
  EXPECT_NE(errorOf(" , ").find("no columns are chosen"), std::string::npos);
}

TEST(ChosenColumns, HandOnTheirNumbers) {
  Recording recording;
  RecordingSink sink(recording);
  ChosenColumns chosen(sink, std::string("energy,*.y"));
  chosen.begin(all);
  const std::vector<double> row = {0, 1, 2, 3, 4, 5};
  chosen.append(row);
  EXPECT_EQ(recording.columns, std::vector<std::string>({"time", "top.position.y", "energy"}));
  EXPECT_EQ(recording.values, std::vector<double>({0, 2, 5}));

  ChosenColumns exact(sink, std::vector<std::string>{"time", "energy"});
  exact.begin(all);
  exact.append(row);
  EXPECT_EQ(recording.values, std::vector<double>({0, 5}));
}

}  // namespace polhode::chosen_columns_test
