#include "model/usual_settings.h"

#include "polhode/io/model_file.h"

#include <fstream>

#include <gtest/gtest.h>

namespace polhode::usual_settings_test {
namespace {

const std::string ball = "[[body]]\nname = 'ball'\nmass = 1\ninertia = [1, 1, 1]\n";
const std::string hand =
    "[[actuator]]\nname = 'hand'\nbody = 'ball'\npoint = [0, 0, 0]\nfollow = { formula = ['sin(t)', '0', '0'] }\n";

SimulationSettings settingsOf(const std::string& text) {
  return readModelText(text, "ball.toml").simulation;
}

TEST(UsualSettings, OneRuleForAFileThatNamesNoIntegrator) {
  EXPECT_EQ(settingsOf(ball).integrator, "dop853");
  EXPECT_FALSE(settingsOf(ball).step);
  EXPECT_EQ(settingsOf(ball + hand).integrator, "linear-implicit-euler");
  EXPECT_EQ(settingsOf(ball + hand).step, 1e-3);
  EXPECT_EQ(settingsOf(ball + hand + "[simulation]\nstep = 0.01\n").step, 0.01);
  EXPECT_EQ(settingsOf(ball + hand + "[simulation]\nintegrator = 'director-em'\n").integrator, "director-em");
  EXPECT_FALSE(settingsOf(ball + hand + "[simulation]\nintegrator = 'director-em'\n").step);
}

TEST(UsualSettings, TheSameForUrdfAndForCpp) {
  const std::string path = testing::TempDir() + "usual_settings.urdf";
  std::ofstream(path)
      << "<robot name='arm'><link name='base'/><link name='arm'><inertial><mass value='1'/>"
         "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
         "<joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/></joint></robot>";
  const ModelFile robot = readModelFile(path);
  EXPECT_EQ(robot.simulation.integrator, usualIntegrator(robot.model).name);
  EXPECT_EQ(withUsualIntegrator(robot.model).integrator, robot.simulation.integrator);
  EXPECT_NE(usualIntegrator(robot.model).reason.find("no integrator is named"), std::string::npos);
}

}  // namespace
}  // namespace polhode::usual_settings_test
