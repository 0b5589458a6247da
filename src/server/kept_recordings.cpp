#include "server/kept_recordings.h"

#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

namespace polhode::live {

namespace {

constexpr std::size_t mostRecordings = 12;
constexpr std::size_t mostNumbers = 32'000'000;  // of a recording: a quarter of a gigabyte; of all together twice that

/// Of at most that many letters.
std::string fileName(const std::string& text, std::size_t most) {
  std::string name = text.substr(0, most);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '-';
  return name;
}

std::string nameOf(const std::string& source) {
  const std::string name = fileName(std::filesystem::path(source).stem().string(), 40);
  return name.empty() ? "model" : name;
}

}  // namespace

bool KeptRecordings::isFull() const {
  return made_.recording.values.size() >= mostNumbers;
}

void KeptRecordings::begin(const std::string& source, Attributes attributes, const Model& model,
                           const Observation& first) {
  made_.number = ++count_;
  made_.name = fmt::format("{}-{}", nameOf(source), count_);
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

void KeptRecordings::rename(std::size_t number, const std::string& name) {
  const std::shared_ptr<const KeptRecording> kept = at(number);
  const std::string next = fileName(name, 60);
  if (next.find_first_not_of('-') == std::string::npos)
    throw InputError(fmt::format("{} is no name for a recording; write letters, digits, - or _", quoted(name)));
  auto renamed = std::make_shared<KeptRecording>(*kept);
  renamed->name = next;
  std::replace(all_.begin(), all_.end(), kept, std::shared_ptr<const KeptRecording>(std::move(renamed)));
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
