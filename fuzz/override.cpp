// Overrides, one a line, of a model that has everything.
#include "few_steps.h"

#include <sstream>
#include <vector>

namespace {

const char* const model = R"toml(
[model]
name = "all there is"
gravity = [0, 0, -9.81]
[[body]]
name = "top"
mass = 2
inertia = [0.1, 0.2, 0.25]
position = [0, 0, 0.5]
orientation = { axis = [1, 0, 0], degrees = 10 }
angular_velocity = { body = [1, 0, 20] }
shape = { cone = { radius = 0.05, height = 0.1 } }
[[body]]
name = "arm"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0.5, 0, 1]
[[joint]]
name = "tip"
type = "spherical"
bodies = ["ground", "top"]
point = [0, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["top", "arm"]
point = [0, 0, 1]
axis = [0, 1, 0]
[[force]]
name = "cord"
type = "spring"
bodies = ["top", "ground"]
points = [[0, 0, 0.6], [0, 0, 2]]
stiffness = 100
length = 0.2
[[force]]
name = "motor"
type = "joint-motor"
joint = "hinge"
effort = 1
scale = { formula = "sin(t)" }
[simulation]
integrator = "director-em"
step = 0.01
end = 0.1
)toml";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  std::vector<std::string> overrides;
  std::istringstream lines(fuzz::textOf(data, size));
  for (std::string line; std::getline(lines, line) && overrides.size() < 8;) overrides.push_back(line);
  fuzz::attempt([&] { fuzz::simulateAFewSteps(readModelText(model, "fuzz.toml", overrides)); });
  return 0;
}
