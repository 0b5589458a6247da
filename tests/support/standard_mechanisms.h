#pragma once

#include "polhode/model/model.h"

/// Mechanisms of the literature, built without files; forces other than gravity are left out.
namespace polhode::testing {

/// Two slender rods of 1 m and 1 kg on hinges about z, released horizontally from rest; gravity along -y.
Model planarDoublePendulum();

/// Two cylinders of 1 m, 1 kg and radius 0.05 m on ball joints, spinning; gravity along -z.
Model spatialDoublePendulum();

/// The top of Bruls, Cardona & Arnold 2012.
Model brulsTop();

/// IFToMM A02: cranks 0..n on the ground, couplers between; hinges about z. Passes singular positions.
Model nFourBar(int n);

/// IFToMM A04: six hinges in a loop, one redundant row, one degree of freedom.
Model bricard();

/// IFToMM spatial slider-crank (Haug).
Model spatialSliderCrank();

/// Rods of 1 m and 1 kg (cylinders, radius 0.05 m, axis x) in a chain from the origin along x, on joints "spherical" or
/// "revolute" (axis y); gravity along -z.
Model rodChain(int rods, const std::string& jointType);

/// One body on each joint type in turn, in a tree: cylindrical, planar, universal, prismatic, revolute, spherical, fixed,
/// some of them with the ground or the nearer body as their second body, plus a free body.
Model jointZoo();

}  // namespace polhode::testing
