#include "server/sweep_members.h"

#include "ensemble/sweep_page.h"
#include "ensemble/sweep_summary.h"
#include "io/sweep_file.h"
#include "polhode/error.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace polhode::live {

namespace {

using namespace ensemble;

SweepPlan planOf(const std::string& path) {
  SweepPlan plan = SweepPlan::of(SweepReader(path).attributes(), path);
  plan.onGpu = false;  // where its members were moved; here they are looked at
  return plan;
}

/// The file is read anew each time, since members may still be added to it.
class MembersOfFile final : public SweepMembers {
 public:
  explicit MembersOfFile(const std::string& path) : path_(path), sweep_(planOf(path)) {
    if (SweepReader(path).done() == 0)
      throw InputError(path + ": no member of this sweep is there yet; open it again when some are");
  }

  std::string page() const override {
    const SweepReader file(path_);
    return reportHtml(sweepPage(sweep_, file, summaryOf(sweep_, file), "/?member="));
  }

  Scenario member(std::int64_t number) const override {
    const std::int64_t last = sweep_.size() - 1;
    if (number < 0 || number > last)
      throw InputError(fmt::format("there is no member {} in this sweep; they are counted from 0 to {}", number, last));
    const std::string name = std::filesystem::path(path_).filename().string();
    return {fmt::format("{}, member {}", name, number), sweep_.file(number)};
  }

  std::int64_t firstToShow() const override {
    const SweepReader file(path_);
    const std::vector<std::string> failures = file.failures(0, file.done());
    const auto runs = std::find(failures.begin(), failures.end(), "");
    return runs == failures.end() ? 0 : runs - failures.begin();
  }

 private:
  std::string path_;
  Sweep sweep_;
};

}  // namespace

std::shared_ptr<const SweepMembers> openSweepFile(const std::string& path) {
  return std::make_shared<MembersOfFile>(path);
}

}  // namespace polhode::live
