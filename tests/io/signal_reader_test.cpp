#include "io/signal_reader.h"

#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace polhode::signal_reader_test {
namespace {

/// A wheel on a hinge, with more keys of the hinge and more parts.
std::string wheel(const std::string& hinge, const std::string& more = "") {
  return "[[body]]\nname = \"wheel\"\nmass = 1\ninertia = [1, 1, 2]\n[[joint]]\nname = \"hub\"\ntype = \"revolute\"\n"
         "bodies = [\"ground\", \"wheel\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n" +
         hinge + "\n" + more;
}

const std::string motor = "[[force]]\nname = \"m\"\ntype = \"joint-motor\"\njoint = \"hub\"\neffort = 2\nscale = ";

std::string errorOf(const std::string& text, OtherFiles files = OtherFiles::read) {
  try {
    readModelText(text, "wheel.toml", {}, files);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool isIn(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(SignalReader, ReadsSplinesOfDrivesAndLoads) {
  const Model model = readModelText(wheel("drive = { angle = { spline = [[0, 0], [1, 1]] } }",
                                          motor + "{ spline = [[0, 1], [1, 2], [2, 3]], "
                                                  "ends = \"free\" }\n"),
                                    "wheel.toml")
                          .model;
  EXPECT_NEAR(model.joints[0].drives[0].follow.value(0.25), 3 * 0.0625 - 2 * 0.015625, 1e-15);
  EXPECT_NEAR(model.forces[0].scale.value(4.0), 5.0, 1e-14);
}

TEST(SignalReader, ReadsSplinesFromFilesBesideTheModel) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "signal_reader";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "angle.csv") << "t,angle\n0,0\n1,1\n";
  std::ofstream(folder / "path.csv") << "t,x,y,z\n0,0,0,1\n1,1,0,1\n";
  const std::string text =
      wheel("drive = { angle = { spline = \"angle.csv\" } }",
            "[[actuator]]\nname = \"push\"\nbody = \"wheel\"\nforce = { spline = \"path.csv\" }\n");
  const Model model = readModelText(text, (folder / "wheel.toml").string()).model;
  EXPECT_NEAR(model.joints[0].drives[0].follow.value(0.5), 0.5, 1e-15);
  EXPECT_NEAR((model.forces[0].vectorOverTime->value(0.5) - Vector3(0.5, 0, 1)).norm(), 0.0, 1e-15);
  EXPECT_TRUE(isIn(errorOf(text, OtherFiles::refuse), "joint 'hub': drive: angle: spline "));
  EXPECT_TRUE(isIn(errorOf(wheel("drive = { angle = { spline = \"no.csv\" } }")), "cannot be used"));
}

TEST(SignalReader, LetsADriveFollowATableSmoothly) {
  const std::string drive = "drive = { angle = { spline = [[0, 0], [0.4, 0.3], [1, 0.1]] } }";
  const ModelFile file =
      readModelText(wheel(drive, "[simulation]\nintegrator = \"director-em\"\nstep = 0.01\nend = 0.7\n"), "wheel.toml");
  const RunResult result = simulate(file.model, file.simulation);
  ASSERT_EQ(result.failure, "");
  EXPECT_NEAR(result.final.joints[0].coordinates[0].value, file.model.joints[0].drives[0].follow.value(0.7), 1e-12);
  EXPECT_TRUE(isIn(errorOf(wheel("drive = { angle = { table = [[0, 0], [1, 1]] } }")), "give a formula or a spline"));
}

TEST(SignalReader, RefusesWrongSplines) {
  EXPECT_TRUE(isIn(errorOf(wheel("", motor + "{ spline = [[0, 1]] }\n")), "give at least two"));
  EXPECT_TRUE(isIn(errorOf(wheel("", motor + "{ spline = [[0, 1], [0, 2]] }\n")), "increasing order"));
  EXPECT_TRUE(isIn(errorOf(wheel("", motor + "{ spline = 3 }\n")), "rows of time and value"));
  EXPECT_TRUE(
      isIn(errorOf(wheel("", motor + "{ spline = [[0, 1], [1, 2]], ends = \"fre\" }\n")), "did you mean 'free'?"));
  EXPECT_TRUE(isIn(errorOf(wheel("", motor + "{ formula = \"t\", ends = \"free\" }\n")), "which only a spline has"));
  EXPECT_TRUE(isIn(errorOf(wheel("", motor + "{ formula = \"t\", spline = [[0, 1], [1, 2]] }\n")), "give only one"));
}

}  // namespace polhode::signal_reader_test
