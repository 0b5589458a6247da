#include "support/mechanisms.h"

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

}  // namespace

Model hingedChain(int count) {
  return chain(count, "revolute", Vector3(0.0, 1.0 / 12.0, 1.0 / 12.0));
}

Model ballChain(int count) {
  const double r = 0.05, across = (3.0 * r * r + 1.0) / 12.0;
  return chain(count, "spherical", Vector3(0.5 * r * r, across, across));
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

Model manyFourBars(int count) {
  Model model;
  model.gravity = Vector3(0.0, -9.81, 0.0);
  // links lie along their first axis; only the motion in the plane matters
  const Vector3 alongY(1.0 / 12.0, 1e-3, 1.0 / 12.0), alongX(1e-3, 1.0 / 12.0, 1.0 / 12.0);
  for (int k = 0; k <= count; ++k) {
    Body crank = body(fmt::format("crank{}", k), 1.0, alongY, Vector3(k, 0.5, 0.0));
    crank.velocity = Vector3(0.5, 0.0, 0.0);
    crank.angularVelocity = Vector3(0.0, 0.0, -1.0);
    model.bodies.push_back(crank);
    model.joints.push_back(joint(fmt::format("foot{}", k), "revolute", "ground", crank.name, Vector3(k, 0.0, 0.0)));
  }
  for (int k = 0; k < count; ++k) {
    Body coupler = body(fmt::format("coupler{}", k), 1.0, alongX, Vector3(k + 0.5, 1.0, 0.0));
    coupler.velocity = Vector3(1.0, 0.0, 0.0);
    model.bodies.push_back(coupler);
    model.joints.push_back(
        joint(fmt::format("left{}", k), "revolute", fmt::format("crank{}", k), coupler.name, Vector3(k, 1.0, 0.0)));
    model.joints.push_back(joint(fmt::format("right{}", k), "revolute", fmt::format("crank{}", k + 1), coupler.name,
                                 Vector3(k + 1, 1.0, 0.0)));
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
    const auto name = [&](int k) { return fmt::format("bar{}.{}", i, k % 4); };
    for (int k = 0; k < 4; ++k)
      model.bodies.push_back(body(name(k), 1.0, Vector3(0.09, 0.08, 0.1), 0.5 * (corners[k] + corners[(k + 1) % 4])));
    for (int k = 0; k < 4; ++k)
      model.joints.push_back(
          joint(fmt::format("corner{}.{}", i, k), "spherical", name(k), name(k + 1), corners[(k + 1) % 4]));
    model.joints.push_back(joint(fmt::format("hook{}", i), "spherical", last, name(0), corners[0]));
    last = name(2);
  }
  return model;
}

Model bricard() {
  Model model;
  model.gravity = Vector3(0.0, -9.81, 0.0);
  const Vector3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vector3 axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  const double along = 1.0 / 600.0, across = (1.0 + 0.01) / 12.0;
  for (int i = 0; i < 5; ++i) {
    const Vector3 direction = (points[i + 1] - points[i]).cwiseAbs();
    const Vector3 inertia = along * direction + across * (Vector3::Ones() - direction);
    model.bodies.push_back(body(rodName(i), 1.0, inertia, 0.5 * (points[i] + points[i + 1])));
  }
  for (int i = 0; i < 6; ++i)
    model.joints.push_back(joint(fmt::format("hinge{}", i), "revolute", rodName(i - 1), i < 5 ? rodName(i) : "ground",
                                 points[i], axes[i]));
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

}  // namespace polhode::test
