#pragma once

#include "polhode/model/model.h"

#include <string>

namespace polhode {

/// Reads the text of a URDF file (Unified Robot Description Format) with urdfdom: links become bodies, joints joints, in
/// the position where all joint coordinates are zero; damping of joints becomes joint-dampers. The root link is the
/// ground, and links without inertia that are fixed to another are part of it. Limits, friction, transmissions and meshes
/// are left out. Throws an InputError that names the file.
Model readUrdf(const std::string& text, const std::string& nameForErrors);

}  // namespace polhode
