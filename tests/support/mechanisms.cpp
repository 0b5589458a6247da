#include "mechanisms.h"

#include "math/euler_map.h"
#include "math/spurrier_klumpp.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode::test {

namespace {

Body body(const std::string& name, double mass, const Vector3& inertia, const Vector3& position) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.inertia = inertia.asDiagonal();
  b.position = position;
  return b;
}

Joint joint(const std::string& name, const std::string& type, const std::string& first, const std::string& second,
            const Vector3& point, const Vector3& axis = Vector3::UnitZ()) {
  Joint j;
  j.name = name;
  j.type = type;
  j.first = first;
  j.second = second;
  j.point = point;
  j.axis = axis;
  return j;
}

std::string rodName(int i) {
  return i < 0 ? "ground" : fmt::format("rod{}", i + 1);
}

Model chain(int count, const std::string& type, const Vector3& inertia) {
  Model model;
  model.name = "chain";
  model.gravity = Vector3(0.0, 0.0, -9.81);
  for (int i = 0; i < count; ++i) {
    model.bodies.push_back(body(rodName(i), 1.0, inertia, Vector3(i + 0.5, 0.0, 0.0)));
    model.joints.push_back(
        joint(fmt::format("joint{}", i + 1), type, rodName(i - 1), rodName(i), Vector3(i, 0.0, 0.0), Vector3::UnitY()));
  }
  return model;
}

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

}  // namespace

Model hingedChain(int count) {
  return chain(count, "revolute", Vector3(0.0, 1.0 / 12.0, 1.0 / 12.0));
}

Model rodChain(int count, const std::string& jointType) {
  const double r = 0.05, across = (3.0 * r * r + 1.0) / 12.0;
  return chain(count, jointType, Vector3(0.5 * r * r, across, across));
}

Model ballChain(int count) {
  return rodChain(count, "spherical");
}

Model spatialDoublePendulum() {
  Model model = ballChain(2);
  const double r = 0.05, across = (3.0 * r * r + 1.0) / 12.0, s = std::sqrt(0.5);
  for (Body& b : model.bodies) {
    b.inertia = Vector3(across, across, 0.5 * r * r).asDiagonal();
    b.orientation = Quaternion(s, 0.0, s, 0.0);
  }
  model.bodies[0].angularVelocity = Vector3(-2.0, 0.0, 0.5);
  model.bodies[0].velocity = Vector3(0.0, 1.0, 0.0);
  model.bodies[1].angularVelocity = Vector3(1.0, 0.5, -1.0);
  model.bodies[1].velocity = Vector3(0.0, 1.5, -0.25);
  return model;
}

Model hingedPendulum() {
  Model model;
  model.name = "planar double pendulum";
  model.gravity = {0, -9.81, 0};
  model.bodies = {link("upper", {0, 0, 0}, {1, 0, 0}), link("lower", {1, 0, 0}, {2, 0, 0})};
  model.joints = {joint("shoulder", "revolute", "ground", "upper", {0, 0, 0}),
                  joint("elbow", "revolute", "upper", "lower", {1, 0, 0})};
  return model;
}

Model manyFourBars(int count) {
  Model model;
  model.name = fmt::format("{} four-bars", count);
  model.gravity = {0, -9.81, 0};
  for (int k = 0; k <= count; ++k) {
    Body crank = link(fmt::format("crank{}", k), {double(k), 0, 0}, {double(k), 1, 0});
    crank.velocity = {0.5, 0, 0};
    crank.angularVelocity = {0, 0, -1};
    model.bodies.push_back(crank);
    model.joints.push_back(joint(fmt::format("A{}", k), "revolute", "ground", crank.name, {double(k), 0, 0}));
  }
  for (int k = 0; k < count; ++k) {
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

Model rings(int count) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  std::string last = "ground";
  for (int i = 0; i < count; ++i) {
    const double x = 1.5 * i;
    const Vector3 corners[] = {{x, 0, 0}, {x + 0.75, 0.5, 0}, {x + 1.5, 0, 0}, {x + 0.75, -0.5, 0}};
    const auto name = [&](int k) { return fmt::format("bar{}-{}", i, k % 4); };
    for (int k = 0; k < 4; ++k)
      model.bodies.push_back(body(name(k), 1.0, Vector3(0.09, 0.08, 0.1), 0.5 * (corners[k] + corners[(k + 1) % 4])));
    for (int k = 0; k < 4; ++k)
      model.joints.push_back(
          joint(fmt::format("corner{}-{}", i, k), "spherical", name(k), name(k + 1), corners[(k + 1) % 4]));
    model.joints.push_back(joint(fmt::format("hook{}", i), "spherical", last, name(0), corners[0]));
    last = name(2);
  }
  return model;
}

Model ladder(int count) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  const Vector3 ofRail(8e-5, 8e-5, 1e-6), ofRung(1e-6, 8e-5, 8e-5);
  const auto name = [](const char* part, int i) { return i < 0 ? "ground" : fmt::format("{}{}", part, i); };
  const auto join = [&](const std::string& first, const std::string& second, const Vector3& point) {
    model.joints.push_back(joint(first + "-" + second, "spherical", first, second, point));
  };
  for (int i = 0; i < count; ++i) {
    const double top = -0.1 * i, bottom = top - 0.1;
    for (const auto& [side, x] : {std::pair{"left", 0.0}, std::pair{"right", 0.1}}) {
      model.bodies.push_back(body(name(side, i), 0.1, ofRail, {x, 0.0, top - 0.05}));
      join(name(side, i - 1), name(side, i), {x, 0.0, top});
    }
    model.bodies.push_back(body(name("rung", i), 0.1, ofRung, {0.05, 0.0, bottom}));
    join(name("left", i), name("rung", i), {0.0, 0.0, bottom});
    join(name("rung", i), name("right", i), {0.1, 0.0, bottom});
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

Model brulsTop() {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  Body top = body("top", 15.0, Vector3(0.234375, 0.46875, 0.234375), Vector3(0.0, 1.0, 0.0));
  top.angularVelocity = Vector3(0.0, 150.0, -4.61538);
  top.velocity = top.angularVelocity.cross(top.position);
  model.bodies.push_back(top);
  model.joints.push_back(joint("tip", "spherical", "ground", "top", Vector3::Zero()));
  return model;
}

Model pointMassPendulum(bool hinged) {
  Model model;
  model.gravity = Vector3(0.0, -9.81, 0.0);
  model.bodies.push_back(body("mass", 1.0, Vector3::Zero(), Vector3(-1.0, 0.0, 0.0)));
  if (hinged) {
    model.joints.push_back(joint("hinge", "revolute", "ground", "mass", Vector3::Zero()));
  } else {
    Joint rod = joint("rod", "distance", "ground", "mass", Vector3::Zero());
    rod.secondPoint = Vector3(-1.0, 0.0, 0.0);
    model.joints.push_back(rod);
  }
  return model;
}

Model spinningLoop() {
  Model model;
  const double a = 10.0 / 12.0 * 101.0, b = 10.0 / 12.0 * 2.0;
  const Vector3 centres[] = {{5, 0, 0}, {0, 5, 0}, {-5, 0, 0}, {0, -5, 0}};
  const Vector3 spin(0.3, 0.1, 1.0);
  for (int i = 0; i < 4; ++i) {
    Body bar = body(rodName(i), 10.0, i % 2 == 0 ? Vector3(a, b, a) : Vector3(b, a, a), centres[i]);
    bar.angularVelocity = spin;
    bar.velocity = spin.cross(centres[i]);
    model.bodies.push_back(bar);
  }
  const Vector3 corners[] = {{5, 5, 0}, {-5, 5, 0}, {-5, -5, 0}, {5, -5, 0}};
  for (int i = 0; i < 4; ++i)
    model.joints.push_back(
        joint(fmt::format("corner{}", i), "spherical", rodName(i), rodName((i + 1) % 4), corners[i]));
  return model;
}

Model mixedChain() {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  const Vector3 J(1.0, 0.8, 0.3), spin(0.3, 0.2, 1.5);
  const double masses[] = {1.0, 2.0, 1.5}, scales[] = {1.0, 1.3, 0.7};
  const char* types[] = {"spherical", "revolute", "spherical"};
  for (int i = 0; i < 3; ++i) {
    Body b = body(rodName(i), masses[i], scales[i] * J, Vector3(i + 0.5, 0.0, 0.0));
    b.angularVelocity = spin;
    if (i == 2) b.angularVelocity += Vector3(3.0, 0.0, 0.0);
    b.velocity = spin.cross(b.position);
    model.bodies.push_back(b);
    model.joints.push_back(joint(fmt::format("joint{}", i + 1), types[i], rodName(i - 1), rodName(i),
                                 Vector3(i, 0.0, 0.0), Vector3::UnitY()));
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

}  // namespace polhode::test
