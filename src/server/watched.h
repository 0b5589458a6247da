#pragma once

#include "analysis/observable.h"
#include "control/hand.h"
#include "io/json.h"
#include "polhode/model/model.h"

#include <span>
#include <string>
#include <vector>

/// What the page looks at more closely: bodies, joints, forces and actuators that were selected, or whose quantities are on
/// a chart. Their present values stand behind everything else in each frame, in the order of the status:
///
///     "watched": [{"kind": "joint", "index": 2, "start": 0, "properties": [["type", "revolute"], ...],
///                  "quantities": [{"name": "angle", "unit": "rad", "components": [], "start": 0}, ...]}, ...]
///
/// `start` counts numbers from the first one that is watched.
namespace polhode::live {

/// One thing of the model, by its number there: "body 3".
struct Part {
  std::string kind;  // "body", "joint", "force", "actuator"
  std::size_t index = 0;
};

class Watched {
 public:
  /// From now on these; `sample` is any observation that tells forces. Throws InputError where there is no such part.
  void choose(std::span<const Part> parts, const Model& model, const Observation& sample);
  void clear() { things_.clear(); }

  bool empty() const { return things_.empty(); }

  /// The present values; those of actuators are what their hands, the first ones, pull with.
  void append(const Observation& observation, Hands hands, std::string& frame) const;

  void write(JsonWriter& json) const;

 private:
  using Property = std::pair<std::string, std::string>;
  struct Thing {
    Part part;
    std::vector<Property> properties;
    std::vector<Observable> values;  // none of an actuator, which has six
  };

  std::vector<Thing> things_;
};

}  // namespace polhode::live
