#include "ensemble/member_mover.h"
#include "ensemble/watched_run.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::ensemble {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Keeps the rows at even times of the columns that are wanted, column by column.
class TrajectoryRows final : public RowSink {
 public:
  TrajectoryRows(const Wanted& wanted, std::vector<double>& trajectory) : wanted_(wanted), trajectory_(trajectory) {
    trajectory_.assign(wanted.rows * wanted.columns.size(), unknown);
  }

  void begin(const std::vector<std::string>& columns) override {
    for (const std::string& column : wanted_.columns)
      places_.push_back(static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin()));
  }

  void append(std::span<const double> row) override {
    const double number = std::round(row[0] / *wanted_.every);
    if (number >= static_cast<double>(wanted_.rows) ||
        std::abs(row[0] - number * *wanted_.every) > 1e-9 * *wanted_.every)
      return;  // the end of a run that is at no even time
    for (std::size_t k = 0; k < places_.size(); ++k)
      if (places_[k] < row.size()) trajectory_[k * wanted_.rows + static_cast<std::size_t>(number)] = row[places_[k]];
  }

 private:
  const Wanted& wanted_;
  std::vector<double>& trajectory_;
  std::vector<std::size_t> places_;
};

class OneByOne final : public MemberMover {
 public:
  explicit OneByOne(const Wanted& wanted) : wanted_(wanted) {}

  void move(std::span<const Member> members, std::span<MemberOutcome> outcomes) override {
    for (std::size_t i = 0; i < members.size(); ++i) {
      try {
        move(members[i], outcomes[i]);
      } catch (const InputError& error) {
        outcomes[i].failure = error.what();
      } catch (const SimulationError& error) {
        outcomes[i].failure = error.what();
      }
      if (!outcomes[i].failure.empty()) outcomes[i].measures.assign(wanted_.measures.size(), unknown);
    }
  }

 private:
  void move(const Member& member, MemberOutcome& outcome) const {
    RunOptions options = runOptions(member.model, member.settings);
    TrajectoryRows rows(wanted_, outcome.trajectory);
    options.outputEvery = wanted_.every;
    if (wanted_.every) options.rows = &rows;

    auto [result, watch] = watchedRun(member, wanted_.measures, std::move(options));
    outcome.failure = result.failure;
    outcome.measures = watch.finish(result);
  }

  const Wanted& wanted_;
};

}  // namespace

const MoverType oneByOne = {
    "member by member",
    "each member by an engine of its own, exactly as `polhode run` moves it",
    1,
    [](const Member&, const Wanted&) { return std::string(); },
    [](const Member&, const Member&) { return true; },
    [](const Wanted& wanted) -> std::unique_ptr<MemberMover> { return std::make_unique<OneByOne>(wanted); },
};

}  // namespace polhode::ensemble
