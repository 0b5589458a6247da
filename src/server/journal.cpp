#include "polhode/server/journal.h"

#include <filesystem>

#include <fmt/format.h>

namespace polhode::live {

namespace {

std::string partPath(const std::string& path, int part) {
  if (part == 1) return path;
  const std::filesystem::path whole(path);
  const std::string name = fmt::format("{}-{}{}", whole.stem().string(), part, whole.extension().string());
  return (whole.parent_path() / name).string();
}

}  // namespace

void Journal::begin(const Observation& first, const Attributes& attributes) {
  if (path_.empty()) return;
  finish();
  attributes_ = attributes;
  recorder_.begin(first);
}

void Journal::finish() {
  if (!recorder_.isOn()) return;
  const Recording recording = recorder_.finish();
  if (recording.rows() > 1) writeRecording(partPath(path_, ++parts_), recording, attributes_);
}

}  // namespace polhode::live
