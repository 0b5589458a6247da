#include "io/parameters.h"

#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace polhode::parameters_test {
namespace {

/// A rod on a hinge, all of it made of parameters.
const std::string rod = R"TOML(
[parameters]
mass = "density * length^3"
length = 0.5
density = 8
half = "length/2"
angle = "pi/6"

[model]
gravity = [0, 0, "-9.81*half"]

[[body]]
name = "rod"
mass = "mass"
inertia = ["mass*length^2/12", "mass*length^2/12", 0]
position = ["half*sin(angle)", 0, "-half*cos(angle)"]
orientation = { axis = [0, 1, 0], radians = "-angle" }

[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "rod"]
point = [0, 0, 0]
axis = [0, 1, 0]

[[force]]
name = "spring"
type = "joint-spring"
joint = "hinge"
law = { formula = "mass*x + half*x^3" }
rest = "angle"

[[force]]
name = "push"
type = "load"
body = "rod"
force = [1, 0, "half"]
scale = { formula = "half*sin(pi*t)" }

[simulation]
end = "4*half"
)TOML";

Model modelWith(const std::vector<std::string>& overrides = {}) {
  return readModelText(rod, "rod.toml", overrides).model;
}

std::string errorOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    readModelText(text, "rod.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string with(const std::string& old, const std::string& by) {
  std::string text = rod;
  return text.replace(text.find(old), old.size(), by);
}

}  // namespace

TEST(Parameters, StandInAnyNumberOfTheFile) {
  const ModelFile file = readModelText(rod, "rod.toml");
  const Body& body = file.model.bodies[0];
  EXPECT_EQ(body.mass, 1.0);
  EXPECT_EQ(body.inertia(0, 0), 1.0 / 48.0);
  EXPECT_EQ(body.position, Vector3(0.25 * std::sin(std::numbers::pi / 6), 0, -0.25 * std::cos(std::numbers::pi / 6)));
  EXPECT_EQ(file.model.gravity.z(), -9.81 * 0.25);
  EXPECT_EQ(file.simulation.end, 1.0);
  EXPECT_EQ(file.model.forces[0].rest, std::numbers::pi / 6);
  EXPECT_EQ(file.model.forces[1].vector, Vector3(1, 0, 0.25));
}

TEST(Parameters, StandInFormulasOfTimeAndOfStretch) {
  const Model model = modelWith();
  EXPECT_DOUBLE_EQ(model.forces[0].law->tension(2.0), 1.0 * 2.0 + 0.25 * 8.0);
  EXPECT_DOUBLE_EQ(model.forces[1].scale.value(0.5), 0.25);
}

TEST(Parameters, FollowEachOtherWhereOneIsSet) {
  const Model model = modelWith({"parameters.length=1"});
  EXPECT_EQ(model.bodies[0].mass, 8.0);
  EXPECT_EQ(model.forces[1].vector.z(), 0.5);
  EXPECT_EQ(modelWith({"parameters.length=\"2*density\"", "parameters.density=0.5"}).bodies[0].mass, 0.5);
  EXPECT_EQ(modelWith({"body.rod.mass=\"3*length\""}).bodies[0].mass, 1.5);
}

TEST(Parameters, AreRefusedWithTheNearestNameAndThePlace) {
  EXPECT_EQ(errorOf(with("\"density * length^3\"", "\"density * lenght^3\"")),
            "rod.toml:3:8: [parameters]: mass must be a number; formula 'density * lenght^3' is wrong at character 11: "
            "'lenght' is unknown; did you mean 'length'?");
  EXPECT_EQ(errorOf(with("\"mass*length^2/12\"", "\"mas*length^2/12\"")),
            "rod.toml:15:12: body 'rod': inertia[0] must be a number; formula 'mas*length^2/12' is wrong at character "
            "1: 'mas' is unknown; did you mean 'mass'?");
  EXPECT_NE(errorOf(with("\"half*sin(pi*t)\"", "\"haf*sin(pi*t)\"")).find("did you mean 'half'?"), std::string::npos);
  EXPECT_EQ(errorOf(with("length = 0.5", "length = \"2*half\"")),
            "rod.toml:4:10: [parameters]: 'length' depends on itself (length -> half -> length); give one of them a "
            "number");
  EXPECT_EQ(errorOf(with("length = 0.5", "length = \"length\"")),
            "rod.toml:4:10: [parameters]: 'length' depends on itself (length -> length); give one of them a number");
  EXPECT_NE(errorOf(with("half =", "sin =")).find("'sin', which means something else in formulas"), std::string::npos);
  EXPECT_NE(errorOf(with("half =", "\"a b\" =")).find("'a b', which cannot stand in a formula"), std::string::npos);
  EXPECT_NE(errorOf(with("length = 0.5", "length = [1]")).find("length must be a number, not an array of 1"),
            std::string::npos);
  EXPECT_NE(errorOf(with("length = 0.5", "length = \"1/0\"")).find("length must be a finite number, not inf"),
            std::string::npos);
  EXPECT_EQ(errorOf(rod, {"parameters.lenght=1"}),
            "override 'parameters.lenght=1': there is no parameter 'lenght'; did you mean 'length'?");
  EXPECT_EQ(errorOf("[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n", {"parameters.a=1"}),
            "override 'parameters.a=1': the model has no [parameters] at all");
}

TEST(Parameters, LeaveTextsAlone) {
  const Model model =
      readModelText(with("name = \"rod\"", "name = \"rod\"") + "\n", "rod.toml", {"model.name=\"half\""}).model;
  EXPECT_EQ(model.name, "half");
  EXPECT_EQ(model.forces[0].joint, "hinge");
}

}  // namespace polhode::parameters_test
