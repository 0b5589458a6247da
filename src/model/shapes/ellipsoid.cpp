#include "model/shapes/moments.h"

namespace polhode::shapes {

ShapeType ellipsoid() {
  const auto homogeneous = [](const std::vector<double>& lengths, double density) {
    const Vector3 semiAxes = alongAxes(lengths);
    const double mass = density * 4.0 / 3.0 * pi * semiAxes.prod();
    return MassProperties{mass, momentsOfSquares(mass, 1.0 / 5.0, semiAxes)};
  };
  const auto outline = [](const std::vector<double>& lengths) {
    return Outline{.turned = {{{0.0, -1.0}, {0.0, 1.0}, 0.0}}, .stretch = alongAxes(lengths)};
  };
  return {"ellipsoid", "semi-axes along x, y and z", {{"semi_axes", 3}}, homogeneous, outline};
}

}  // namespace polhode::shapes
