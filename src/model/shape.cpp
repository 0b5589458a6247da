#include "polhode/model/shape.h"

#include <numbers>

namespace polhode {
namespace {

using std::numbers::pi;

Matrix3 diagonal(double x, double y, double z) {
  return Vector3(x, y, z).asDiagonal();
}

/// Mass and inertia of each solid; every inertia is about the centre of mass.
struct Homogeneous {
  double density;

  MassProperties operator()(const Sphere& sphere) const {
    const double radius = sphere.radius;
    const double mass = density * 4.0 / 3.0 * pi * radius * radius * radius;
    return {mass, 2.0 / 5.0 * mass * radius * radius * Matrix3::Identity()};
  }

  MassProperties operator()(const Box& box) const {
    const double mass = density * box.size.prod();
    const Vector3 squares = box.size.cwiseAbs2();
    return {mass,
            mass / 12.0 * diagonal(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y())};
  }

  MassProperties operator()(const Cylinder& cylinder) const {
    const double rr = cylinder.radius * cylinder.radius, hh = cylinder.height * cylinder.height;
    const double mass = density * pi * rr * cylinder.height;
    const double across = mass * (3.0 * rr + hh) / 12.0;
    return {mass, diagonal(across, across, mass * rr / 2.0)};
  }

  MassProperties operator()(const Cone& cone) const {
    const double rr = cone.radius * cone.radius, hh = cone.height * cone.height;
    const double mass = density * pi * rr * cone.height / 3.0;
    const double across = mass * (3.0 * rr / 20.0 + 3.0 * hh / 80.0);
    return {mass, diagonal(across, across, 3.0 / 10.0 * mass * rr)};
  }

  /// A cylinder, and a sphere whose halves are moved apart by its length (parallel axes; the centre of mass
  /// of a half sphere is 3/8 radius from its flat side).
  MassProperties operator()(const Capsule& capsule) const {
    const double radius = capsule.radius, length = capsule.length, rr = radius * radius;
    const double middle = density * pi * rr * length;
    const double ends = density * 4.0 / 3.0 * pi * rr * radius;
    const double across = middle * (length * length / 12.0 + rr / 4.0) +
                          ends * (2.0 / 5.0 * rr + length * length / 4.0 + 3.0 / 8.0 * length * radius);
    return {middle + ends, diagonal(across, across, middle * rr / 2.0 + 2.0 / 5.0 * ends * rr)};
  }

  MassProperties operator()(const Ellipsoid& ellipsoid) const {
    const double mass = density * 4.0 / 3.0 * pi * ellipsoid.semiAxes.prod();
    const Vector3 squares = ellipsoid.semiAxes.cwiseAbs2();
    return {mass,
            mass / 5.0 * diagonal(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y())};
  }
};

struct Name {
  std::string operator()(const Sphere&) const { return "sphere"; }
  std::string operator()(const Box&) const { return "box"; }
  std::string operator()(const Cylinder&) const { return "cylinder"; }
  std::string operator()(const Cone&) const { return "cone"; }
  std::string operator()(const Capsule&) const { return "capsule"; }
  std::string operator()(const Ellipsoid&) const { return "ellipsoid"; }
};

}  // namespace

MassProperties massProperties(const Shape& shape, double density) {
  return std::visit(Homogeneous{density}, shape);
}

std::string shapeName(const Shape& shape) {
  return std::visit(Name{}, shape);
}

}  // namespace polhode
