#include "io/broken_models.h"

#include <stdexcept>

namespace polhode::test {

const std::string& goodModel() {
  static const std::string text = R"(# A top on a ball joint.
[model]
name = "Heavy top"
gravity = [0.0, 0.0, -9.81]
assemble = false

[[body]]
name = "top"
mass = 2.0
inertia = [0.1, 0.2, 0.25]
position = [0.0, 0.0, 0.5]
orientation = { quaternion = [1, 0, 0, 0] }
angular_velocity = { body = [1.0, 0.0, 20.0] }
velocity = [0.0, -0.5, 0.0]
shape = { cone = { radius = 0.05, height = 0.1 } }

[[joint]]
name = "tip"
type = "spherical"
bodies = ["ground", "top"]
point = [0, 0, 0]

[[force]]
name = "cord"
type = "spring"
bodies = ["top", "ground"]
points = [[0, 0, 0.6], [0, 0, 2]]
stiffness = 100
length = 0.2

[simulation]
coordinates = "quaternion"
formulation = "null-space"
integrator = "dop853"
projection = "none"
step = 0.01
tolerance = 1e-9
end = 2.0
output = { every = 0.05 }
stop_when = "top.position.z=0"
)";
  return text;
}

std::string goodModelWith(const std::string& piece, const std::string& replacement) {
  std::string text = goodModel();
  const std::size_t position = text.find(piece);
  if (position == std::string::npos || text.find(piece, position + 1) != std::string::npos)
    throw std::logic_error("the good model must hold this exactly once: " + piece);
  return text.replace(position, piece.size(), replacement);
}

std::vector<BrokenModel> brokenModels() {
  std::vector<BrokenModel> all;
  for (const auto& part :
       {modelsWithBrokenKeys(), modelsWithBrokenBodies(), modelsWithBrokenLinks(), modelsThatAreNoModels()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace polhode::test
