#pragma once

#include "system/smooth_system.h"

#include <memory>

/// Small systems to test integrators with, compiled once.
namespace polhode::test {

/// A double pendulum of point masses in Cartesian coordinates of the plane, q = (x1, y1, x2, y2): two quadratic
/// constraints, constant regular mass. Without gravity angular momentum is conserved.
std::unique_ptr<SmoothSystem> planarDoublePendulum(double gravity = 9.81);

/// Both rods at an angle to the vertical, with velocities that the rods allow.
VectorX doublePendulumState();

/// Everything that a user may write, in one: a mass matrix full of q, a potential that depends on time, a constraint of
/// degree three, and an applied force with damping. Three coordinates.
std::unique_ptr<SmoothSystem> everything();

/// A pendulum of unit length and mass in the plane with damping and a load.
std::unique_ptr<SmoothSystem> dampedPendulum();

/// A particle on a line whose potential is not defined beyond q = 1.
std::unique_ptr<SmoothSystem> boundedParticle();

/// A particle on the unit circle of the plane, with the constraint given twice.
std::unique_ptr<SmoothSystem> twiceConstrained();

/// Two coordinates, but mass for the first alone and no constraint that would bind the second.
std::unique_ptr<SmoothSystem> massless();

}  // namespace polhode::test
