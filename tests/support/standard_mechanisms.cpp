#include "standard_mechanisms.h"

#include "polhode/math/euler_map.h"
#include "polhode/math/rotation_maps.h"
#include "polhode/math/spurrier_klumpp.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace polhode::testing {

namespace {

Matrix3 diagonal(double a, double b, double c) {
  return Vector3(a, b, c).asDiagonal();
}

/// A rotation whose first column is `x` and whose third is as near to `z` as can be.
Quaternion along(const Vector3& x, const Vector3& z) {
  Matrix3 R;
  R.col(0) = x.normalized();
  R.col(1) = z.cross(R.col(0)).normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return unitQuaternionFromRotation(R);
}

/// A slender link between two points of the plane z = 0, axis x along it.
Body link(const std::string& name, const Vector3& from, const Vector3& to) {
  Body body;
  body.name = name;
  const double l = (to - from).norm();
  body.inertia = diagonal(1e-3, l * l / 12.0, l * l / 12.0);
  body.position = 0.5 * (from + to);
  body.orientation = along(to - from, Vector3::UnitZ());
  return body;
}

Joint joint(const std::string& name, const std::string& type, const std::string& first, const std::string& second,
            const Vector3& point, const Vector3& axis = Vector3::UnitZ()) {
  Joint made;
  made.name = name;
  made.type = type;
  made.first = first;
  made.second = second;
  made.point = point;
  made.axis = axis;
  return made;
}

}  // namespace

Model planarDoublePendulum() {
  Model model;
  model.name = "planar double pendulum";
  model.gravity = {0, -9.81, 0};
  model.bodies = {link("upper", {0, 0, 0}, {1, 0, 0}), link("lower", {1, 0, 0}, {2, 0, 0})};
  model.joints = {joint("shoulder", "revolute", "ground", "upper", {0, 0, 0}),
                  joint("elbow", "revolute", "upper", "lower", {1, 0, 0})};
  return model;
}

Model spatialDoublePendulum() {
  Model model;
  model.name = "spatial double pendulum";
  model.gravity = {0, 0, -9.81};
  const double L = 1.0, r = 0.05;
  const double across = (3 * r * r + L * L) / 12.0;
  const double h = std::numbers::sqrt2 / 2.0;
  Body upper;
  upper.inertia = diagonal(across, across, r * r / 2.0);
  upper.orientation = {h, 0, h, 0};
  Body lower = upper;
  upper.name = "upper";
  upper.position = {0.5, 0, 0};
  upper.velocity = {0, 1, 0};
  upper.angularVelocity = {-2, 0, 0.5};
  lower.name = "lower";
  lower.position = {1.5, 0, 0};
  lower.velocity = {0, 1.5, -0.25};
  lower.angularVelocity = {1, 0.5, -1};
  model.bodies = {upper, lower};
  model.joints = {joint("shoulder", "spherical", "ground", "upper", {0, 0, 0}),
                  joint("elbow", "spherical", "upper", "lower", {1, 0, 0})};
  return model;
}

Model brulsTop() {
  Model model;
  model.name = "top of Bruls et al.";
  model.gravity = {0, 0, -9.81};
  Body top;
  top.name = "top";
  top.mass = 15.0;
  top.inertia = diagonal(0.234375, 0.46875, 0.234375);
  top.position = {0, 1, 0};
  top.angularVelocity = {0, 150, -4.61538};
  top.velocity = top.angularVelocity.cross(top.position);
  model.bodies = {top};
  model.joints = {joint("tip", "spherical", "ground", "top", {0, 0, 0})};
  return model;
}

Model nFourBar(int n) {
  Model model;
  model.name = fmt::format("{} four-bar", n);
  model.gravity = {0, -9.81, 0};
  for (int k = 0; k <= n; ++k) {
    Body crank = link(fmt::format("crank{}", k), {double(k), 0, 0}, {double(k), 1, 0});
    crank.velocity = {0.5, 0, 0};
    crank.angularVelocity = {0, 0, -1};
    model.bodies.push_back(crank);
    model.joints.push_back(joint(fmt::format("A{}", k), "revolute", "ground", crank.name, {double(k), 0, 0}));
  }
  for (int k = 0; k < n; ++k) {
    Body coupler = link(fmt::format("coupler{}", k), {double(k), 1, 0}, {k + 1.0, 1, 0});
    coupler.velocity = {1, 0, 0};
    model.bodies.push_back(coupler);
    model.joints.push_back(
        joint(fmt::format("B{}", k), "revolute", fmt::format("crank{}", k), coupler.name, {double(k), 1, 0}));
    model.joints.push_back(
        joint(fmt::format("C{}", k), "revolute", coupler.name, fmt::format("crank{}", k + 1), {k + 1.0, 1, 0}));
  }
  return model;
}

Model bricard() {
  Model model;
  model.name = "Bricard";
  model.gravity = {0, -9.81, 0};
  const Vector3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vector3 axes[] = {Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX(),
                          Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX()};
  for (int k = 0; k < 5; ++k) {
    Body rod;
    rod.name = fmt::format("rod{}", k + 1);
    const Vector3 direction = points[k + 1] - points[k];
    rod.inertia = diagonal(1.0 / 600.0, 0.0841666666666666667, 0.0841666666666666667);
    rod.position = 0.5 * (points[k] + points[k + 1]);
    rod.orientation = along(direction, std::abs(direction[2]) > 0.5 ? Vector3::UnitX() : Vector3::UnitZ());
    model.bodies.push_back(rod);
  }
  for (int k = 0; k < 6; ++k)
    model.joints.push_back(joint(fmt::format("hinge{}", k), "revolute", k == 0 ? "ground" : fmt::format("rod{}", k),
                                 k == 5 ? "ground" : fmt::format("rod{}", k + 1), points[k], axes[k]));
  return model;
}

Model spatialSliderCrank() {
  Model model;
  model.name = "spatial slider-crank";
  model.gravity = {0, 0, -9.81};
  const Vector3 A(0, 0.1, 0.12), B(0, 0.1, 0.2), C(0.2, 0, 0);
  Body crank;
  crank.name = "crank";
  crank.mass = 0.12;
  crank.inertia = diagonal(1e-4, 1e-4, 1e-5);
  crank.position = 0.5 * (A + B);
  crank.angularVelocity = {6, 0, 0};
  crank.velocity = crank.angularVelocity.cross(crank.position - A);
  Body rod;
  rod.name = "rod";
  rod.mass = 0.5;
  rod.inertia = diagonal(4e-4, 4e-3, 4e-3);
  rod.position = 0.5 * (B + C);
  rod.orientation = along(C - B, Vector3::UnitX());
  rod.velocity = {0.12, -0.24, 0};
  rod.angularVelocity = rotationMatrix(rod.orientation).transpose() * Vector3(1.92, -0.96, 0.48);
  Body slider;
  slider.name = "slider";
  slider.mass = 2.0;
  slider.inertia = diagonal(1e-4, 1e-4, 1e-4);
  slider.position = C;
  slider.velocity = {0.24, 0, 0};
  model.bodies = {crank, rod, slider};

  const Vector3 arm = (C - B).cross(Vector3::UnitX()).normalized();
  Joint universal = joint("C", "universal", "slider", "rod", C, Vector3::UnitX());
  universal.secondAxis = arm;
  model.joints = {joint("A", "revolute", "ground", "crank", A, Vector3::UnitX()),
                  joint("B", "spherical", "crank", "rod", B), universal,
                  joint("slide", "prismatic", "ground", "slider", C, Vector3::UnitX())};
  return model;
}

Model rodChain(int rods, const std::string& jointType) {
  Model model;
  model.name = fmt::format("chain of {} rods", rods);
  model.gravity = {0, 0, -9.81};
  const double r = 0.05, across = (3 * r * r + 1.0) / 12.0;
  std::string before = "ground";
  for (int k = 0; k < rods; ++k) {
    Body rod;
    rod.name = fmt::format("rod{}", k);
    rod.inertia = diagonal(r * r / 2.0, across, across);
    rod.position = {k + 0.5, 0, 0};
    model.bodies.push_back(rod);
    model.joints.push_back(
        joint(fmt::format("joint{}", k), jointType, before, rod.name, {double(k), 0, 0}, Vector3::UnitY()));
    before = rod.name;
  }
  return model;
}

Model jointZoo() {
  Model model;
  model.name = "joint zoo";
  model.gravity = {0.3, -1.0, -9.81};
  const auto add = [&](const std::string& name, const Vector3& position) {
    Body body;
    body.name = name;
    const double k = static_cast<double>(model.bodies.size());
    body.mass = 1.0 + 0.3 * k;
    body.inertia = diagonal(0.2 + 0.02 * k, 0.3, 0.25 + 0.01 * k);
    body.position = position;
    body.orientation = along({1, 0.2 * k, 0.3}, {0.1, 0.2, 1});
    model.bodies.push_back(body);
  };
  add("a", {1, 0, 0});
  add("b", {2, 0.5, 0});
  add("c", {2, 1.5, 0.3});
  add("d", {3, 1, -0.5});
  add("e", {0, -1, 0});
  add("f", {0.5, -2, 0.5});
  add("g", {0.5, -3, 0});
  add("free", {-2, 0, 1});
  Joint universal = joint("universal", "universal", "c", "b", {2, 1, 0}, Vector3(1, 0, 1));
  universal.secondAxis = Vector3(0, 1, 0);
  model.joints = {joint("cylindrical", "cylindrical", "ground", "a", {0.5, 0, 0}, Vector3(1, 0.2, 0)),
                  joint("planar", "planar", "b", "a", {1.5, 0.2, 0}, Vector3(0, 0.3, 1)),
                  universal,
                  joint("prismatic", "prismatic", "b", "d", {2.5, 0.8, 0}, Vector3(1, 1, 0.5)),
                  joint("revolute", "revolute", "e", "ground", {0, -0.5, 0}, Vector3(0.2, 0, 1)),
                  joint("spherical", "spherical", "f", "e", {0, -1.5, 0.2}),
                  joint("fixed", "fixed", "f", "g", {0.5, -2.5, 0.2})};
  return model;
}

}  // namespace polhode::testing
