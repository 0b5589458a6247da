#include "model/shapes/moments.h"

namespace polhode::shapes {

ShapeType cone() {
  const auto homogeneous = [](const std::vector<double>& lengths, double density) {
    const double rr = lengths[0] * lengths[0], height = lengths[1];
    const double mass = density * pi * rr * height / 3.0;
    const double across = mass * (3.0 * rr / 20.0 + 3.0 * height * height / 80.0);
    return MassProperties{mass, momentsOf(across, across, 3.0 / 10.0 * mass * rr)};
  };
  const auto outline = [](const std::vector<double>& lengths) {
    const double radius = lengths[0], apex = -0.75 * lengths[1], base = 0.25 * lengths[1];
    return Outline{.turned = {{{0.0, apex}, {radius, base}}, {{radius, base}, {0.0, base}}}};
  };
  return {
      "cone", "axis along z, apex at -3/4 height, base at +1/4 height", {{"radius"}, {"height"}}, homogeneous, outline};
}

}  // namespace polhode::shapes
