#include "model/shapes/moments.h"

namespace polhode::shapes {

ShapeType capsule() {
  // a cylinder, and a sphere whose halves are moved apart by its length (parallel axes; the centre of mass of a half sphere
  // is 3/8 radius from its flat side)
  const auto homogeneous = [](const std::vector<double>& lengths, double density) {
    const double radius = lengths[0], length = lengths[1], rr = radius * radius;
    const double middle = density * pi * rr * length;
    const double ends = density * 4.0 / 3.0 * pi * rr * radius;
    const double across = middle * (length * length / 12.0 + rr / 4.0) +
                          ends * (2.0 / 5.0 * rr + length * length / 4.0 + 3.0 / 8.0 * length * radius);
    return MassProperties{middle + ends, momentsOf(across, across, middle * rr / 2.0 + 2.0 / 5.0 * ends * rr)};
  };
  const auto outline = [](const std::vector<double>& lengths) {
    const double radius = lengths[0], top = lengths[1] / 2.0;
    return Outline{.turned = {{{0.0, -top - radius}, {radius, -top}, -top},
                              {{radius, -top}, {radius, top}},
                              {{radius, top}, {0.0, top + radius}, top}}};
  };
  return {"capsule",
          "axis along z; `length` is that between the half spheres",
          {{"radius"}, {"length"}},
          homogeneous,
          outline};
}

}  // namespace polhode::shapes
