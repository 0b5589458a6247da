#include "server/part_settings.h"

#include "polhode/error.h"
#include "support/json.h"
#include "support/live_session.h"

#include <cmath>
#include <map>

namespace polhode::live::part_settings_test {
namespace {

using test::example;
using test::Json;
using test::LiveSession;
using test::parseJson;

std::vector<Setting> settings(const std::string& model, const Part& part) {
  const Scenario scenario = example(model);
  return settingsOf(part, scenario.file.model, documentOf(scenario.file, scenario.source));
}

std::string textOf(const std::vector<Setting>& all, const std::string& key) {
  for (const Setting& each : all)
    if (each.key == key) return each.text;
  return "none";
}

TEST(PartSettings, AreWhatTheFileSaysOfThePart) {
  EXPECT_EQ(textOf(settings("quarter-car", {"body", 1}), "mass"), "300");
  EXPECT_EQ(textOf(settings("quarter-car", {"body", 1}), "velocity"), "");
  EXPECT_EQ(textOf(settings("quarter-car", {"body", 1}), "position"), "none");
  EXPECT_EQ(textOf(settings("quarter-car", {"joint", 0}), "start"), "");
  EXPECT_EQ(textOf(settings("quarter-car", {"force", 1}), "damping"), "1500");
  EXPECT_EQ(textOf(settings("quarter-car", {"force", 2}), "stiffness"), "180000");
  EXPECT_EQ(textOf(settings("quarter-car", {"force", 0}), "law"),
            "{ table = [[-0.4, -24000], [-0.2, -4000], [0.4, 8000]] }");
  EXPECT_EQ(textOf(settings("quarter-car", {"force", 0}), "stiffness"), "none");
  EXPECT_EQ(textOf(settings("quarter-car", {"model", 0}), "gravity"), "[0, 0, -9.81]");
  EXPECT_EQ(textOf(settings("steered-chain", {"actuator", 0}), "control.method"), "\"receding-horizon\"");
  EXPECT_THROW(settings("quarter-car", {"body", 7}), InputError);
  ModelFile made = example("quarter-car").file;
  made.text.clear();  // a model that no file tells of
  EXPECT_TRUE(settingsOf({"body", 0}, made.model, documentOf(made, "made")).empty());
}

TEST(PartSettings, ReplaceAnEarlierValueAndNameNoFiles) {
  const std::vector<Setting> all = settings("quarter-car", {"force", 3});
  const std::vector<std::string> before = {"body.car.mass=200", "force.road.scale=2"};
  EXPECT_EQ(overridesWith(before, all, "scale", "3"),
            (std::vector<std::string>{"body.car.mass=200", "force.road.scale=3"}));
  EXPECT_THROW(overridesWith({}, all, "scale", "{ signal = \"/etc/passwd\" }"), InputError);
  EXPECT_THROW(overridesWith({}, all, "body", "\"car\""), InputError);
}

struct ChangingLiveSession : LiveSession {
  Json status() {
    session->obey(Steer{});  // after any command the status is news
    return parseJson(*session->takeNews().status);
  }
};

// A spring of stiffness k that carries the mass m swings with the angular frequency sqrt(k/m), whatever the gravity.
const char* const swinging =
    "[model]\nname = \"Swinging\"\n[parameters]\nk = 100\n[[body]]\nname = \"m\"\nmass = 1\ninertia = [0, 0, 0]\n"
    "position = [0, 0, 0]\n[[joint]]\nname = \"guide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"m\"]\n"
    "point = [0, 0, 0]\naxis = [0, 0, 1]\nstart = { displacement = 0.1 }\n"
    "[[force]]\nname = \"spring\"\ntype = \"joint-spring\"\njoint = \"guide\"\nstiffness = \"k\"\n"
    "[simulation]\nintegrator = \"director-em\"\nstep = 0.001\n";

TEST_F(ChangingLiveSession, GoesOnFromHereWithAnotherStiffness) {
  begin({"swinging.toml", readModelText(swinging, "swinging.toml")});
  pass(0.25 * 2 * M_PI / 10);  // to the middle, where it moves with 1 m/s
  session->obey(Pause{});
  session->obey(StepOnce{});  // what is seen is the end of a step
  const std::vector<double> before = frame();
  session->obey(ChangeSetting{{"model", 0}, "k", "400"});
  const std::vector<double> after = frame();
  EXPECT_EQ(after[1], before[1]);
  for (std::size_t i = frameHead; i < after.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-9) << i;
  session->obey(Play{});
  // twice as fast it swings half as far, and is at the end of it after a quarter of its period
  pass(0.25 * 2 * M_PI / 20);
  const std::vector<double> end = frame();
  EXPECT_NEAR(end[frameHead + 2], -0.05, 2e-4);
  // what the energy has changed by is the work of who changed it
  EXPECT_NEAR(end[2] + end[3] - end[26], before[2] + before[3] - before[26], 1e-9);
}

TEST_F(ChangingLiveSession, BeginsAnewWithAnotherStart) {
  begin({"swinging.toml", readModelText(swinging, "swinging.toml")});
  pass(0.3);
  session->obey(ChangeSetting{{"joint", 0}, "start", "{ displacement = -0.2 }"});
  const std::vector<double> numbers = frame();
  EXPECT_EQ(numbers[1], 0.0);
  EXPECT_NEAR(numbers[frameHead + 2], -0.2, 1e-12);
}

TEST_F(ChangingLiveSession, UndoesOneAfterTheOther) {
  begin(example("quarter-car"));
  pass(0.2);
  session->obey(Watch{{{"body", 1}}});
  const auto mass = [&](const Json& status) {
    return status["watched"].items()[0]["settings"].items()[0]["text"].text();
  };
  EXPECT_EQ(mass(status()), "300");
  session->obey(ChangeSetting{{"body", 1}, "mass", "200"});
  session->obey(ChangeSetting{{"body", 1}, "mass", "250"});
  Json now = status();
  EXPECT_EQ(mass(now), "250");
  ASSERT_EQ(now["changes"].items().size(), 1u);
  EXPECT_EQ(now["changes"].items()[0].text(), "body.car.mass=250");
  session->obey(Undo{});
  now = status();
  EXPECT_EQ(mass(now), "200");
  EXPECT_TRUE(now["undoable"].boolean());
  session->obey(Undo{});
  session->obey(Undo{});  // nothing is left
  now = status();
  EXPECT_EQ(mass(now), "300");
  EXPECT_FALSE(now["undoable"].boolean());
  EXPECT_NEAR(time(), 0.2, 1.1e-3);  // the end of the step that was under way
}

// The past before a change is gone back to with the values of then, and what came after is there again until it goes on.
TEST_F(ChangingLiveSession, LeadsBackBeforeAChange) {
  begin({"swinging.toml", readModelText(swinging, "swinging.toml")}, {.out = "", .playing = false});
  session->obey(Watch{{{"model", 0}}});
  const auto stiffness = [](const Json& status) {
    return status["watched"].items()[0]["settings"].items()[1]["text"].text();
  };
  const auto steps = [&](int count) {
    std::map<double, std::vector<double>> places;
    for (int i = 0; i < count; ++i) {
      session->obey(StepOnce{});
      const std::vector<double> numbers = frame();
      places[numbers[1]] = {numbers.begin() + frameHead, numbers.end()};
    }
    return places;
  };
  const auto first = steps(40);
  session->obey(ChangeSetting{{"model", 0}, "k", "400"});
  const auto second = steps(20);
  session->obey(Undo{});
  steps(20);
  EXPECT_EQ(stiffness(status()), "100");
  EXPECT_FALSE(status()["undoable"].boolean());
  session->obey(Seek{0.05});
  Json then = status();
  EXPECT_EQ(stiffness(then), "400");
  EXPECT_EQ(then["changes"].items().at(0).text(), "parameters.k=400");
  EXPECT_TRUE(then["undoable"].boolean());
  session->obey(Seek{0.02});
  then = status();
  EXPECT_EQ(stiffness(then), "100");
  EXPECT_FALSE(then["undoable"].boolean());
  session->obey(Seek{1.0});
  EXPECT_EQ(stiffness(status()), "100");
  EXPECT_NEAR(time(), 0.08, 1e-9);

  // from between the changes on: bit by bit with the stiffness of then, and that can be undone
  session->obey(Seek{0.05});
  const double there = time();
  for (const auto& [time, place] : steps(5)) {
    ASSERT_TRUE(second.contains(time)) << time;
    EXPECT_EQ(place, second.at(time));
    EXPECT_GT(time, there);
  }
  session->obey(Undo{});
  EXPECT_EQ(stiffness(status()), "100");
  session->obey(Seek{0.02});
  for (const auto& [time, place] : steps(5)) EXPECT_EQ(place, first.at(time));
}

// What can be undone, and the past that belongs to it, has a bound.
TEST_F(ChangingLiveSession, KeepsAsManyChangesAsItSays) {
  begin({"swinging.toml", readModelText(swinging, "swinging.toml")}, {.out = "", .playing = false});
  for (int i = 1; i <= 130; ++i) {
    session->obey(StepOnce{});
    session->obey(ChangeSetting{{"model", 0}, "k", std::to_string(100 + i)});
  }
  session->obey(StepOnce{});
  const Json past = status()["past"];
  EXPECT_NEAR(past["to"].number() - past["from"].number(), 1e-3 * KeptPast::mostEditions, 1.5e-3);
  int undone = 0;
  for (; status()["undoable"].boolean() && undone < 1000; ++undone) session->obey(Undo{});
  EXPECT_EQ(undone, 100);
  EXPECT_EQ(status()["changes"].items().at(0).text(), "parameters.k=130");
}

TEST_F(ChangingLiveSession, SaysWhyAValueIsRefusedAndKeepsEverything) {
  begin(example("quarter-car"));
  pass(0.1);
  session->obey(Watch{{{"body", 1}}});
  const std::vector<double> before = frame();
  for (const char* wrong : {"-3", "heavy", "[1, 2", "{ a = 1 }"}) {
    session->obey(ChangeSetting{{"body", 1}, "mass", wrong});
    const News news = session->takeNews();
    ASSERT_EQ(news.notices.size(), 1u) << wrong;
    EXPECT_NE(news.notices[0].find("mass"), std::string::npos) << news.notices[0];
    EXPECT_FALSE(parseJson(*news.status)["undoable"].boolean());
    EXPECT_EQ(news.scene, nullptr);
    EXPECT_EQ(test::frameNumbers(*news.frame)[1], before[1]);
  }
}

TEST_F(ChangingLiveSession, PagesHearOfAnotherMassAndTheChartOfItGoesOn) {
  begin(example("ball-chain"));
  pass(0.1);
  session->takeNews();
  session->obey(ChangeSetting{{"body", 0}, "mass", "0.7"});
  const News news = session->takeNews();
  ASSERT_NE(news.scene, nullptr);
  const Json scene = parseJson(*news.scene);
  EXPECT_TRUE(scene["changed"].boolean());
  EXPECT_EQ(scene["bodies"].items()[0]["mass"].number(), 0.7);
}

}  // namespace
}  // namespace polhode::live::part_settings_test
