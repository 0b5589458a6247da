#include "io/broken_models.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <gtest/gtest.h>

namespace polhode::override_test {
namespace {

ModelFile readWith(const std::vector<std::string>& overrides) {
  return readModelText(test::goodModel(), "top.toml", overrides);
}

/// Expects an error that names the override and holds `part`, on one line.
void expectRefused(const std::string& override, const std::string& part) {
  try {
    readWith({override});
    ADD_FAILURE() << "accepted: " << override;
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("override '" + override + "': ")) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

}  // namespace

TEST(Override, ReplacesAValue) {
  EXPECT_EQ(readWith({"body.top.mass=3"}).model.bodies[0].mass, 3.0);
  EXPECT_EQ(readWith({" body . top . mass = 3.5 "}).model.bodies[0].mass, 3.5);
  EXPECT_EQ(readWith({"model.gravity=[0,0,-1.62]"}).model.gravity, Vector3(0, 0, -1.62));
  EXPECT_EQ(readWith({"model.name=\"A = B\""}).model.name, "A = B");
  EXPECT_EQ(readWith({"simulation.end=3"}).simulation.end, 3.0);
  EXPECT_EQ(readWith({"simulation.output.every=0.5"}).simulation.outputEvery, 0.5);
  EXPECT_EQ(readWith({"simulation.output={every=0.5}"}).simulation.outputEvery, 0.5);
  EXPECT_EQ(readWith({"joint.tip.point=[0, 0, 0.0]"}).model.joints[0].point, Vector3(0, 0, 0));
  EXPECT_EQ(readWith({"force.cord.stiffness=7"}).model.forces[0].law->stiffness(), 7.0);
}

TEST(Override, GoesIntoTables) {
  const ModelFile file = readWith({"body.top.angular_velocity.body=[0,0,20]", "model.assemble=true"});
  EXPECT_EQ(file.model.bodies[0].angularVelocity, Vector3(0, 0, 20));
  EXPECT_EQ(file.model.bodies[0].velocity, Vector3(0, 0, 0));
}

TEST(Override, TakesAWordWithoutQuotes) {
  const ModelFile file = readWith({"simulation.integrator=radau5", "simulation.coordinates=euler313"});
  EXPECT_EQ(file.simulation.integrator, "radau5");
  EXPECT_EQ(file.simulation.coordinates, "euler313");
  EXPECT_EQ(file.places.at("integrator"), "override 'simulation.integrator=radau5'");
}

TEST(Override, MakesTablesThatAreMissing) {
  const std::string text = "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n";
  const ModelFile file =
      readModelText(text, "a.toml", {"simulation.end=3", "model.name=\"A\"", "body.a.angular_velocity.space=[1,2,3]"});
  EXPECT_EQ(file.simulation.end, 3.0);
  EXPECT_EQ(file.model.name, "A");
  EXPECT_EQ(file.model.bodies[0].angularVelocity, Vector3(1, 2, 3));
}

TEST(Override, TheLastOneCounts) {
  EXPECT_EQ(readWith({"simulation.end=3", "simulation.end=4"}).simulation.end, 4.0);
}

TEST(Override, NamesWhatIsWrongWithIt) {
  expectRefused("body.tpo.mass=2", "did you mean 'top'?");
  expectRefused("body.top.mas=2", "did you mean 'mass'?");
  expectRefused("bdy.top.mass=2", "did you mean 'body'?");
  expectRefused("joint.tpi.point=[0,0,0]", "did you mean 'tip'?");
  expectRefused("simulation.ende=2", "did you mean 'end'?");
  expectRefused("gravity=[0,0,0]", "unknown word 'gravity'");
  expectRefused("actuator.hand.body=1", "the model has no actuator");
  expectRefused("simulation.end", "there is no '='");
  expectRefused("", "there is no '='");
  expectRefused("=2", "a word before '=' is missing");
  expectRefused("body..mass=2", "a word before '=' is missing");
  expectRefused("body=2", "write body.NAME.KEY=VALUE");
  expectRefused("body.top=2", "write body.NAME.KEY=VALUE");
  expectRefused("model=2", "write model.KEY=VALUE");
  expectRefused("body.top.mass=", "not a TOML value");
  expectRefused("body.top.mass=2 kg", "not a TOML value");
  expectRefused("body.top.mass=[1", "not a TOML value");
  expectRefused("body.top.mass=\"heavy\"", "mass must be a number");
  expectRefused("body.top.mass=heavy", "mass must be a number");
  expectRefused("body.top.mass=nan", "finite");
  expectRefused("body.top.mass=-2", "body 'top' has the mass -2");
  expectRefused("body.top.mass.kg=2", "'mass' is the number 2, which has no key 'kg'");
  expectRefused("body.top.density=2", "a mass and a density");
}

}  // namespace polhode::override_test
