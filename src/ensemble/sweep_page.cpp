#include "ensemble/sweep_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode::ensemble {

namespace {

constexpr std::int64_t mostShown = 2000;  // members that are seen as points and lines
constexpr std::size_t mostScatters = 60;  // charts of a measure against a parameter
constexpr std::size_t mostAxes = 14;

/// In quotes for a shell, where that needs them.
std::string shellWord(const std::string& text) {
  if (!text.empty() &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@") ==
          std::string::npos)
    return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string runCommand(const Sweep& sweep, std::int64_t member) {
  std::string command = "polhode run " + shellWord(sweep.plan().command);
  for (const std::string& override : sweep.overrides(member)) command += " --set " + shellWord(override);
  return command;
}

/// Members that the page shows: all of them, or some at even distances.
std::vector<std::int64_t> shownMembers(std::int64_t done) {
  std::vector<std::int64_t> members;
  const std::int64_t count = std::min(done, mostShown);
  for (std::int64_t k = 0; k < count; ++k)
    members.push_back(
        static_cast<std::int64_t>(static_cast<double>(k) * static_cast<double>(done) / static_cast<double>(count)));
  return members;
}

/// The numbers of a column that the page shows.
std::vector<double> shownOf(const SweepReader& file, const std::string& column,
                            const std::vector<std::int64_t>& shown) {
  std::vector<double> picked;
  std::int64_t member = 0;
  file.forEach(column, [&](double number) {
    if (picked.size() < shown.size() && shown[picked.size()] == member++) picked.push_back(number);
  });
  return picked;
}

std::vector<double> whetherFailed(const SweepReader& file, const std::vector<std::int64_t>& shown) {
  std::vector<double> marks;
  for (const std::int64_t member : shown) marks.push_back(file.failures(member, 1).front().empty() ? 0.0 : 1.0);
  return marks;
}

/// How often each value comes, as stairs.
Chart distribution(const MeasureSummary& measure, const SweepReader& file) {
  Chart chart;
  chart.title = measure.name;
  chart.xLabel = measure.name;
  chart.yLabel = "members";
  const double width = measure.most - measure.least;
  const auto bins =
      width > 0.0 ? static_cast<std::size_t>(std::clamp(2.0 * std::cbrt(static_cast<double>(measure.known)), 5.0, 80.0))
                  : std::size_t(1);
  std::vector<double> counts(bins, 0.0);
  file.forEach("measures/" + measure.name, [&](double value) {
    if (!std::isfinite(value)) return;
    const double share = width > 0.0 ? (value - measure.least) / width : 0.0;
    counts[std::min(bins - 1, static_cast<std::size_t>(share * static_cast<double>(bins)))] += 1.0;
  });
  Series stairs;
  stairs.name = "members";
  for (std::size_t i = 0; i < bins; ++i) {
    for (const std::size_t edge : {i, i + 1}) {
      const double left = width > 0.0 ? measure.least : measure.least - 0.5;
      stairs.x.push_back(left + (width > 0.0 ? width : 1.0) * static_cast<double>(edge) / static_cast<double>(bins));
      stairs.y.push_back(counts[i]);
    }
  }
  stairs.x.insert(stairs.x.begin(), stairs.x.front());
  stairs.x.push_back(stairs.x.back());
  stairs.y.insert(stairs.y.begin(), 0.0);
  stairs.y.push_back(0.0);
  chart.series.push_back(std::move(stairs));
  chart.note = fmt::format("Mean {:.6g}, standard deviation {:.4g}; from {:.6g} to {:.6g}.", measure.mean,
                           measure.deviation, measure.least, measure.most);
  return chart;
}

Chart scatter(const std::string& measure, std::vector<double> values, const Parameter& parameter,
              std::vector<double> x) {
  Chart chart;
  chart.title = fmt::format("{} over {}", measure, parameter.name);
  chart.xLabel = parameter.name;
  chart.yLabel = measure;
  Series points;
  points.name = "members";
  points.line = false;
  points.points = points.members = true;
  points.x = std::move(x);
  points.y = std::move(values);
  chart.series.push_back(std::move(points));
  if (parameter.areWords)
    for (std::size_t i = 0; i < parameter.levels.size(); ++i)
      chart.note += fmt::format("{}{} is `{}`", i == 0 ? "" : ", ", i, parameter.levels[i]);
  return chart;
}

Bars indexBars(const MeasureSummary& measure, const std::vector<std::string>& dimensions) {
  Bars bars;
  bars.title = "Sobol' indices of " + measure.name;
  bars.labels = dimensions;
  bars.series = {{"alone (first order)", {}, {}, {}}, {"with all others (total)", {}, {}, {}}};
  for (const SobolIndex& index : measure.indices) {
    const auto add = [](Bars::Shares& to, double value, const Interval& range) {
      to.values.push_back(value);
      to.low.push_back(range.low);
      to.high.push_back(range.high);
    };
    add(bars.series[0], index.first, index.firstRange);
    add(bars.series[1], index.total, index.totalRange);
  }
  bars.note = "The share of the variance that comes from each; the line is the interval that holds 95 % (bootstrap).";
  return bars;
}

std::string sweepWords(const Sweep& sweep, const SweepSummary& summary, std::size_t shown, bool opens) {
  const SweepPlan& plan = sweep.plan();
  std::string text = fmt::format("{} of {} members are there; {} failed.", summary.done, sweep.size(), summary.failed);
  if (summary.failed > 0)
    text += fmt::format(" The first is member {}: {}.", summary.firstFailed, summary.firstFailure);
  text += plan.samples ? fmt::format("\n\nThey were taken by `{}` with the seed {}", wordOf(plan.sampling), plan.seed)
                       : std::string("\n\nThey are a grid");
  std::vector<std::string> varied;
  for (const Vary& vary : plan.vary) {
    std::string words = vary.words();
    if (words.size() > 100) words = words.substr(0, 97) + "...";
    varied.push_back(fmt::format("`{}`", words));
  }
  text += fmt::format(" of {}.", fmt::join(varied, ", "));
  std::vector<std::string> unknown;
  for (const MeasureSummary& measure : summary.measures)
    if (measure.known == 0) unknown.push_back(fmt::format("`{}`", measure.name));
  if (!unknown.empty()) text += fmt::format(" No member has a number for {}.", fmt::join(unknown, ", "));
  if (static_cast<std::int64_t>(shown) < summary.done)
    text += fmt::format(" Points and lines are {} of them, evenly chosen; all else is of all.", shown);
  return text + (opens
                     ? "\n\nA click on a point or a line chooses a member; its run opens by another click."
                     : "\n\nA click on a point or a line shows the command that runs this member alone. `polhode live` "
                       "with the file of the sweep shows this page with members that can be opened.");
}

}  // namespace

Report sweepPage(const Sweep& sweep, const SweepReader& file, const SweepSummary& summary, const std::string& openBy) {
  const std::vector<std::int64_t> shown = shownMembers(summary.done);
  Report page;
  page.title = sweep.modelName();
  page.subtitle = fmt::format("A sweep of {} members", sweep.size());
  page.summary = sweepWords(sweep, summary, shown.size(), !openBy.empty());
  page.members.emplace();
  page.members->numbers = shown;
  page.members->openBy = openBy;
  for (const std::int64_t member : shown) page.members->commands.push_back(runCommand(sweep, member));

  Section indices{"Where the variance comes from", "", {}, {}}, distributions{"Distributions", "", {}, {}},
      together{"All together", "", {}, {}}, scatters{"Against each parameter", "", {}, {}};
  Parallel parallel{
      "Parallel coordinates", {}, "Drag along an axis to keep the members that pass there; click it to keep all."};
  std::vector<std::vector<double>> given;
  for (const Parameter& parameter : sweep.parameters()) {
    given.push_back(shownOf(file, "parameters/" + parameter.name, shown));
    parallel.columns.push_back({parameter.name, false, given.back()});
  }
  if (summary.failed > 0) parallel.columns.push_back({"failed", true, whetherFailed(file, shown)});
  for (const MeasureSummary& measure : summary.measures) {
    if (measure.known == 0) continue;
    distributions.charts.push_back(distribution(measure, file));
    if (!measure.indices.empty()) indices.bars.push_back(indexBars(measure, summary.dimensions));
    const std::vector<double> seen = shownOf(file, "measures/" + measure.name, shown);
    parallel.columns.push_back({measure.name, true, seen});
    for (std::size_t i = 0; i < given.size() && scatters.charts.size() < mostScatters; ++i)
      scatters.charts.push_back(scatter(measure.name, seen, sweep.parameters()[i], given[i]));
  }
  if (parallel.columns.size() > mostAxes) parallel.columns.resize(mostAxes);
  if (parallel.columns.size() > 1) together.parallels.push_back(std::move(parallel));
  for (Section* section : {&indices, &distributions, &together, &scatters})
    if (!section->bars.empty() || !section->charts.empty() || !section->parallels.empty())
      page.sections.push_back(std::move(*section));
  return page;
}

}  // namespace polhode::ensemble
