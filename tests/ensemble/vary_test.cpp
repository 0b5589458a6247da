#include "ensemble/vary.h"

#include "polhode/error.h"
#include "support/command.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

namespace polhode::ensemble::vary_test {
namespace {

/// What the value is where each parameter has that share.
std::string valueAt(const std::string& text, double share) {
  const Vary vary = parseVary(text);
  std::string value = vary.pieces[0];
  for (std::size_t i = 0; i < vary.parameters.size(); ++i) value += vary.parameters[i].text(share) + vary.pieces[i + 1];
  return value;
}

void expectRefused(const std::string& text, const std::string& part) {
  try {
    parseVary(text);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    const std::string said = error.what();
    EXPECT_TRUE(said.starts_with("--vary '" + text + "': ")) << said;
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

TEST(Vary, FindsRangesWhereverTheyStand) {
  EXPECT_EQ(valueAt("body.top.mass=0.5:2", 0.5), "1.25");
  EXPECT_EQ(valueAt(" body.top.mass = -2 : -1e-1 ", 0.5), "-1.05");
  EXPECT_EQ(valueAt("body.top.angular_velocity={ body = [0, 0, 100:200] }", 0.25), "{ body = [0, 0, 125] }");
  EXPECT_EQ(valueAt("model.gravity=[0, 0, -uniform(1, 3)]", 0.5), "[0, 0, -2]");
  EXPECT_EQ(valueAt("body.top.position=[0:1, 0:2, 0:4]", 0.5), "[0.5, 1, 2]");
  EXPECT_EQ(valueAt("model.name=[\"1:2\", \"b\"]", 0.9), "\"b\"") << "what is in quotes does not vary";
  EXPECT_EQ(parseVary("body.top.mass=0.5:2").parameters[0].name, "body.top.mass");
  EXPECT_EQ(parseVary("body.top.position=[0:1, 0:2, 3]").parameters[1].name, "body.top.position.2");
}

TEST(Vary, HasLevels) {
  const Parameter range = parseVary("body.top.mass=0.5:2:4").parameters[0];
  EXPECT_EQ(range.numbers, (std::vector<double>{0.5, 1.0, 1.5, 2.0}));
  EXPECT_EQ(range.number(0.2), 0.5);
  EXPECT_EQ(range.number(0.999), 2.0);
  const Parameter list = parseVary("simulation.integrator=[director-em, dop853]").parameters[0];
  EXPECT_TRUE(list.areWords);
  EXPECT_EQ(list.text(0.7), "dop853");
  EXPECT_EQ(list.number(0.7), 1.0);
  EXPECT_EQ(valueAt("model.gravity=[[0, 0, -9.81], [0, 0, -1.62]]", 0.9), "[0, 0, -1.62]");
  EXPECT_EQ(valueAt("body.top.position=[0, among(1, 2, 5), 0]", 0.9), "[0, 5, 0]");
  EXPECT_EQ(parseVary("body.top.mass=[1, 2, ]").parameters[0].numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(valueAt(R"(model.name=["a, (b", "c\", d"])", 0.9), R"("c\", d")") << "a comma in quotes parts nothing";
}

TEST(Vary, TakesColumnsOfAFile) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "table.csv") << "m,w\n1,10\n2,20\n4,40\n";
  const Vary vary = parseVary("body.top.mass=@" + (folder / "table.csv") + ":m");
  EXPECT_EQ(vary.parameters[0].numbers, (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(vary.parameters[0].together, folder / "table.csv");
  EXPECT_THROW(parseVary("body.top.mass=@" + (folder / "table.csv") + ":mass"), InputError);
  EXPECT_THROW(parseVary("body.top.mass=@" + (folder / "missing.csv") + ":m"), InputError);
}

TEST(Vary, TakesFilesOfAnyName) {
  const test::TemporaryFolder folder;
  for (const std::string& name :
       {std::string("two words.csv"), std::string("a;b, (c).csv"), std::string("[x]'s.csv")}) {
    std::ofstream(folder / name) << "m,\"mass of top\"\n1,10\n2,20\n";
    const std::string path = folder / name;
    const Vary vary = parseVary("body.top.position=[0, @\"" + path + ":mass of top\", 0]");
    EXPECT_EQ(vary.parameters[0].numbers, (std::vector<double>{10, 20}));
    EXPECT_EQ(vary.parameters[0].together, path);
    const Vary again = parseVary(vary.words());
    EXPECT_EQ(again.parameters[0].together, path) << vary.words();
    EXPECT_EQ(again.parameters[0].levels, vary.parameters[0].levels);
    EXPECT_EQ(again.pieces, vary.pieces);
  }
}

TEST(Vary, SaysWhereATableHasNoNumber) {
  const test::TemporaryFolder folder;
  const std::string table = folder / "table.csv";
  std::ofstream(table) << "m,w\n1,10\n2,nan\n4,40\n";
  expectRefused("body.top.mass=@" + table + ":w", "has nan in column 'w', in row 2 below the names");
  EXPECT_NO_THROW(parseVary("body.top.mass=@" + table + ":m"));
  for (const char* row : {"2,", "2"}) {
    std::ofstream(table) << "m,w\n1,10\n" << row << "\n4,40\n";
    try {
      parseVary("body.top.mass=@" + table + ":m");
      ADD_FAILURE() << "accepted: " << row;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(table + ":3: ")) << error.what();
    }
  }
}

TEST(Vary, SaysTheSameInItsOwnWords) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "table.csv") << "m\n1\n2.5\n";
  for (const std::string& text : {std::string("a=0.1:0.3"), std::string("a={ b = [1:2, -uniform(3, 4)] }"),
                                  std::string("a=1:2:7"), std::string("a=normal(1, 0.1)"), std::string("a=[x, y]"),
                                  std::string("a=['x, y', \"(\"]"), "a=[0, @" + (folder / "table.csv") + ":m]"}) {
    const Vary before = parseVary(text), after = parseVary(before.words());
    EXPECT_EQ(after.words(), before.words());
    EXPECT_EQ(after.pieces, before.pieces) << before.words();
    for (std::size_t i = 0; i < before.parameters.size(); ++i) {
      EXPECT_EQ(after.parameters[i].together, before.parameters[i].together);
      for (const double share : {0.1, 0.37, 0.9})
        EXPECT_EQ(after.parameters[i].text(share), before.parameters[i].text(share)) << before.words();
    }
  }
}

TEST(Vary, RefusesWhatMakesNoSense) {
  expectRefused("body.top.mass", "there is no '='");
  expectRefused("body.top.mass=", "missing");
  expectRefused("body.top.mass=2", "nothing varies");
  expectRefused("body.top.mass=2:1", "is empty");
  expectRefused("body.top.mass=2:2", "is empty");
  expectRefused("body.top.mass=1:2:1", "whole number from 2");
  expectRefused("body.top.mass=1:2:2.5", "whole number from 2");
  expectRefused("body.top.mass=1:", "no number behind");
  expectRefused("body.top.mass=1:x", "no number behind");
  expectRefused("body.top.mass=normal(1)", "normal(MEAN, DEVIATION)");
  expectRefused("body.top.mass=normal(1, 0)", "not positive");
  expectRefused("body.top.mass=uniform(1, 1e999)", "not of the form");
  expectRefused("body.top.mass=among(1", "not closed");
  expectRefused("body.top.mass=[]", "the list is empty");
  expectRefused("body.top.mass=[1,, 2]", "nothing between two commas");
  expectRefused("body.top.mass=@\"masses.csv:m", "a quote is not closed");
  expectRefused("body.top.mass=@masses.csv", "names no column");
}

TEST(Vary, IsOneLine) {
  try {
    parseVary("body.top.mass=among(1,\n2)");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "--vary 'body.top.mass=among(1,?2)': it has several lines; write it in one");
  }
}

/// By mpmath at 40 digits: sqrt(2) erfinv(2 p - 1).
TEST(NormalQuantile, IsThatOfTheNormalDistribution) {
  EXPECT_EQ(normalQuantile(0.5), 0.0);
  EXPECT_NEAR(normalQuantile(0.975), 1.9599639845400542, 1e-14);
  EXPECT_NEAR(normalQuantile(0.001), -3.0902323061678135, 1e-14);
  EXPECT_NEAR(normalQuantile(1e-20), -9.2623400897984076, 1e-14);
  for (double p = 0.003; p < 1.0; p += 0.007)
    EXPECT_NEAR(0.5 * std::erfc(-normalQuantile(p) / std::sqrt(2.0)), p, 4e-16 + 4e-16 * p) << p;
}

}  // namespace
}  // namespace polhode::ensemble::vary_test
