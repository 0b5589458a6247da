#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "polhode/system/mobility.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace polhode {
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
  EXPECT_EQ(shapeName(*model.bodies[0].shape), "cylinder");
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

}  // namespace polhode
