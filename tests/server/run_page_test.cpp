#include "server/run_page.h"

#include "io/examples.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace polhode::live::run_page_test {
namespace {

struct Ran {
  Model model;
  SimulationSettings settings;
  RunResult result;
};

Ran ran(const std::string& example, double end, double every) {
  const ModelFile file = readModelText(findExample(example)->text, example + ".toml");
  Ran ran{file.model, file.simulation, {}};
  ran.settings.end = end;
  ran.settings.outputEvery = every;
  ran.result = simulate(ran.model, ran.settings, true);
  return ran;
}

std::vector<std::string> titles(const Report& page) {
  std::vector<std::string> all;
  for (const Section& section : page.sections)
    for (const Chart& chart : section.charts) all.push_back(chart.title);
  return all;
}

TEST(RunPage, HasTheMotionItsChartsAndItsFindings) {
  const Ran run = ran("quarter-car", 1.0, 0.01);
  const Report page = runPage(run.model, run.settings, run.result, "");
  const std::vector<std::string> all = titles(page);
  for (const char* title :
       {"Energy", "Drift", "Linear momentum", "Displacements of joints", "Tension of springs and dampers"})
    EXPECT_TRUE(std::count(all.begin(), all.end(), title)) << title;
  EXPECT_EQ(page.motion->places.size(), 7 * run.model.bodies.size() * page.motion->times.size());
  EXPECT_EQ(page.grid.size(), run.result.recording.rows());
  EXPECT_NE(page.summary.find(run.settings.integrator), std::string::npos);
  EXPECT_NE(page.summary.find("work of forces"), std::string::npos) << page.summary;
  // one file with everything inside
  const std::string html = reportHtml(page);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_NE(html.find("\"motion\":{\"scene\":{"), std::string::npos);
}

// Beside the program of the page, which is the same for all, a second of motion may so take 70 kB.
TEST(RunPage, AMinuteOfTheWalkerIsBelowFiveMegabytes) {
  const auto page = [](double end) {
    const Ran run = ran("jansen-walker", end, 0.01);
    return runPage(run.model, run.settings, run.result, "");
  };
  const Report one = page(1.0), two = page(2.0);
  const std::size_t program = 800'000, second = reportHtml(two).size() - reportHtml(one).size();
  EXPECT_LT(reportHtml(one).size(), program + second);
  EXPECT_LT(program + 60 * second, 5'000'000u);
  // of more than eight joints the largest are seen at first
  for (const Section& section : one.sections)
    for (const Chart& chart : section.charts) EXPECT_EQ(chart.shownAtFirst, chart.series.size() > 8 ? 8u : 0u);
}

TEST(RunPage, RowsAreCloseEnoughToSeeHowBodiesTurn) {
  const ModelFile file = readModelText(findExample("heavy-top")->text, "heavy-top.toml");  // 140 rad/s
  SimulationSettings settings = file.simulation;
  settings.end = 100.0;
  EXPECT_LE(rowsForPage(file.model, settings), 1.0 / 140.0);
  settings.end = 1.0;
  EXPECT_EQ(rowsForPage(file.model, settings), 1.0 / 6000.0);
}

// Between steps of director-em bodies are interpolated, and neither energy nor joints are kept there: a page once told so of a run
// that keeps both to rounding.
TEST(RunPage, RowsAreAtTheEndsOfSteps) {
  const ModelFile file = readModelText(findExample("ball-chain")->text, "ball-chain.toml");
  SimulationSettings settings = file.simulation;
  settings.integrator = "director-em";
  settings.step = 1e-3;
  settings.end = 60.0;
  EXPECT_DOUBLE_EQ(rowsForPage(file.model, settings), 0.01);
  settings.end = 1.0;
  EXPECT_DOUBLE_EQ(rowsForPage(file.model, settings), 1e-3);
  settings.outputEvery = rowsForPage(file.model, settings);
  const RunResult result = simulate(file.model, settings, true);
  const Report page = runPage(file.model, settings, result, "");
  std::vector<Series> drifts;
  for (const Chart& chart : page.sections.front().charts)
    if (chart.title == "Drift") drifts = chart.series;
  ASSERT_FALSE(drifts.empty());
  for (const Series& series : drifts)
    EXPECT_LT(*std::max_element(series.y.begin(), series.y.end()), 1e-9) << series.name;
}

TEST(RunPage, APathThatIsNoPageIsRefused) {
  EXPECT_THROW(requirePagePath("run.h5"), InputError);
  EXPECT_THROW(requirePagePath("/tmp"), InputError);
  EXPECT_NO_THROW(requirePagePath("run.html"));
}

}  // namespace
}  // namespace polhode::live::run_page_test
