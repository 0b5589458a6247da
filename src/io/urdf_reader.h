#pragma once

#include "polhode/model/model.h"

#include <string>
#include <vector>

namespace polhode {

struct UrdfModel {
  Model model;

  /// What the file has and the model has not, for each kind how many and which: "limits of 2 joints ('hip', 'knee')".
  std::vector<std::string> leftOut;
};

/// Reads the text of a URDF file (Unified Robot Description Format) with urdfdom: links become bodies, joints joints, in
/// the position where all joint coordinates are zero; damping of joints becomes joint-dampers. The root link is the
/// ground, and links without inertia that are fixed to another are part of it. Limits, friction, mimicry, transmissions
/// and meshes are left out. Chains may be as long as memory allows. Throws an InputError that names the file.
UrdfModel readUrdf(const std::string& text, const std::string& nameForErrors);

}  // namespace polhode
