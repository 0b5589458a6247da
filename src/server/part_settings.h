#pragma once

#include "io/value.h"
#include "polhode/io/model_file.h"

#include <string>
#include <vector>

/// Values of a model that can be changed while it is simulated, as `--set KEY=VALUE` changes them before.
namespace polhode::live {

/// One thing of the model, by its number there: "body 3". The model itself, with its gravity and its parameters, is "model 0".
struct Part {
  std::string kind;  // "body", "joint", "force", "actuator", "model"
  std::size_t index = 0;
};

/// One value of a part that its model file gives, or may give.
struct Setting {
  std::string key;      // in the part's table: "mass", "control.time_constant"
  std::string path;     // what `--set` calls it: "body.car.mass"
  std::string label;    // for people: "mass", "velocity at t = 0"
  std::string unit;     // empty where the model file does not tell
  std::string text;     // as the file says it, in TOML; empty where it says nothing
  std::string example;  // what could be written
};

/// What can be changed of a part: masses, stiffnesses, damping, laws, loads, how it moves at the start. `document` is the
/// file of the model (modelDocument); of what it does not tell nothing can be changed.
std::vector<Setting> settingsOf(const Part& part, const Model& model, const Value& document);

/// The document of a model file for settingsOf; empty where the model was not read from a text.
Value documentOf(const ModelFile& file, const std::string& source);

/// The overrides of a model file with another value for a setting, in place of an earlier one. Throws InputError where the part
/// has no such setting, or the value names a file, which nobody may have read who only has the page.
std::vector<std::string> overridesWith(const std::vector<std::string>& overrides, const std::vector<Setting>& settings,
                                       const std::string& key, const std::string& value);

/// Whether two models stand and move alike at t = 0, so that a motion of the one can go on as one of the other.
bool beginsAlike(const Model& a, const Model& b);

}  // namespace polhode::live
