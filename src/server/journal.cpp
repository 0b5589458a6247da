#include "server/journal.h"

#include <exception>
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

void Journal::begin(const Observation& first, Attributes attributes) {
  if (path_.empty()) return;
  const std::unique_ptr<RecordingStream> before = std::move(file_);
  attributes_ = std::move(attributes);
  first_.clear();
  recorder_.begin(first, *this);
  if (before) before->finish();
}

/// What cannot be written ends the recording, not the simulation.
void Journal::append(std::span<const double> row) {
  try {
    if (file_) return file_->append(row);
    if (first_.empty()) {
      first_.assign(row.begin(), row.end());
      return;
    }
    file_ = std::make_unique<RecordingStream>(partPath(path_, ++parts_), attributes_);
    file_->begin(columns_);
    file_->append(first_);
    file_->append(row);
  } catch (const std::exception& error) {
    failure_ = error.what();
    file_.reset();
    recorder_.finish();
  }
}

void Journal::finish() {
  recorder_.finish();
  if (const std::unique_ptr<RecordingStream> file = std::move(file_)) file->finish();
}

}  // namespace polhode::live
