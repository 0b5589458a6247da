#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace polhode::actuator_test {
namespace {

constexpr const char* sphere =
    "[[body]]\nname = \"sphere\"\nmass = 2.0\ninertia = [0.4, 0.4, 0.4]\nposition = [1.0, 0.0, 0.0]\n";

ModelFile read(const std::string& actuator, const std::string& name = "model.toml") {
  return readModelText(std::string(sphere) + "[[actuator]]\nname = \"hand\"\n" + actuator, name);
}

TEST(ActuatorReader, ReadsFormulasTablesAndLiveSources) {
  const Actuator formula =
      read("body = \"sphere\"\nfollow = { formula = [\"cos(t)\", \"sin(t)\", 1] }\n").model.actuators.at(0);
  EXPECT_EQ(formula.name, "hand");
  EXPECT_EQ(formula.point, Vector3(1, 0, 0));  // the centre of mass
  EXPECT_EQ(formula.control.method, "receding-horizon");
  EXPECT_EQ(std::get<VectorSignal>(formula.follow).value(0.0), Vector3(1, 0, 1));
  EXPECT_EQ(std::get<VectorSignal>(formula.follow).rate(0.0), Vector3(0, 1, 0));

  const Actuator table =
      read(
          "body = \"sphere\"\npoint = [1.0, 0.5, 0.0]\nfollow = { table = [[0, 0, 0, 0], [1, 2, 0, 4]] }\n"
          "control = { method = \"h1-neumann\", rho0 = 1e-6, rho1 = 5e-13 }\n")
          .model.actuators.at(0);
  EXPECT_EQ(table.point, Vector3(1, 0.5, 0));
  EXPECT_EQ(std::get<VectorSignal>(table.follow).value(0.5), Vector3(1, 0, 2));
  EXPECT_EQ(table.control.rho1, 5e-13);

  const Actuator live = read(
                            "body = \"sphere\"\nfollow = \"live\"\n"
                            "control = { method = \"receding-horizon\", time_constant = 0.05, largest_force = 40 }\n")
                            .model.actuators.at(0);
  EXPECT_TRUE(std::holds_alternative<LiveSource>(live.follow));
  EXPECT_EQ(live.control.timeConstant, 0.05);
  EXPECT_EQ(live.control.largestForce, 40.0);
}

TEST(ActuatorReader, FindsASignalBesideTheModel) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "actuator_reader";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "hand.csv") << "t,x,y,z\n0,1,2,3\n0.1,4,5,6\n";
  const Actuator actuator =
      read("body = \"sphere\"\nfollow = { signal = \"hand.csv\" }\n", (folder / "model.toml").string())
          .model.actuators.at(0);
  EXPECT_EQ(std::get<SampledPath>(actuator.follow).held(0.05), Vector3(1, 2, 3));
}

TEST(ActuatorReader, SaysWhatIsWrongAndWhere) {
  const struct {
    const char* actuator;
    const char* sentence;
  } broken[] = {
      {"follow = \"live\"\n", "actuator 'hand'"},
      {"body = \"sphre\"\nfollow = \"live\"\n", "did you mean 'sphere'?"},
      {"body = \"sphere\"\n", "follow"},
      {"body = \"sphere\"\nfollow = \"lve\"\n", "unknown word 'lve'"},
      {"body = \"sphere\"\nfollow = { formula = [\"sn(t)\", \"0\", \"0\"] }\n", "did you mean 'sin'?"},
      {"body = \"sphere\"\nfollow = { formula = [\"t\", \"0\"] }\n", "three formulas"},
      {"body = \"sphere\"\nfollow = { table = [[1, 0, 0, 0], [0, 0, 0, 0]] }\n", "increasing order"},
      {"body = \"sphere\"\nfollow = { signal = \"no-such-file.csv\" }\n", "no-such-file.csv"},
      {"body = \"sphere\"\nfollow = \"live\"\ncontrol = { method = \"l3\" }\n", "unknown word 'l3'"},
      {"body = \"sphere\"\nfollow = \"live\"\ncontrol = { method = \"l2\", rho1 = 1 }\n",
       "'rho1', which the method 'l2'"},
      {"body = \"sphere\"\nfollow = \"live\"\ncontrol = { method = \"servo\", epsilon = 2 }\n", "epsilon above 1"},
      {"body = \"sphere\"\nfollow = \"live\"\nforce = 1\n", "force"},
  };
  for (const auto& c : broken) {
    try {
      read(c.actuator);
      ADD_FAILURE() << "accepted: " << c.actuator;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(c.sentence), std::string::npos) << error.what();
      EXPECT_TRUE(std::string(error.what()).starts_with("model.toml:")) << error.what();
    }
  }
}

}  // namespace
}  // namespace polhode::actuator_test
