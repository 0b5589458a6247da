#include "server/kept_recordings.h"

#include "polhode/error.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

namespace polhode::live {

namespace {

constexpr std::size_t mostRecordings = 12;
constexpr std::size_t mostNumbers = 32'000'000;  // of a recording: a quarter of a gigabyte; of all together twice that

std::string fileName(const std::string& source) {
  std::string name = std::filesystem::path(source).stem().string().substr(0, 40);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '-';
  return name.empty() ? "model" : name;
}

}  // namespace

bool KeptRecordings::isFull() const {
  return made_.recording.values.size() >= mostNumbers;
}

void KeptRecordings::begin(const std::string& source, Attributes attributes, const Model& model,
                           const Observation& first) {
  made_.number = ++count_;
  made_.name = fmt::format("{}-{}", fileName(source), count_);
  made_.attributes = std::move(attributes);
  made_.model = model;
  recorder_.begin(first, sink_);
}

std::vector<std::string> KeptRecordings::stop(const std::string& why) {
  std::vector<std::string> sentences;
  if (!isOn()) return sentences;
  recorder_.finish();
  if (made_.recording.rows() == 0) return sentences;
  all_.push_back(std::make_shared<const KeptRecording>(made_));
  made_.recording = {};
  if (!why.empty())
    sentences.push_back(fmt::format("the recording {} has ended, since {}; it is kept", all_.back()->name, why));
  const auto numbers = [&] {
    std::size_t sum = 0;
    for (const auto& each : all_) sum += each->recording.values.size();
    return sum;
  };
  while (all_.size() > mostRecordings || (all_.size() > 1 && numbers() > 2 * mostNumbers)) {
    sentences.push_back(fmt::format("the recording {} has made room for others", all_.front()->name));
    all_.erase(all_.begin());
  }
  return sentences;
}

std::shared_ptr<const KeptRecording> KeptRecordings::at(std::size_t number) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return each->number == number; });
  if (found == all_.end()) throw InputError("this recording is not kept any more");
  return *found;
}

void KeptRecordings::write(JsonWriter& json) const {
  json.beginArray();
  for (const auto& each : all_) {
    const Recording& rows = each->recording;
    json.beginObject().field("number", static_cast<std::uint64_t>(each->number)).field("name", each->name);
    json.field("seconds", rows.at(rows.rows() - 1, 0) - rows.at(0, 0)).endObject();
  }
  json.endArray();
}

}  // namespace polhode::live
