#include "polhode/server/journal.h"

#include <filesystem>
#include <utility>

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
  // the new run is on before the old one is written, so that it is kept even where that fails
  const Recording before = recorder_.isOn() ? recorder_.finish() : Recording{};
  const Attributes attributesBefore = std::exchange(attributes_, attributes);
  recorder_.begin(first);
  write(before, attributesBefore);
}

void Journal::finish() {
  if (recorder_.isOn()) write(recorder_.finish(), attributes_);
}

void Journal::write(const Recording& recording, const Attributes& attributes) {
  if (recording.rows() > 1) writeRecording(partPath(path_, ++parts_), recording, attributes);
}

}  // namespace polhode::live
