#include "watched_run.h"

#include "analysis/chosen_columns.h"
#include "analysis/engine_registry.h"
#include "commands.h"
#include "interruption.h"
#include "io/recording_stream.h"
#include "io/run_attributes.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "run_report.h"
#include "server/run_page.h"

#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace polhode::app {

namespace {

/// A line on standard error that follows the run, only where a person is watching.
class ProgressLine {
 public:
  explicit ProgressLine(double end) : end_(end), shown_(isatty(STDERR_FILENO)) {}
  ~ProgressLine() {
    if (percent_ >= 0) fmt::print(stderr, "\r\033[K");
  }
  void operator()(double time) {
    const int percent = static_cast<int>(100.0 * time / end_);
    if (!shown_ || percent == percent_) return;
    percent_ = percent;
    fmt::print(stderr, "\rt = {:.4g} of {:.4g} ({} %)\033[K", time, end_, percent);
    std::fflush(stderr);
  }

 private:
  double end_;
  bool shown_;
  int percent_ = -1;
};

/// What of a URDF file was not simulated belongs to what users should know.
void addLeftOut(const ModelFile& file, std::string& warning) {
  if (file.leftOut.empty()) return;
  warning += fmt::format("{}left out of the URDF file: {}", warning.empty() ? "" : "; ", fmt::join(file.leftOut, ", "));
}

/// The rows of a run that goes on: those until its checkpoint, then the new ones.
class ContinuedRows final : public RowSink {
 public:
  ContinuedRows(RecordingStream& stream, Recording old, const Checkpoint& from)
      : stream_(stream), old_(std::move(old)), rows_(static_cast<std::size_t>(from.rows)) {
    if (old_.rows() < rows_)
      throw InputError(
          fmt::format("{}: the file has {} rows, and its checkpoint at t = {:g} needs {}; begin the run anew",
                      stream.path(), old_.rows(), from.time, rows_));
  }

  void begin(const std::vector<std::string>& columns) override {
    if (columns != old_.columns)
      throw InputError(stream_.path() + ": the file has other columns than this version records; begin the run anew");
    stream_.holdBack();
    stream_.begin(columns);
    for (std::size_t row = 0; row < rows_; ++row)
      stream_.append(std::span(old_.values).subspan(row * columns.size(), columns.size()));
    stream_.sync();
    old_ = {};
  }
  void append(std::span<const double> row) override { stream_.append(row); }
  void finish() override { stream_.finish(); }

 private:
  RecordingStream& stream_;
  Recording old_;
  std::size_t rows_;
};

}  // namespace

void runWatched(const RunRequest& asked) {
  const SimulationSettings& settings = asked.settings;
  const Attributes attributes = asked.system
                                    ? Attributes{{"model", asked.file.model.name}, {"integrator", settings.integrator}}
                                    : runAttributes(asked.file, settings);
  RunOptions options = runOptions(asked.file.model, settings);
  if (asked.system) options.conserved = asked.system->conserved();
  std::unique_ptr<RecordingStream> stream;
  std::unique_ptr<ContinuedRows> continued;
  std::unique_ptr<ChosenColumns> chosen;
  if (!asked.out.empty()) stream = std::make_unique<RecordingStream>(asked.out, attributes);
  options.rows = stream.get();
  options.record = !asked.report.empty();
  if (!asked.columns.empty()) {
    chosen = std::make_unique<ChosenColumns>(*stream, asked.columns);
    options.rows = chosen.get();
  }
  if (asked.saved) {
    Recording old = readRecording(asked.out).recording;
    const std::vector<std::string> columns = old.columns;
    continued = std::make_unique<ContinuedRows>(*stream, std::move(old), asked.saved->checkpoint);
    chosen = std::make_unique<ChosenColumns>(*continued, columns);
    options.rows = chosen.get();
    options.resumeFrom = &asked.saved->checkpoint;
  }
  if (asked.checkpointEvery) {
    options.checkpointEvery = asked.checkpointEvery;
    options.checkpoint = [&](const Checkpoint& checkpoint) {
      stream->sync();  // the rows until there come first
      try {
        writeCheckpoint(asked.out, {attributes, *asked.checkpointEvery, checkpoint});
      } catch (const InputError& error) {
        throw SimulationError(checkpoint.time, error.what());
      }
    };
  }

  RunResult result;
  {
    ProgressLine progress(settings.end);
    options.progress = [&](double t) { progress(t); };
    const Interruption interruption;
    options.interrupted = [] { return Interruption::signal() != 0; };
    result = asked.system ? run(*asked.system, options) : run(*makeEngine(asked.file.model, settings), options);
  }
  addLeftOut(asked.file, result.warning);
  const std::string& assembled = asked.file.assembled;
  if (!assembled.empty()) result.warning = assembled + (result.warning.empty() ? "" : "; " + result.warning);

  // the page tells of a run that failed as well
  if (!asked.report.empty())
    writeReport(asked.report, live::runPage(asked.file.model, settings, result, asked.whyIntegrator));
  if (asked.json) {
    fmt::print("{}\n", runJson(asked.file.model, settings, result, asked.whyIntegrator));
  } else {
    fmt::print("{}", runTable(asked.file.model, settings, result, asked.whyIntegrator, asked.eachPart));
    if (stream) fmt::print("{} rows are in {}\n", stream->rows(), stream->path());
    if (!asked.report.empty()) fmt::print("its page is {}; open it in a browser\n", asked.report);
  }
  if (!result.failure.empty()) throw SimulationError(result.final.time, result.failure);
  if (result.interrupted) throw CLI::RuntimeError("interrupted", 128 + Interruption::signal());
}

}  // namespace polhode::app
