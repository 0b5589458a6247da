#include "math/euler_map.h"
#include "polhode/io/model_file.h"
#include "system/joint_opening.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

namespace polhode::examples_test {
namespace {

ModelFile example(const std::string& name) {
  return readModelFile(std::string(POLHODE_EXAMPLES) + "/" + name + ".toml");
}

/// Kinetic energy and the energy of the weight, of one body.
double energy(const Model& model) {
  const Body& body = model.bodies[0];
  return 0.5 * body.mass * body.velocity.squaredNorm() +
         0.5 * body.angularVelocity.dot(body.inertia * body.angularVelocity) -
         body.mass * model.gravity.dot(body.position);
}

}  // namespace

TEST(Examples, AreAllReadAndSayWhereTheyComeFrom) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(POLHODE_EXAMPLES)) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path());
    EXPECT_NO_THROW(readModelFile(entry.path().string()));
    std::ifstream file(entry.path());
    EXPECT_EQ(file.get(), '#') << "an example begins with a comment";
    ++count;
  }
  EXPECT_GE(count, 7);
}

// The energies of the reference solutions, which were computed from the papers' data in 113-bit arithmetic.
TEST(Examples, HaveTheEnergyOfTheReferenceSolutions) {
  const std::map<std::string, double> energies = {{"lang-a", 2054.39645},
                                                  {"free-body", 2500.0},
                                                  {"heavy-top", 5.669055190632943},
                                                  {"heavy-top-nutating", 0.9227152147904497},
                                                  {"bruls-top", 5435.69679086554687}};
  for (const auto& [name, expected] : energies) EXPECT_NEAR(energy(example(name).model) / expected, 1.0, 1e-14) << name;
}

TEST(Examples, LangAHasTheQuaternionOfThePaper) {
  const Quaternion expected(std::sqrt(3.0) / 2.0, 0.5, 0.0, 0.0);
  EXPECT_LT((example("lang-a").model.bodies[0].orientation - expected).norm(), 1e-15);
}

TEST(Examples, LangBHasTheQuaternionOfThePaper) {
  // Lang 2010: p in terms of Euler angles 3-1-3 (pi/3, pi/4, pi/2)
  const double t1 = std::numbers::pi / 3, t2 = std::numbers::pi / 4, t3 = std::numbers::pi / 2;
  const Quaternion expected(std::cos(t2 / 2) * std::cos((t1 + t3) / 2), std::sin(t2 / 2) * std::cos((t1 - t3) / 2),
                            std::sin(t2 / 2) * std::sin((t1 - t3) / 2), std::cos(t2 / 2) * std::sin((t1 + t3) / 2));
  EXPECT_LT((example("lang-b").model.bodies[0].orientation - expected).norm(), 1e-15);
}

TEST(Examples, TopsStandOnTheirTips) {
  for (const char* name : {"lang-a", "heavy-top", "heavy-top-nutating", "bruls-top", "spring-top"}) {
    const Model model = example(name).model;
    ASSERT_EQ(model.joints.size(), 1u) << name;
    const Mechanism mechanism(model);
    EXPECT_LT(jointOpenings(mechanism, initialMotion(mechanism))[0].relativeVelocity, 1e-15) << name;
  }
  // the apex of a cone is 3/4 of its height below its centre of mass
  for (const char* name : {"heavy-top", "heavy-top-nutating", "spring-top"}) {
    const Body body = example(name).model.bodies[0];
    const Vector3 apex = body.position + rotationMatrix(body.orientation) * Vector3(0, 0, -0.075);
    EXPECT_LT(apex.norm(), 1e-16) << name;
  }
}

}  // namespace polhode::examples_test
