#include "model/shapes/moments.h"

namespace polhode::shapes {

ShapeType box() {
  const auto homogeneous = [](const std::vector<double>& lengths, double density) {
    const Vector3 size = alongAxes(lengths);
    const double mass = density * size.prod();
    return MassProperties{mass, momentsOfSquares(mass, 1.0 / 12.0, size)};
  };
  const auto outline = [](const std::vector<double>& lengths) { return Outline{.box = alongAxes(lengths)}; };
  return {"box", "edges along x, y and z", {{"size", 3}}, homogeneous, outline};
}

}  // namespace polhode::shapes
