#pragma once

#include "analysis/observable.h"
#include "control/hand.h"
#include "io/json.h"
#include "polhode/model/joint_type.h"
#include "polhode/model/model.h"
#include "server/led_force.h"
#include "server/part_description.h"
#include "server/part_settings.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What the page looks at more closely: bodies, joints, forces and actuators that were selected, or whose quantities are on
/// a chart. Their present values stand behind everything else in each frame, in the order of the status:
///
///     "watched": [{"kind": "joint", "index": 2, "start": 0, "properties": [["type", "revolute"], ...],
///                  "settings": [{"key": "start", "label": "start at t = 0", "unit": "", "text": "{ angle = 0.3 }", "example": ".."}],
///                  "coordinates": [{"name": "angle", "turns": true}],
///                  "size": {"name": "effort", "unit": "N m", "size": 5},       only of loads, torques and motors (led_force.h)
///                  "quantities": [{"name": "angle", "unit": "rad", "components": [], "start": 0}, ...]}, ...]
///
/// `start` counts numbers from the first one that is watched.
namespace polhode::live {

class Watched {
 public:
  /// From now on these; `sample` is any observation that tells forces, `document` the model's file, which tells what can be
  /// changed (part_settings.h). Throws InputError where there is no such part.
  void choose(std::span<const Part> parts, const Model& model, const Observation& sample, const Value& document);

  std::vector<Part> parts() const;
  void clear() { things_.clear(); }

  bool empty() const { return things_.empty(); }

  using Factors = std::map<std::size_t, double>;

  /// The present values; those of actuators are what their hands, the first ones, pull with and follow. `factors` are those of
  /// forces that somebody leads.
  void append(const Observation& observation, Hands hands, const Factors& factors, std::string& frame) const;

  void write(JsonWriter& json) const;

 private:
  struct Thing {
    Part part;
    Properties properties;
    std::vector<Setting> settings;
    std::vector<JointCoordinateInfo> coordinates;  // of a joint, or of what an actuator leads
    std::vector<Observable> values;                // none of an actuator, which has six and what it follows
    std::optional<ForceSize> size{};               // of a force that can be led,
    Signal scale{};                                // and what it is times that where nobody does
  };

  std::vector<Thing> things_;
};

}  // namespace polhode::live
