#include "commands.h"
#include "polhode/error.h"
#include "polhode/io/recording.h"
#include "study.h"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace polhode::app {

namespace {

std::vector<std::string> studyNames() {
  std::vector<std::string> names;
  for (const Study& study : studies()) names.push_back(study.name);
  return names;
}

void execute(const std::string& name, std::string folder, const SignalChoice& signal) {
  const Study& study = findStudy(name);
  if (signal.given() && !study.runOnSignal)
    throw InputError(fmt::format("study '{}' follows no signal; leave out --seed and --signal", name));
  if (folder.empty()) folder = "out/" + name;

  const bool watched = isatty(STDERR_FILENO);
  const StudyProgress progress = [watched](const std::string& what) {
    if (watched) fmt::print(stderr, "\r{}\033[K", what), std::fflush(stderr);
  };
  const StudyResult result = signal.given() ? study.runOnSignal(progress, signal) : study.run(progress);
  if (watched) fmt::print(stderr, "\r\033[K");

  const std::filesystem::path target(folder);
  const std::filesystem::path page = target / (name + ".html");
  writeReport(page, result.report);
  for (const auto& [file, table] : result.tables) writeTextTable((target / file).string(), table);
  fmt::print("{}", studySummary(result.report));
  fmt::print("{} tables are in {}\nthe page is {}\n", result.tables.size(), folder,
             std::filesystem::absolute(page).lexically_normal().string());
}

}  // namespace

void addStudy(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  auto folder = std::make_shared<std::string>();
  auto signal = std::make_shared<SignalChoice>();
  CLI::App* study = app.add_subcommand("study", "Reproduce a paper's figures and tables: CSV files and one HTML page.");
  study->add_option("NAME", *name, fmt::format("{}; see `polhode list studies`", fmt::join(studyNames(), ", ")))
      ->required();
  study->add_option("--out", *folder, "Folder to write to (out/NAME if not given)");
  study->add_option("--seed", signal->seed, "Seed of the signal that a study of signals follows");
  study->add_option("--signal", signal->file, "CSV file (t, x, y, z) with the signal that it follows")
      ->excludes("--seed");
  study->callback([name, folder, signal] { execute(*name, *folder, *signal); });
}

}  // namespace polhode::app
