#include "watched_sweep.h"

#include "commands.h"
#include "ensemble/sweep_page.h"
#include "ensemble/sweep_run.h"
#include "ensemble/sweep_summary.h"
#include "interruption.h"
#include "io/json.h"
#include "polhode/error.h"
#include "server/run_page.h"

#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

namespace polhode::app {

namespace {

using namespace ensemble;
using Clock = std::chrono::steady_clock;

double secondsBetween(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

std::string durationWords(double seconds) {
  if (seconds < 90.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

/// A line on standard error with the time that is left, only where a person is watching.
class SweepLine {
 public:
  SweepLine(std::int64_t first, std::int64_t all) : first_(first), all_(all), shown_(isatty(STDERR_FILENO)) {}
  ~SweepLine() {
    if (seen_) fmt::print(stderr, "\r\033[K");
  }
  void operator()(std::int64_t done, std::int64_t failed) {
    const Clock::time_point now = Clock::now();
    if (!shown_ || secondsBetween(told_, now) < 0.5) return;
    told_ = now;
    seen_ = true;
    const double pace = static_cast<double>(done - first_) / secondsBetween(begun_, now);
    fmt::print(stderr, "\r{} of {} members ({} %){}{}\033[K", done, all_, 100 * done / all_,
               failed > 0 ? fmt::format(", {} failed", failed) : "",
               pace > 0.0 ? fmt::format(", {} left", durationWords(static_cast<double>(all_ - done) / pace)) : "");
    std::fflush(stderr);
  }

 private:
  std::int64_t first_, all_;
  bool shown_, seen_ = false;
  Clock::time_point begun_ = Clock::now(), told_ = begun_;
};

/// The members that a file has already go into the new one before it takes the old one's place. Whether all did.
bool copyMembers(const std::string& from, const SweepLayout& layout, std::int64_t done, SweepWriter& to) {
  constexpr std::int64_t atOnce = 1024;
  const SweepReader reader(from);
  if (reader.members() != layout.members)
    throw InputError(from + ": the file has another number of members than its plan; begin the sweep anew");
  std::vector<double> row;
  for (std::int64_t first = 0; first < done; first += atOnce) {
    if (Interruption::signal() != 0) return false;
    const std::int64_t count = std::min(atOnce, done - first);
    std::vector<std::vector<double>> columns;
    for (const SweepColumn& column : layout.columns) columns.push_back(reader.column(column, first, count));
    const std::vector<std::string> failures = reader.failures(first, count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      row.clear();
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::size_t width = layout.columns[k].width;
        row.insert(row.end(), columns[k].begin() + static_cast<std::ptrdiff_t>(i * width),
                   columns[k].begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
      }
      to.append(row, failures[i]);
    }
  }
  to.sync();
  return true;
}

/// Whether all were moved. Where it ends before there are more members than before the file stays as it is.
bool moveMembers(const Sweep& sweep, const SweepRequest& asked, unsigned threads) {
  constexpr double longestWait = 0.3;  // seconds until members are on the disk
  const Interruption interruption;
  SweepWriter writer(asked.out, sweep.layout(), sweep.plan().attributes());
  const std::int64_t first = std::max<std::int64_t>(asked.done, 0);
  if (first > 0 && !copyMembers(asked.out, sweep.layout(), first, writer)) return false;
  writer.takePlaceWithMembers();

  SweepLine progress(first, sweep.size());
  std::int64_t done = first, failed = 0;
  Clock::time_point synced = Clock::now();
  SweepHands hands;
  hands.take = [&](MemberRow&& row) {
    writer.append(row.numbers, row.failure);
    ++done;
    if (!row.failure.empty()) ++failed;
  };
  hands.idle = [&] {
    progress(done, failed);
    if (secondsBetween(synced, Clock::now()) < longestWait) return;
    writer.sync();
    synced = Clock::now();
  };
  hands.stopped = [] { return Interruption::signal() != 0; };
  runSweep(sweep, first, threads, hands, asked.ranks);
  writer.sync();
  writer.takePlace();
  return done == sweep.size();
}

/// Told before anything is added up, since mpirun kills a second after one of its processes has died.
void tellHowToGoOn(const SweepRequest& asked) {
  if (asked.ranks)
    fmt::print(stderr,
               "the sweep was interrupted, or one of its processes died; `mpirun -n {} polhode resume {}` goes on\n",
               asked.ranks->helpers() + 1, asked.out);
  else
    fmt::print(stderr, "the sweep was interrupted; `polhode resume {}` goes on\n", asked.out);
}

void writeInterval(JsonWriter& json, const char* name, double value, const Interval& range) {
  json.key(name).beginObject().field("value", value).field("low", range.low).field("high", range.high).endObject();
}

std::string sweepJson(const Sweep& sweep, const SweepSummary& summary, const SweepRequest& asked, double seconds) {
  JsonWriter json;
  json.beginObject().field("status", summary.done < sweep.size() ? "interrupted" : "finished");
  json.field("model", sweep.modelName()).field("members", sweep.size()).field("done", summary.done);
  json.field("failed", summary.failed).field("first_failure", summary.firstFailure).field("out", asked.out);
  if (!asked.whyIntegrator.empty()) json.field("integrator_reason", asked.whyIntegrator);
  json.field("seconds", seconds).key("measures").beginArray();
  for (const MeasureSummary& measure : summary.measures) {
    json.beginObject().field("name", measure.name).field("known", measure.known).field("mean", measure.mean);
    json.field("deviation", measure.deviation).field("min", measure.least).field("max", measure.most);
    json.key("indices").beginArray();
    for (std::size_t i = 0; i < measure.indices.size(); ++i) {
      json.beginObject().field("parameter", summary.dimensions[i]);
      writeInterval(json, "first", measure.indices[i].first, measure.indices[i].firstRange);
      writeInterval(json, "total", measure.indices[i].total, measure.indices[i].totalRange);
      json.endObject();
    }
    json.endArray().endObject();
  }
  return json.endArray().endObject().text();
}

std::string sweepTable(const Sweep& sweep, const SweepSummary& summary, const SweepRequest& asked, double seconds) {
  std::string text = fmt::format("{}: {} of {} members in {:.3g} s, {} failed\n", sweep.modelName(), summary.done,
                                 sweep.size(), seconds, summary.failed);
  if (!asked.whyIntegrator.empty()) text += fmt::format("  {}\n", asked.whyIntegrator);
  if (summary.failed > 0)
    text += fmt::format("  the first is number {}: {}\n", summary.firstFailed, summary.firstFailure);
  if (!summary.measures.empty())
    text += fmt::format("\n{:<33} {:>12} {:>12} {:>12} {:>12}\n", "measure", "mean", "deviation", "min", "max");
  for (const MeasureSummary& measure : summary.measures)
    text += fmt::format("{:<33} {:>12.6g} {:>12.4g} {:>12.6g} {:>12.6g}\n", measure.name, measure.mean,
                        measure.deviation, measure.least, measure.most);
  for (const MeasureSummary& measure : summary.measures) {
    if (measure.indices.empty()) continue;
    text += fmt::format("\n{:<34}{:>26}{:>26}\n", "Sobol' indices of " + measure.name, "first order", "total");
    for (std::size_t i = 0; i < measure.indices.size(); ++i) {
      const SobolIndex& index = measure.indices[i];
      const auto told = [](double value, const Interval& range) {
        return fmt::format("{:.4f} [{:.4f}, {:.4f}]", value, range.low, range.high);
      };
      text += fmt::format("  {:<32}{:>26}{:>26}\n", summary.dimensions[i], told(index.first, index.firstRange),
                          told(index.total, index.totalRange));
    }
  }
  return text + fmt::format("\nthe members are in {}\n", asked.out);
}

}  // namespace

SweepPlanFile readSweepPlan(const std::string& path) {
  const SweepReader reader(path);
  return {SweepPlan::of(reader.attributes(), path), reader.done()};
}

void runWatchedSweep(const SweepRequest& asked) {
  if (!asked.report.empty()) live::requirePagePath(asked.report);
  const Sweep sweep(asked.plan);
  const unsigned cores = asked.ranks ? 1 : std::max(1u, std::thread::hardware_concurrency());
  const unsigned threads = asked.threads > 0 ? asked.threads : cores;
  const Clock::time_point begun = Clock::now();
  const bool isWhole = asked.done >= sweep.size() || moveMembers(sweep, asked, threads);
  if (!isWhole) tellHowToGoOn(asked);
  const double seconds = secondsBetween(begun, Clock::now());

  const SweepReader reader(asked.out);
  const SweepSummary summary = summaryOf(sweep, reader);
  if (!asked.report.empty()) writeReport(asked.report, sweepPage(sweep, reader, summary));
  if (asked.json) {
    fmt::print("{}\n", sweepJson(sweep, summary, asked, seconds));
  } else {
    fmt::print("{}", sweepTable(sweep, summary, asked, seconds));
    if (!asked.report.empty()) fmt::print("its page is {}; open it in a browser\n", asked.report);
  }
  if (!isWhole) throw CLI::RuntimeError("interrupted", 128 + Interruption::signal());
}

}  // namespace polhode::app
