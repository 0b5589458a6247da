#include "polhode/io/recording.h"

#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "study.h"
#include <fmt/format.h>
#include <unistd.h>

namespace polhode::app {

namespace {

void execute(const std::string& name, std::string folder) {
  const Study& study = findStudy(name);
  if (folder.empty()) folder = "out/" + name;

  const bool watched = isatty(STDERR_FILENO);
  const StudyResult result = study.run([watched](const std::string& what) {
    if (watched) fmt::print(stderr, "\r{}\033[K", what), std::fflush(stderr);
  });
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
  CLI::App* study = app.add_subcommand("study", "Reproduce a paper's figures and tables: CSV files and one HTML page.");
  study->add_option("NAME", *name, "See `polhode list studies`")->required();
  study->add_option("--out", *folder, "Folder to write to (out/NAME if not given)");
  study->callback([name, folder] { execute(*name, *folder); });
}

}  // namespace polhode::app
