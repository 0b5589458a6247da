#include "model/shapes/moments.h"

namespace polhode::shapes {

ShapeType cylinder() {
  const auto homogeneous = [](const std::vector<double>& lengths, double density) {
    const double rr = lengths[0] * lengths[0], height = lengths[1];
    const double mass = density * pi * rr * height;
    const double across = mass * (3.0 * rr + height * height) / 12.0;
    return MassProperties{mass, momentsOf(across, across, mass * rr / 2.0)};
  };
  const auto outline = [](const std::vector<double>& lengths) {
    const double radius = lengths[0], top = lengths[1] / 2.0;
    return Outline{
        .turned = {{{0.0, -top}, {radius, -top}}, {{radius, -top}, {radius, top}}, {{radius, top}, {0.0, top}}}};
  };
  return {"cylinder", "axis along z", {{"radius"}, {"height"}}, homogeneous, outline};
}

}  // namespace polhode::shapes
