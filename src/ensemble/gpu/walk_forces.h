#pragma once

#include "math/cross.h"

#include <cmath>

/// Forces that a walk over a tree (tree_walk.h) takes: springs, dampers and motors along one scalar coordinate s, and loads.
/// Over a step their discrete forces are those of system/forces, so that energy balances exactly:
///
///     F = -k ((s0 + s1)/2 - rest) - d (s1 - s0)/h + effort scale(mid time)
///
/// along the discrete gradient of s (system/scalar_coordinate.h has the equations).
namespace polhode::ensemble {

using Vec3 = Vector<double, 3>;
using Mat3 = Matrix33<double>;

/// What acts on a body, and between which points.
enum class WalkForceKind {
  toGround,      // along the line from a point of space to one of the body
  across,        // along the line from a point of its parent to one of the body
  angle,         // about the body's hinge
  displacement,  // along its slide
  load,          // a force at a point of the body
  torque
};

/// The same for all members; forces of a body stand beside each other.
struct WalkForce {
  WalkForceKind kind = WalkForceKind::load;
  int scale = -1;             // which of the scales over time it has (three for a vector over time); -1: it is one
  bool overTime = false;      // the vector of a load is that over time
  bool inBody = false;        // it turns with the body
  bool bodyIsSecond = false;  // of the two bodies of an angle

  bool operator==(const WalkForce&) const = default;
};

/// What a force's numbers are, in this order. Points are in their bodies and, of `across`, from the joint's point; of an angle
/// there are the direction where it is zero and a quarter turn further, in the first body, and the pointer in the second.
namespace of_force {
enum { stiffness = 0, rest = 1, damping = 2, effort = 3, a = 4, b = 7, c = 10, count = 13 };
}

/// A law along a coordinate.
struct AlongCoordinate {
  double stiffness, rest, damping, effort;

  POLHODE_KERNEL double force(double s0, double s1, double h) const {
    return effort - stiffness * (0.5 * (s0 + s1) - rest) - damping * (s1 - s0) / h;
  }
  POLHODE_KERNEL double slope(double h) const { return -0.5 * stiffness - damping / h; }  // by s1
  POLHODE_KERNEL double potential(double s) const { return 0.5 * stiffness * (s - rest) * (s - rest); }

  /// The work of what has no potential.
  POLHODE_KERNEL double work(double s0, double s1, double h) const {
    return (effort - damping * (s1 - s0) / h) * (s1 - s0);
  }
};

/// A line between two points over a step, from what it is at both ends: its lengths, and the gradient of its length.
struct WalkLine {
  double before, after;
  Vec3 end, gradient;

  POLHODE_KERNEL WalkLine(const Vec3& e0, const Vec3& e1) : before(e0.norm()), after(e1.norm()), end(e1) {
    const double sum = before + after;
    gradient = sum > 0.0 ? Vec3((e0 + e1) / sum) : Vec3(0.0, 0.0, 0.0);  // points that coincide have no direction
  }

  /// By how much the force F grad s falls where the end of the line moves.
  POLHODE_KERNEL Mat3 stiffness(double F, double slope) const {
    Mat3 K = Mat3::Zero();
    const double sum = before + after;
    if (!(sum > 0.0)) return K;
    if (after > 0.0) K = gradient * ((F / sum - slope) / after * end).transpose();
    const double across = F / sum;
    K(0, 0) -= across, K(1, 1) -= across, K(2, 2) -= across;
    return K;
  }
};

/// The angle of a hinge over a step, from sine and cosine at both ends: how far it goes on, and the factor k of its discrete
/// gradient k (Cm grad S - Sm grad C).
struct WalkAngle {
  double before, after, factor, sine, cosine;

  POLHODE_KERNEL WalkAngle(double S0, double C0, double S1, double C1)
      : sine(0.5 * (S0 + S1)), cosine(0.5 * (C0 + C1)) {
    const double P = C0 * S1 - S0 * C1, R = C0 * C1 + S0 * S1;
    const double turn = std::atan2(P, R), r = std::sqrt(P * P + R * R), square = turn * turn;
    before = std::atan2(S0, C0);
    after = before + turn;
    const double ratio = square < 1e-6 ? 1.0 + square / 6.0 + 7.0 * square * square / 360.0 : turn * r / P;
    factor = ratio / r;
  }
};

}  // namespace polhode::ensemble
