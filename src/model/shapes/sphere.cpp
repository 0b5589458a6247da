#include "model/shapes/moments.h"

namespace polhode::shapes {

ShapeType sphere() {
  const auto homogeneous = [](const std::vector<double>& lengths, double density) {
    const double radius = lengths[0], mass = density * 4.0 / 3.0 * pi * radius * radius * radius;
    return MassProperties{mass, 2.0 / 5.0 * mass * radius * radius * Matrix3::Identity()};
  };
  const auto outline = [](const std::vector<double>& lengths) {
    return Outline{.turned = {{{0.0, -lengths[0]}, {0.0, lengths[0]}, 0.0}}};
  };
  return {"sphere", "a ball of that radius", {{"radius"}}, homogeneous, outline};
}

}  // namespace polhode::shapes
