#pragma once

#include "io/json.h"
#include "polhode/analysis/row_sink.h"
#include "polhode/io/recording.h"
#include "polhode/model/model.h"
#include "server/recorder.h"

#include <memory>
#include <string>
#include <vector>

namespace polhode::live {

/// A recording that a page has made.
struct KeptRecording {
  std::size_t number = 0;  // from 1 on
  std::string name;        // for its file, without an ending: "heavy-top-1"
  Recording recording;
  Attributes attributes;  // the model among them
  Model model;
};

/// The recordings of a session, in memory: the one that is being made, and the last ones that were. The oldest make room where
/// there are more than twelve, or more numbers than half a gigabyte holds; a recording keeps its number.
class KeptRecordings {
 public:
  using All = std::vector<std::shared_ptr<const KeptRecording>>;

  /// `every`: seconds between two rows.
  explicit KeptRecordings(double every) : recorder_(every) {}
  KeptRecordings(const KeptRecordings&) = delete;

  Recorder& recorder() { return recorder_; }
  bool isOn() const { return recorder_.isOn(); }

  /// Whether the one that is being made is as long as one may be.
  bool isFull() const;

  /// Begins with this observation. `source` may be a path, a title or the name of an example.
  void begin(const std::string& source, Attributes attributes, const Model& model, const Observation& first);

  /// Ends the one that is being made, if one is, and returns sentences for people: `why`, where nobody asked for it, and what
  /// made room.
  std::vector<std::string> stop(const std::string& why = {});

  /// Calls one by a name that files may have: letters, digits, - and _. Throws InputError where none of these is in it, or the recording
  /// is not kept any more.
  void rename(std::size_t number, const std::string& name);

  /// Throws InputError where it is not kept any more.
  std::shared_ptr<const KeptRecording> at(std::size_t number) const;
  const All& all() const { return all_; }

  /// The array of all, for the status.
  void write(JsonWriter& json) const;

 private:
  Recorder recorder_;
  KeptRecording made_;
  RecordingSink sink_{made_.recording};
  std::size_t count_ = 0;  // that were begun
  All all_;
};

}  // namespace polhode::live
