#pragma once

#include "polhode/model/model.h"

/// Mechanisms whose motion is known, built by hand.
namespace polhode::test {

/// `count` slender rods of 1 m and 1 kg in a row along x, hinged about y, released at rest from the horizontal; g along -z.
Model hingedChain(int count);

/// `count` solid cylinders of 1 m, 1 kg and radius 0.05 m along x on ball joints, at rest; g along -z.
Model ballChain(int count);

/// The spatial double pendulum of tests/data: two cylinders on ball joints, turning.
Model spatialDoublePendulum();

/// IFToMM A02: N four-bar mechanisms side by side, in the plane x, y.
Model manyFourBars(int count);

/// `count` rings of four bars in ball joints, each hung on the one before, at rest; g along -z.
Model rings(int count);

/// IFToMM A04: Bricard's mechanism.
Model bricard();

/// Heavy top of Bruls, Cardona & Arnold 2012, with a point of the body held by a ball joint.
Model brulsTop();

/// IFToMM A01: a point mass on a massless rod, as a distance joint or hinged.
Model pointMassPendulum(bool hinged);

/// The loop of Kinon & Betsch 5.5: four bars on ball joints, free in space, without its load; given a spin.
Model spinningLoop();

/// Three bodies: ball joint to the ground, hinge, ball joint; turning.
Model mixedChain();

}  // namespace polhode::test
