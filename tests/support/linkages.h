#pragma once

#include "polhode/model/model.h"

#include <string>

/// Linkages whose joints repeat each other, in any plane, written with few digits: what people type or a CAD program exports.
namespace polhode::test {

/// Bars between points of a plane, in the order in which they are given; every model has one degree of freedom and moves
/// under a gravity in its plane.
Model fourBar();
Model sixBar();       // Watt's chain: a four-bar with a dyad on its coupler
Model sliderCrank();  // in the plane, its slider on a prismatic joint
Model jansenLeg();    // crank, two rods, two triangles, two rockers: three loops, Jansen's lengths
Model bennettLoop();  // spatial
Model bricardLoop();  // spatial

/// A chain of `loops` planar loops: a four-bar and dyads that are hung on it. The same for the same seed, everywhere.
Model randomPlanarLinkage(unsigned seed, int loops);

/// All of it turned and moved, gravity too.
Model placed(const Model& model, const Matrix3& turn, const Vector3& shift);

/// A rotation and a shift that look arbitrary, the same for the same seed everywhere.
Model inRandomPlane(const Model& model, unsigned seed);

/// Points, axes, positions and gravity written with so many significant digits and read again.
Model written(const Model& model, int digits);

/// The largest change of a point or an axis by `written`, as a length (points) or an angle (axes).
double rounding(const Model& exact, const Model& rounded);

}  // namespace polhode::test
