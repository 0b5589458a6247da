#pragma once

#include "polhode/model/model.h"
#include "polhode/model/simulation.h"

#include <string>
#include <vector>

/// What pages are told of a mechanism before it moves: one JSON object,
///
///     {"type": "scene", "mode": "live" or "run", "name": .., "source": .., "gravity": [..],
///      "bodies": [{"name": .., "mass": .., "given": true, "shape": {"type": "cone", "radius": .., "height": ..},
///                  "orientation": [..]}],
///      "joints": [{"name": .., "type": .., "ends": [{"body": 0, "point": [..], "axis": [..]}, {"body": -1, ..}]}],
///      "forces": [{"name": .., "type": "spring", "ends": [..]},
///                 {"name": .., "type": "load", "ends": [{..}], "direction": [..], "inBody": false}],
///      "sensors": [{"name": .., "size": 1 or 3, "unit": "m"}],   (an empty unit: a formula, which may be of anything)
///      "changed": true,
///      "integrators": [{"name": .., "kind": .., "summary": .., "adaptive": ..}],
///      "examples": [{"name": .., "title": ..}]}
///
/// Points and axes are in the frame of their body, from its centre of mass; body -1 is the ground, whose frame is space.
/// `changed` is there where somebody has changed a value of the model that is shown already. A body without a shape gets the
/// box of its mass and inertia, turned by `orientation` into its principal axes.
namespace polhode::live {

struct Scene {
  std::string mode = "live";  // or "run": finished, to be scrubbed
  std::string source;         // the name of the example or file
  const Model* model = nullptr;
  std::vector<std::string> integrators;  // those that fit
  bool isChanged = false;                // the one that was shown before, with another value
};

std::string sceneJson(const Scene& scene);

}  // namespace polhode::live
