#include "polhode/io/model_file.h"

#include "io/broken_models.h"
#include "math/euler_angles.h"
#include "math/euler_map.h"
#include "model/validation.h"
#include "polhode/error.h"

#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace polhode::model_file_test {
namespace {

using test::goodModel;
using test::goodModelWith;

ModelFile read(const std::string& text) {
  return readModelText(text, "top.toml");
}

/// A free body with more lines.
ModelFile readBody(const std::string& lines) {
  return read("[[body]]\nname = \"body\"\n" + lines + "\n");
}

Matrix3 rotationOf(const std::string& orientation) {
  const ModelFile file = readBody("mass = 1\ninertia = [1, 1, 1]\norientation = " + orientation);
  const Quaternion q = file.model.bodies[0].orientation;
  EXPECT_NEAR(q.norm(), 1.0, 4e-16) << orientation;
  return rotationMatrix(q);
}

/// The text of the InputError that reading throws.
std::string errorOf(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(ModelFile, ASpringMayPullOrPushOnly) {
  const auto law = [](const std::string& lines) {
    return *read(goodModelWith("stiffness = 100", lines)).model.forces[0].law;
  };
  const ForceLaw rope = law("stiffness = 100\npulls_only = true"), stop = law("stiffness = 100\npushes_only = true");
  EXPECT_EQ(rope.tension(0.5), 50.0);
  EXPECT_EQ(rope.tension(-0.5), 0.0);
  EXPECT_EQ(stop.tension(0.5), 0.0);
  EXPECT_EQ(stop.tension(-0.5), -50.0);
  EXPECT_EQ(law("stiffness = 100\npulls_only = false").tension(-0.5), -50.0);
  EXPECT_EQ(law("law = { formula = \"100*x\" }\npulls_only = true").tension(-0.5), 0.0);
  const auto error = [](const std::string& lines) { return errorOf(goodModelWith("stiffness = 100", lines)); };
  EXPECT_NE(error("stiffness = 100\npulls_only = true\ndamping = 1").find("put a damper beside it"), std::string::npos);
  EXPECT_NE(error("stiffness = -1\npulls_only = true").find("must be positive"), std::string::npos);
  EXPECT_NE(error("stiffness = 1\npulls_only = true\npushes_only = true").find("give only one"), std::string::npos);
  EXPECT_NE(error("stiffness = 1\npulls_only = 1").find("must be true or false"), std::string::npos);
}

TEST(ModelFile, TheLawOfASpringMayBeAFormulaOfItsStretch) {
  const auto law = [](const std::string& formula) {
    return *read(goodModelWith("stiffness = 100", "law = { formula = \"" + formula + "\" }")).model.forces[0].law;
  };
  EXPECT_EQ(law("100*x").stiffness(), 100.0);
  EXPECT_TRUE(law("100*x").isLinear());
  EXPECT_EQ(law("7*sin(x) + step(x)").tension(0.25), 7 * std::sin(0.25) + 1);
  EXPECT_NEAR(law("7*sin(x) + step(x)").potential(0.25), 7 * (1 - std::cos(0.25)) + 0.25, 1e-15);
}

TEST(ModelFile, HasEverythingTheTextSays) {
  const ModelFile file = read(goodModel());
  EXPECT_EQ(file.model.name, "Heavy top");
  EXPECT_EQ(file.model.gravity, Vector3(0, 0, -9.81));

  ASSERT_EQ(file.model.bodies.size(), 1u);
  const Body& top = file.model.bodies[0];
  EXPECT_EQ(top.name, "top");
  EXPECT_EQ(top.mass, 2.0);
  EXPECT_EQ(top.inertia, Matrix3(Vector3(0.1, 0.2, 0.25).asDiagonal()));
  EXPECT_EQ(top.position, Vector3(0, 0, 0.5));
  EXPECT_EQ(top.orientation, Quaternion(1, 0, 0, 0));
  EXPECT_EQ(top.angularVelocity, Vector3(1, 0, 20));
  EXPECT_EQ(top.velocity, Vector3(0, -0.5, 0));
  ASSERT_TRUE(top.shape.has_value());
  EXPECT_EQ(typeOf(*top.shape)->name, "cone");

  ASSERT_EQ(file.model.joints.size(), 1u);
  EXPECT_EQ(file.model.joints[0].name, "tip");
  EXPECT_EQ(file.model.joints[0].type, "spherical");
  EXPECT_EQ(file.model.joints[0].first, "ground");
  EXPECT_EQ(file.model.joints[0].second, "top");

  ASSERT_EQ(file.model.forces.size(), 1u);
  const Force& cord = file.model.forces[0];
  EXPECT_EQ(cord.first, "top");
  EXPECT_EQ(cord.second, "ground");
  EXPECT_EQ(cord.firstPoint, Vector3(0, 0, 0.6));
  EXPECT_EQ(cord.secondPoint, Vector3(0, 0, 2));
  EXPECT_EQ(cord.law->stiffness(), 100.0);
  EXPECT_EQ(cord.rest, 0.2);

  const SimulationSettings& simulation = file.simulation;
  EXPECT_EQ(simulation.coordinates, "quaternion");
  EXPECT_EQ(simulation.formulation, "null-space");
  EXPECT_EQ(simulation.integrator, "dop853");
  EXPECT_EQ(simulation.projection, "none");
  EXPECT_EQ(simulation.step, 0.01);
  EXPECT_EQ(simulation.tolerance, 1e-9);
  EXPECT_EQ(simulation.end, 2.0);
  EXPECT_EQ(simulation.outputEvery, 0.05);
  EXPECT_EQ(simulation.stopWhen, "top.position.z=0");
  EXPECT_EQ(file.places.at("integrator"), "top.toml:34:14");
}

TEST(ModelFile, HasDefaultsForWhatIsNotThere) {
  const ModelFile file = readBody("mass = 1\ninertia = [1, 1, 1]");
  const SimulationSettings defaults;
  EXPECT_EQ(file.model.name, "top");
  EXPECT_EQ(file.model.gravity, Vector3(0, 0, 0));
  EXPECT_EQ(file.model.bodies[0].orientation, Quaternion(1, 0, 0, 0));
  EXPECT_EQ(file.model.bodies[0].velocity, Vector3(0, 0, 0));
  EXPECT_EQ(file.simulation.integrator, defaults.integrator);
  EXPECT_EQ(file.simulation.end, defaults.end);
  EXPECT_FALSE(file.simulation.step.has_value());
  EXPECT_TRUE(file.places.empty());
}

TEST(ModelFile, TakesEveryWayToGiveAnOrientation) {
  const Matrix3 expected = Eigen::AngleAxisd(std::numbers::pi / 3, Vector3::UnitX()).toRotationMatrix();
  for (const char* orientation : {
           "{ axis = [1, 0, 0], degrees = 60 }",
           "{ axis = [-2e-200, 0, 0], degrees = -60 }",
           "{ axis = [3, 0, 0], radians = 1.0471975511965977 }",
           "{ quaternion = [0.86602540378443865, 0.5, 0, 0] }",
           "{ quaternion = [-0.8660254, -0.5, 0, 0] }",
           "{ euler313 = [0, 1.0471975511965977, 0] }",
           "{ cardan = [1.0471975511965977, 0, 0] }",
           "{ matrix = [[1, 0, 0], [0, 0.5, -0.86602540378443865], [0, 0.86602540378443865, 0.5]] }",
           "{ matrix = [[1, 0, 0], [0, 0.5, -0.8660254], [0, 0.8660254, 0.5]] }",
       }) {
    // those with seven digits are off by 4e-8
    const bool isRounded = std::string(orientation).find("0.8660254,") != std::string::npos ||
                           std::string(orientation).find("0.8660254]") != std::string::npos;
    EXPECT_LT((rotationOf(orientation) - expected).norm(), isRounded ? 1e-7 : 1e-15) << orientation;
  }
}

TEST(ModelFile, AgreesWithTheAnglesOfTheMathLayer) {
  const Vector3 angles(0.3, -1.1, 2.2);
  const std::string text = " = [0.3, -1.1, 2.2] }";
  EXPECT_LT((rotationOf("{ euler313" + text) - Euler313::rotation(angles)).norm(), 1e-15);
  EXPECT_LT((rotationOf("{ cardan" + text) - Cardan::rotation(angles)).norm(), 1e-15);
}

TEST(ModelFile, TurnsAngularVelocityFromSpaceIntoTheBody) {
  const ModelFile file = readBody(
      "mass = 1\ninertia = [1, 1, 1]\norientation = { axis = [0, 0, 1], degrees = 90 }\n"
      "angular_velocity = { space = [1, 2, 3] }");
  EXPECT_LT((file.model.bodies[0].angularVelocity - Vector3(2, -1, 3)).norm(), 1e-15);
}

TEST(ModelFile, TakesMassAndInertiaFromAShape) {
  const Body byDensity = readBody("shape = { box = { size = [1, 2, 3] } }\ndensity = 2").model.bodies[0];
  EXPECT_DOUBLE_EQ(byDensity.mass, 12.0);
  EXPECT_DOUBLE_EQ(byDensity.inertia(0, 0), 13.0);
  const Body byMass = readBody("shape = { box = { size = [1, 2, 3] } }\nmass = 6").model.bodies[0];
  EXPECT_DOUBLE_EQ(byMass.mass, 6.0);
  EXPECT_DOUBLE_EQ(byMass.inertia(0, 0), 6.5);
}

TEST(ModelFile, TakesEveryShape) {
  for (const char* shape : {"sphere = { radius = 1 }", "box = { size = [1, 2, 3] }",
                            "cylinder = { radius = 1, height = 2 }", "cone = { radius = 1, height = 2 }",
                            "capsule = { radius = 1, length = 2 }", "ellipsoid = { semi_axes = [1, 2, 3] }"}) {
    const Body body = readBody("density = 1\nshape = { " + std::string(shape) + " }").model.bodies[0];
    EXPECT_TRUE(std::string(shape).starts_with(typeOf(*body.shape)->name));
  }
}

TEST(ModelFile, TakesFullTensorsAndPointMasses) {
  const std::string tensor = "mass = 1\ninertia = [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 2]]";
  EXPECT_EQ(readBody(tensor).model.bodies[0].inertia(0, 1), 0.1);
  EXPECT_EQ(readBody("mass = 1\ninertia = [0, 0, 0]").model.bodies[0].inertia, Matrix3(Matrix3::Zero()));
  const std::string rounded = "mass = 1\ninertia = [[2, 0.1000001, 0], [0.1, 2, 0], [0, 0, 2]]";
  const Matrix3 inertia = readBody(rounded).model.bodies[0].inertia;
  EXPECT_EQ(inertia(0, 1), inertia(1, 0));
}

TEST(ModelFile, FillsInTheVelocityOfABodyOnAJoint) {
  const Body top = read(goodModelWith("velocity = [0.0, -0.5, 0.0]\n", "")).model.bodies[0];
  EXPECT_LT((top.velocity - Vector3(0, -0.5, 0)).norm(), 1e-15);
}

TEST(ModelFile, RemovesARoundingOfTheVelocity) {
  const Body top =
      read(goodModelWith("velocity = [0.0, -0.5, 0.0]", "velocity = [0.0, -0.5000001, 0.0]")).model.bodies[0];
  EXPECT_LT((top.velocity - Vector3(0, -0.5, 0)).norm(), 1e-15);
}

TEST(ModelFile, AssemblesWhenAsked) {
  const std::string wrong = goodModelWith("velocity = [0.0, -0.5, 0.0]", "velocity = [7, 7, 7]");
  EXPECT_NE(errorOf(wrong).find("joint 'tip' is violated"), std::string::npos);
  for (const char* key : {"model.assemble=true", "simulation.assemble=true"}) {
    const ModelFile file = readModelText(wrong, "top.toml", {key});
    // a correction of 13 m/s, rounded
    EXPECT_LT((file.model.bodies[0].velocity - Vector3(0, -0.5, 0)).norm(), 1e-14) << key;
  }
}

TEST(ModelFile, HasJointsOfEveryType) {
  const std::string bodies =
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n"
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [2, 0, 0]\n"
      "orientation = { axis = [0, 0, 1], degrees = 90 }\n";
  const auto joint = [&](const std::string& type, const std::string& lines) {
    return read(bodies + "[[joint]]\nname = \"j\"\nbodies = [\"a\", \"b\"]\ntype = \"" + type + "\"\n" + lines)
        .model.joints[0];
  };
  for (const char* type : {"spherical", "fixed"})
    EXPECT_EQ(joint(type, "point = [1, 2, 3]").point, Vector3(1, 2, 3)) << type;
  for (const char* type : {"revolute", "prismatic", "cylindrical", "planar"})
    EXPECT_EQ(joint(type, "point = [1, 2, 3]\naxis = [0, 2, 0]").axis, Vector3(0, 2, 0)) << type;
  EXPECT_EQ(joint("universal", "point = [1, 2, 3]\naxes = [[1, 0, 0], [0, 1, 0]]").secondAxis, Vector3(0, 1, 0));

  const Joint rod = joint("distance", "points = [[0, 0, 0], [0, 3, 4]]\nlength = 5");
  EXPECT_EQ(rod.secondPoint, Vector3(0, 3, 4));
  EXPECT_EQ(rod.length->value(0.0), 5.0);

  // in the bodies' own frames
  const Joint pin =
      joint("revolute", "points = { body = [[0.5, 0, 0], [0, 0.5, 0]] }\naxes = { body = [[1, 0, 0], [0, -1, 0]] }");
  EXPECT_EQ(pin.point, Vector3(1.5, 0, 0));
  EXPECT_LT((pin.pointOfSecond() - pin.point).norm(), 1e-15);
  EXPECT_EQ(pin.axis, Vector3(1, 0, 0));
}

TEST(ModelFile, LetsAFreeBodyMoveAsItLikes) {
  EXPECT_EQ(readBody("mass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 2, 3]").model.bodies[0].velocity, Vector3(1, 2, 3));
}

TEST(ModelFile, PointsAtLineAndColumn) {
  EXPECT_EQ(errorOf(goodModelWith("mass = 2.0", "mass = \"heavy\"")),
            "top.toml:9:8: body 'top': mass must be a number, not the string 'heavy'");
  EXPECT_EQ(errorOf(goodModelWith("gravity", "gravty")),
            "top.toml:4:1: [model] has an unknown key 'gravty'; did you mean 'gravity'?");
}

TEST(ModelFile, IsReadFromTheDisk) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("polhode_{}.toml", ::getpid());
  std::ofstream(path) << "\xEF\xBB\xBF" << goodModel();  // with the mark that some editors put in front
  EXPECT_EQ(readModelFile(path.string()).model.name, "Heavy top");
  std::filesystem::remove(path);
}

TEST(ModelFile, ThatCannotBeReadIsNamed) {
  const auto refused = [](const std::string& path, const std::string& part) {
    try {
      readModelFile(path);
      ADD_FAILURE() << path;
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(path + ":")) << text;
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  };
  refused("/nowhere/top.toml", "No such file");
  refused(std::filesystem::temp_directory_path().string(), "directory");
  refused("/dev/zero", "larger than 64 MB");

  const auto path = std::filesystem::temp_directory_path() / fmt::format("polhode_secret_{}.toml", ::getpid());
  std::ofstream(path) << goodModel();
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (::geteuid() != 0) refused(path.string(), "Permission denied");
  std::filesystem::remove(path);
}

TEST(ModelFile, SaysHowManyThreadsShareAStep) {
  EXPECT_EQ(read(goodModel()).simulation.threads, 1);
  const auto with = [](const std::string& threads) {
    return goodModelWith("end = 2.0", "end = 2.0\nthreads = " + threads);
  };
  EXPECT_EQ(read(with("3")).simulation.threads, 3);
  for (const char* wrong : {"0", "-2", "1.5"})
    EXPECT_NE(errorOf(with(wrong)).find("threads must be a whole number from 1"), std::string::npos) << wrong;
}

TEST(ModelFile, ASpringMayBeginRelaxed) {
  const std::string spring = "length = 0.2";
  const Model model = readModelText(goodModelWith(spring, "length = \"initial\""), "good.toml").model;
  EXPECT_NEAR(model.forces[0].rest, 1.4, 1e-15);  // from [0, 0, 0.6] to [0, 0, 2]
  try {
    readModelText(goodModelWith(spring, "length = \"first\""), "good.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("must be a number or \"initial\", not 'first'"), std::string::npos);
  }
}

TEST(ModelFile, ASpringThatBeginsRelaxedIsMeasuredWhenTheJointsAreClosed) {
  // the top's ball joint is a centimetre off; assembled, the top and the spring's end move down with it
  std::string text = goodModelWith("length = 0.2", "length = \"initial\"");
  text.replace(text.find("assemble = false"), 16, "assemble = true");
  text.replace(text.find("point = [0, 0, 0]"), 17, "points = [[0, 0, -0.01], [0, 0, 0]]");
  EXPECT_NEAR(readModelText(text, "open.toml").model.forces[0].rest, 1.41, 1e-12);
}

}  // namespace polhode::model_file_test
