#include "support/linkages.h"

#include "io/examples.h"
#include "math/quaternion.h"
#include "polhode/io/model_file.h"
#include "system/coordinates.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace polhode::test {

namespace {

const Vector3 planeNormal = Vector3::UnitZ();

/// Numbers between 0 and 1 that look arbitrary and are the same everywhere (a linear congruence).
class Arbitrary {
 public:
  explicit Arbitrary(unsigned seed) : state_(seed * 2654435761u + 12345u) {
    for (int i = 0; i < 4; ++i) (*this)();
  }
  double operator()() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<double>(state_ >> 8) / 16777216.0;
  }
  double between(double low, double high) { return low + (high - low) * (*this)(); }

 private:
  unsigned state_;
};

/// A bar of a plane that carries these points.
Body bar(const std::string& name, const std::vector<Vector3>& points, double mass = 1.0) {
  Body body;
  body.name = name;
  body.mass = mass;
  for (const Vector3& p : points) body.position += p / static_cast<double>(points.size());
  double square = 0.0;
  for (const Vector3& p : points) square += (p - body.position).squaredNorm() / static_cast<double>(points.size());
  body.inertia = (mass * (0.02 + square) * Vector3(0.3, 0.9, 1.0)).asDiagonal();
  return body;
}

Joint hinge(const std::string& name, const std::string& first, const std::string& second, const Vector3& point) {
  Joint joint{name, "revolute", first, second, point};
  joint.axis = planeNormal;
  return joint;
}

Model planar() {
  Model model;
  model.gravity = Vector3(0.0, -9.81, 0.0);
  return model;
}

/// A dyad: two bars from a point of one body to a point of another, with an elbow.
void addDyad(Model& model, const std::string& name, const std::string& first, const Vector3& from, const Vector3& elbow,
             const Vector3& to, const std::string& second) {
  model.bodies.push_back(bar(name + "a", {from, elbow}));
  model.bodies.push_back(bar(name + "b", {elbow, to}));
  model.joints.push_back(hinge(name + "1", first, name + "a", from));
  model.joints.push_back(hinge(name + "2", name + "a", name + "b", elbow));
  model.joints.push_back(hinge(name + "3", name + "b", second, to));
}

Model example(const std::string& name) {
  return readModelText(findExample(name)->text, name + ".toml").model;
}

double writtenNumber(double value, int digits) {
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

Vector3 writtenVector(const Vector3& v, int digits) {
  return Vector3(writtenNumber(v[0], digits), writtenNumber(v[1], digits), writtenNumber(v[2], digits));
}

/// Where circles about two points with these radii meet, to the left of the way from the first to the second.
Vector3 meeting(const Vector3& a, double fromA, const Vector3& b, double fromB) {
  const Vector3 way = b - a;
  const double d = way.norm(), along = (d * d + fromA * fromA - fromB * fromB) / (2.0 * d);
  const double across = std::sqrt(fromA * fromA - along * along);
  return a + along / d * way + across / d * planeNormal.cross(way);
}

}  // namespace

Model fourBar() {
  Model model = planar();
  const Vector3 a(0, 0, 0), b(0, 1, 0), c(2, 1.5, 0), d(2.1, 0, 0);
  model.bodies = {bar("crank", {a, b}), bar("coupler", {b, c}), bar("rocker", {c, d})};
  model.joints = {hinge("A", "ground", "crank", a), hinge("B", "crank", "coupler", b),
                  hinge("C", "coupler", "rocker", c), hinge("D", "rocker", "ground", d)};
  return model;
}

Model sixBar() {
  Model model = fourBar();
  addDyad(model, "E", "coupler", {1.1, 2.0, 0}, {2.6, 2.9, 0}, {3.4, 0.7, 0}, "ground");
  return model;
}

Model sliderCrank() {
  Model model = planar();
  const Vector3 a(0, 0, 0), b(0.3, 0.5, 0), c(1.6, -0.1, 0);
  model.bodies = {bar("crank", {a, b}), bar("rod", {b, c}), bar("slider", {c})};
  model.joints = {hinge("A", "ground", "crank", a), hinge("B", "crank", "rod", b), hinge("C", "rod", "slider", c)};
  Joint guide{"guide", "prismatic", "ground", "slider", c};
  guide.axis = Vector3(1.0, 0.1, 0.0).normalized();
  model.joints.push_back(guide);
  return model;
}

Model jansenLeg() {
  // a unit is 10 cm; T. Jansen, The Great Pretender, 2007: a 38 b 41.5 c 39.3 d 40.1 e 55.8 f 39.4 g 36.7 h 65.7 i 49 j 50 k 61.9
  // l 7.8 m 15
  Model model = planar();
  const Vector3 o(0, 0, 0), pivot(-3.8, -0.78, 0), crank = 1.5 * Vector3(std::cos(0.7), std::sin(0.7), 0);
  const Vector3 top = meeting(pivot, 4.15, crank, 5.0), low = meeting(crank, 6.19, pivot, 3.93);
  const Vector3 back = meeting(pivot, 4.01, top, 5.58), knee = meeting(low, 3.67, back, 3.94);
  const Vector3 foot = meeting(low, 4.9, knee, 6.57);
  model.bodies = {bar("crank", {o, crank}, 5.0),    bar("j", {crank, top}), bar("k", {crank, low}),
                  bar("upper", {pivot, top, back}), bar("c", {pivot, low}), bar("f", {back, knee}),
                  bar("lower", {low, knee, foot})};
  model.joints = {
      hinge("O", "ground", "crank", o), hinge("J", "crank", "j", crank),      hinge("K", "crank", "k", crank),
      hinge("T", "j", "upper", top),    hinge("P", "ground", "upper", pivot), hinge("Q", "ground", "c", pivot),
      hinge("L", "k", "c", low),        hinge("B", "upper", "f", back),       hinge("N", "f", "lower", knee),
      hinge("M", "c", "lower", low)};
  return model;
}

Model bennettLoop() {
  return example("bennett");
}

Model bricardLoop() {
  return example("bricard");
}

Model randomPlanarLinkage(unsigned seed, int loops) {
  Arbitrary any(seed);
  Model model = planar();
  const Vector3 a(any.between(-0.2, 0.2), any.between(-0.2, 0.2), 0.0);
  const Vector3 b = a + Vector3(any.between(-0.5, 0.3), any.between(0.5, 1.0), 0.0);
  const Vector3 c(any.between(1.5, 2.3), any.between(0.8, 1.8), 0.0),
      d(any.between(1.6, 2.4), any.between(-0.6, 0.2), 0.0);
  model.bodies = {bar("crank", {a, b}), bar("coupler", {b, c}), bar("rocker", {c, d})};
  model.joints = {hinge("A", "ground", "crank", a), hinge("B", "crank", "coupler", b),
                  hinge("C", "coupler", "rocker", c), hinge("D", "rocker", "ground", d)};
  const std::vector<std::string> carriers = {"coupler", "rocker", "crank"};
  for (int loop = 1; loop < loops; ++loop) {
    const std::string carrier = carriers[static_cast<std::size_t>(any() * 2.999)];
    const Vector3 from = model.bodies[carrier == "crank"     ? 0
                                      : carrier == "coupler" ? 1
                                                             : 2]
                             .position +
                         Vector3(any.between(-0.3, 0.3), any.between(-0.3, 0.3), 0.0);
    const Vector3 way(any.between(0.8, 1.6) * (any() < 0.5 ? -1.0 : 1.0), any.between(-0.4, 0.4), 0.0);
    const Vector3 elbow = from + 0.5 * way + any.between(0.4, 0.9) * planeNormal.cross(way);
    addDyad(model, fmt::format("E{}", loop), carrier, from, elbow, from + way, "ground");
  }
  return model;
}

Model placed(const Model& model, const Matrix3& turn, const Vector3& shift) {
  Model result = model;
  const auto point = [&](const Vector3& p) { return Vector3(turn * p + shift); };
  result.gravity = turn * model.gravity;
  for (Body& body : result.bodies) {
    body.position = point(body.position);
    body.orientation = quaternionFromRotation(turn * rotationMatrix(body.orientation));
    body.velocity = turn * body.velocity;
  }
  for (Joint& joint : result.joints) {
    joint.point = point(joint.point);
    joint.axis = turn * joint.axis;
    if (joint.secondPoint) joint.secondPoint = point(*joint.secondPoint);
    if (joint.secondAxis) joint.secondAxis = turn * *joint.secondAxis;
  }
  return result;
}

Model inRandomPlane(const Model& model, unsigned seed) {
  Arbitrary any(seed + 77);
  Quaternion q(any() - 0.5, any() - 0.5, any() - 0.5, any() - 0.5);
  q /= q.norm();
  return placed(model, rotationMatrix(q), Vector3(any() - 0.5, any() - 0.5, any() - 0.5));
}

Model written(const Model& model, int digits) {
  Model result = model;
  result.gravity = writtenVector(model.gravity, digits);
  for (Body& body : result.bodies) body.position = writtenVector(body.position, digits);
  for (Joint& joint : result.joints) {
    joint.point = writtenVector(joint.point, digits);
    joint.axis = writtenVector(joint.axis, digits);
    if (joint.secondPoint) joint.secondPoint = writtenVector(*joint.secondPoint, digits);
    if (joint.secondAxis) joint.secondAxis = writtenVector(*joint.secondAxis, digits);
  }
  return result;
}

double rounding(const Model& exact, const Model& rounded) {
  double largest = 0.0;
  for (std::size_t j = 0; j < exact.joints.size(); ++j) {
    largest = std::max(largest, (exact.joints[j].point - rounded.joints[j].point).norm());
    largest = std::max(largest, (exact.joints[j].axis.normalized() - rounded.joints[j].axis.normalized()).norm());
  }
  for (std::size_t b = 0; b < exact.bodies.size(); ++b)
    largest = std::max(largest, (exact.bodies[b].position - rounded.bodies[b].position).norm());
  return largest;
}

}  // namespace polhode::test
