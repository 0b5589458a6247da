#pragma once

#include "polhode/model/model.h"

/// Mechanisms of the literature and others whose motion is known, built without files; forces other than gravity are left
/// out.
namespace polhode::test {

/// `count` slender rods of 1 m and 1 kg in a row along x, hinged about y, released at rest from the horizontal; g along -z.
Model hingedChain(int count);

/// `count` solid cylinders of 1 m, 1 kg and radius 0.05 m along x on ball joints, at rest; g along -z.
Model ballChain(int count);

/// The same on joints "spherical" or "revolute" (about y).
Model rodChain(int count, const std::string& jointType);

/// The spatial double pendulum of tests/data: two cylinders on ball joints, turning.
Model spatialDoublePendulum();

/// Two slender rods of 1 m and 1 kg, "upper" and "lower", on hinges about z, released horizontally from rest; g along -y.
Model hingedPendulum();

/// IFToMM A02: N four-bar mechanisms side by side, in the plane x, y. Passes singular positions.
Model manyFourBars(int count);

/// `count` rings of four bars in ball joints, each hung on the one before, at rest; g along -z.
Model rings(int count);

/// Two rails of `count` pieces on ball joints that hang on the ground, with a rung behind each pair of them, along -z in the
/// plane y = 0; at rest.
Model ladder(int count);

/// IFToMM A04: Bricard's mechanism, six hinges in a loop, one redundant row, one degree of freedom. The rods lie along their
/// first axes.
Model bricard();

/// IFToMM spatial slider-crank (Haug).
Model spatialSliderCrank();

/// Heavy top of Bruls, Cardona & Arnold 2012, with a point of the body held by a ball joint.
Model brulsTop();

/// IFToMM A01: a point mass on a massless rod, as a distance joint or hinged.
Model pointMassPendulum(bool hinged);

/// The loop of Kinon & Betsch 5.5: four bars on ball joints, free in space, without its load; given a spin.
Model spinningLoop();

/// Three bodies: ball joint to the ground, hinge, ball joint; turning.
Model mixedChain();

/// One body on each joint type in turn, in a tree: cylindrical, planar, universal, prismatic, revolute, spherical, fixed,
/// some of them with the ground or the nearer body as their second body, plus a free body.
Model jointZoo();

}  // namespace polhode::test
