#pragma once

#include "polhode/io/recording.h"
#include "polhode/server/recorder.h"

#include <string>

namespace polhode::live {

/// The recording of everything that happens, in files: FILE.h5 for the first run, FILE-2.h5 after a reset, another model
/// or when the first is long, and so on. Does nothing if it has no file.
class Journal {
 public:
  Journal(std::string path, double every) : path_(std::move(path)), recorder_(every) {}

  /// Begins a run; one that was under way is written. Throws InputError where that cannot be; the new run has begun then too.
  void begin(const Observation& first, const Attributes& attributes);

  Recorder* recorder() { return recorder_.isOn() ? &recorder_ : nullptr; }

  /// Writes what there is.
  void finish();

 private:
  void write(const Recording& recording, const Attributes& attributes);

  std::string path_;
  Recorder recorder_;
  Attributes attributes_;
  int parts_ = 0;
};

}  // namespace polhode::live
