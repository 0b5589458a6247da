#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "system/mobility.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace polhode::urdf_reader_test {
namespace {

/// An arm of two links on a base, with a tool frame that has no mass.
const char* const arm = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.5"/><mass value="2"/>
      <inertia ixx="0.2" ixy="0.01" ixz="0" iyy="0.2" iyz="0" izz="0.02"/></inertial>
    <visual><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.05" length="1"/></geometry></visual>
  </link>
  <link name="lower">
    <inertial><origin xyz="0 0 0.5" rpy="0 0 1.5707963267948966"/><mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.15"/></inertial>
  </link>
  <link name="tool"/>
  <link name="weight"><inertial><mass value="0.5"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1"/><axis xyz="0 1 0"/><dynamics damping="0.3"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 1" rpy="0 1.5707963267948966 0"/><axis xyz="0 1 0"/><limit effort="1" velocity="1"/></joint>
  <joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0 0 1"/></joint>
  <joint name="pin" type="prismatic"><parent link="tool"/><child link="weight"/><axis xyz="0 0 1"/>
    <limit effort="1" velocity="1"/></joint>
</robot>
)";

class UrdfReader : public testing::Test {
 protected:
  UrdfReader() { std::filesystem::create_directory(folder); }
  ~UrdfReader() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }

  static std::string errorOf(const std::string& path) {
    try {
      readModelFile(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("polhode_urdf_{}", ::getpid());
};

}  // namespace

TEST_F(UrdfReader, OpensAFileLikeAModel) {
  const Model model = readModelFile(write("arm.urdf", arm)).model;
  EXPECT_EQ(model.name, "arm");
  ASSERT_EQ(model.bodies.size(), 3u) << "base and tool are frames only";
  EXPECT_EQ(model.bodies[0].name, "upper");
  EXPECT_LT((model.bodies[0].position - Vector3(0, 0, 1.5)).norm(), 1e-15);
  EXPECT_EQ(model.bodies[0].inertia(0, 1), 0.01);
  ASSERT_TRUE(model.bodies[0].shape);
  EXPECT_EQ(typeOf(*model.bodies[0].shape)->name, "cylinder");
  // the elbow turns z to x
  EXPECT_LT((model.bodies[1].position - Vector3(0.5, 0, 2)).norm(), 1e-15);
  EXPECT_LT((model.bodies[2].position - Vector3(1, 0, 2)).norm(), 1e-15);

  ASSERT_EQ(model.joints.size(), 3u);
  EXPECT_EQ(model.joints[0].first, "ground");
  EXPECT_EQ(model.joints[2].first, "lower") << "the tool is part of it";
  EXPECT_EQ(model.joints[2].type, "prismatic");
  EXPECT_LT((model.joints[2].axis - Vector3(1, 0, 0)).norm(), 1e-15);
  ASSERT_EQ(model.forces.size(), 1u);
  EXPECT_EQ(model.forces[0].joint, "shoulder");
  EXPECT_EQ(model.forces[0].damping, 0.3);
  EXPECT_EQ(mobilityOf(Mechanism(model)).freedoms, 3);
}

TEST_F(UrdfReader, GetsLoopsFromAModelFile) {
  write("arm.urdf", arm);
  const std::string toml =
      "[model]\nname = \"closed arm\"\nurdf = \"arm.urdf\"\nassemble = true\n"
      "[[joint]]\nname = \"closing\"\ntype = \"spherical\"\nbodies = [\"ground\", \"weight\"]\n"
      "points = { body = [[1.1, 0, 1.9], [0, 0, 0]] }\n";
  const ModelFile file = readModelFile(write("closed.toml", toml));
  EXPECT_EQ(file.model.name, "closed arm");
  EXPECT_LT((file.model.bodies[2].position - Vector3(1.1, 0, 1.9)).norm(), 1e-13);
  EXPECT_EQ(mobilityOf(Mechanism(file.model)).freedoms, 1);
}

TEST_F(UrdfReader, HasTheSameGravityAloneAndInAModelFile) {
  const Vector3 earth(0, 0, -9.81);
  EXPECT_EQ(readModelFile(write("arm.urdf", arm)).model.gravity, earth);
  EXPECT_EQ(readModelFile(write("named.toml", "[model]\nurdf = \"arm.urdf\"\n")).model.gravity, earth);
  const std::string moon = "[model]\nurdf = \"arm.urdf\"\ngravity = [0, 0, -1.62]\n";
  EXPECT_EQ(readModelFile(write("moon.toml", moon)).model.gravity, Vector3(0, 0, -1.62));
}

TEST_F(UrdfReader, ItsPartsCanBeChangedByNameInTheModelFile) {
  write("arm.urdf", arm);
  const std::string toml =
      "[model]\nurdf = \"arm.urdf\"\n"
      "[[body]]\nname = \"upper\"\nmass = 5\n"
      "[[body]]\nname = \"stone\"\nmass = 1\ninertia = [1, 1, 1]\n"
      "[[joint]]\nname = \"elbow\"\ndrive = { angle = { formula = \"0.5*sin(t)\" } }\n"
      "[[force]]\nname = \"motor\"\ntype = \"joint-motor\"\njoint = \"shoulder\"\neffort = 2\n"
      "[[force]]\nname = \"shoulder damping\"\ndamping = 7\n"
      "[[force]]\nname = \"push\"\ntype = \"load\"\nbody = \"lower\"\nforce = [1, 0, 0]\n";
  const Model model = readModelFile(write("changed.toml", toml)).model;
  ASSERT_EQ(model.bodies.size(), 4u);
  EXPECT_EQ(model.bodies[0].mass, 5.0);
  EXPECT_EQ(model.bodies[0].inertia(0, 1), 0.01) << "what is not given stays";
  EXPECT_LT((model.bodies[0].position - Vector3(0, 0, 1.5)).norm(), 1e-15);
  EXPECT_EQ(model.bodies[3].name, "stone");
  ASSERT_EQ(model.joints.size(), 3u);
  ASSERT_EQ(model.joints[1].drives.size(), 1u);
  EXPECT_EQ(model.joints[1].drives[0].coordinate, "angle");
  ASSERT_EQ(model.forces.size(), 3u);
  EXPECT_EQ(model.forces[0].damping, 7.0);
  EXPECT_EQ(mobilityOf(Mechanism(model)).freedoms, 2 + 6);

  const std::string twice = "[[joint]]\nname = \"elbow\"\ndrive = { angle = { formula = \"t\" } }\n";
  const std::string error = errorOf(write("twice.toml", "[model]\nurdf = \"arm.urdf\"\n" + twice + twice));
  EXPECT_NE(error.find("twice.toml"), std::string::npos) << error;
}

TEST_F(UrdfReader, ItsPartsCanBeSetByOverrides) {
  const std::string path = write("arm.urdf", arm);
  const Model model = readModelFile(path, {"body.upper.mass=3", "joint.elbow.drive={ angle = { formula = \"t\" } }",
                                           "model.gravity=[0, 0, -1]", "simulation.end=2"})
                          .model;
  EXPECT_EQ(model.bodies[0].mass, 3.0);
  EXPECT_EQ(model.joints[1].drives.size(), 1u);
  EXPECT_EQ(model.gravity, Vector3(0, 0, -1));
  try {
    readModelFile(path, {"body.uper.mass=3"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'upper'?"), std::string::npos) << error.what();
  }
}

TEST_F(UrdfReader, SaysWhatItLeavesOut) {
  std::string rich = arm;
  rich.replace(rich.find("<limit effort"), 6, "<limit lower=\"-1\" upper=\"2\"");
  rich.replace(rich.find("damping=\"0.3\""), 13, "damping=\"0.3\" friction=\"0.1\"");
  rich.replace(
      rich.find("</robot>"), 0,
      "<transmission name=\"gear\"/><!-- <transmission name=\"old\"/> --><gazebo reference=\"upper\"></gazebo>");
  EXPECT_EQ(readModelFile(write("rich.urdf", rich)).leftOut,
            (std::vector<std::string>{"friction of 1 joint ('shoulder')", "limits of 1 joint ('elbow')",
                                      "largest effort and speed of 2 joints ('elbow', 'pin')",
                                      "1 transmission element ('gear')", "1 gazebo element ('upper')"}));
}

TEST_F(UrdfReader, ReadsChainsOfAnyLength) {
  constexpr int count = 20'000;
  std::string text = "<robot name=\"chain\"><link name=\"l0\"/>";
  for (int i = 1; i <= count; ++i)
    text += fmt::format(
        "<link name=\"l{0}\"/><joint name=\"j{0}\" type=\"fixed\"><parent link=\"l{1}\"/><child link=\"l{0}\"/>"
        "<origin xyz=\"0 0 0.5\"/></joint>",
        i, i - 1);
  text +=
      "<link name=\"end\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
      "izz=\"1\"/></inertial></link>";
  text += fmt::format(
      "<joint name=\"last\" type=\"continuous\"><parent link=\"l{}\"/><child link=\"end\"/><axis xyz=\"0 1 "
      "0\"/></joint>",
      count);
  const Model model = readModelFile(write("chain.urdf", text + "</robot>")).model;
  ASSERT_EQ(model.bodies.size(), 1u);
  EXPECT_NEAR(model.bodies[0].position[2], 0.5 * count, 1e-9);
}

TEST_F(UrdfReader, SaysWhatIsWrong) {
  EXPECT_NE(errorOf(write("broken.urdf", "<robot name='x'><link name='a'/>")).find("not a valid URDF file"),
            std::string::npos);
  EXPECT_NE(errorOf(write("empty.urdf", "")).find("not a valid URDF file"), std::string::npos);
  const std::string missing = errorOf(write("missing.toml", "[model]\nurdf = \"nowhere.urdf\"\n"));
  EXPECT_NE(missing.find("nowhere.urdf"), std::string::npos) << missing;
  std::string negative = arm;
  negative.replace(negative.find("mass value=\"2\""), 14, "mass value=\"-2\"");
  const std::string error = errorOf(write("negative.urdf", negative));
  EXPECT_NE(error.find("body 'upper' has the mass -2"), std::string::npos) << error;
}

TEST_F(UrdfReader, SaysThatALinkHangsOnTwoJoints) {
  const std::string links =
      "<robot name='x'><link name='a'/><link name='b'/>"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
      "<joint name='k' type='fixed'><parent link='{}'/><child link='b'/></joint></robot>";
  for (const char* parent : {"a", "b"}) {  // the second one carries itself
    const std::string error = errorOf(write("twice.urdf", fmt::format(fmt::runtime(links), parent)));
    EXPECT_NE(error.find("link 'b' is the child of two joints, 'j' and 'k'"), std::string::npos) << error;
  }
}

}  // namespace polhode::urdf_reader_test
