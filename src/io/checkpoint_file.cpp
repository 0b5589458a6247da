#include "io/checkpoint_file.h"

#include "integrate/archive.h"
#include "io/whole_file.h"
#include "polhode/error.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace polhode {
namespace {

void persist(Archive& archive, SavedRun& run) {
  archive.section("polhode checkpoint 1");
  std::vector<std::string> words;
  for (const auto& [name, text] : run.attributes) words.insert(words.end(), {name, text});
  archive(words);
  if (archive.restores())
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) run.attributes.emplace_back(words[i], words[i + 1]);
  archive(run.every, run.checkpoint.time, run.checkpoint.rows, run.checkpoint.state);
}

}  // namespace

std::string checkpointPath(const std::string& recording) {
  return recording + ".checkpoint";
}

void writeCheckpoint(const std::string& recording, SavedRun run) {
  Archive archive;
  persist(archive, run);
  writeWholeFile(checkpointPath(recording), archive.bytes());
}

SavedRun readCheckpoint(const std::string& recording) {
  const std::string path = checkpointPath(recording);
  if (!std::filesystem::exists(path))
    throw InputError(fmt::format(
        "{}: there is no checkpoint from which {} could go on; run it with --checkpoint SECONDS", path, recording));
  try {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    Archive archive(std::move(bytes).str());
    SavedRun run;
    persist(archive, run);
    archive.requireEnd();
    return run;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace polhode
