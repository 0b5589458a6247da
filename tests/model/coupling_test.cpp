#include "polhode/model/coupling.h"

#include "model/validation.h"
#include "polhode/error.h"
#include "polhode/model/conservation.h"
#include "polhode/model/model.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::coupling_test {
namespace {

TEST(Coupling, RatiosAreFractionsOfTeeth) {
  const auto expect = [](double ratio, int first, int second) {
    const Teeth teeth = teethOf(ratio);
    EXPECT_EQ(teeth.first, first) << ratio;
    EXPECT_EQ(teeth.second, second) << ratio;
  };
  expect(3.0, 3, 1);
  expect(-1.0 / 3.0, -1, 3);
  expect(-211.0 / 73.0, -211, 73);
  expect(0.0012, 0, 0);  // 3 : 2500
  expect(3.14159265358979, 0, 0);
  expect(0.0, 0, 0);
}

Model twoWheels() {
  Model model;
  for (const char* name : {"a", "b"}) {
    Body body;
    body.name = name;
    model.bodies.push_back(body);
    Joint joint;
    joint.name = std::string("axle of ") + name;
    joint.type = "revolute";
    joint.first = "ground";
    joint.second = name;
    model.joints.push_back(joint);
  }
  model.couplings.push_back({"mesh", "gear", {"axle of a", "axle of b"}, -2.0});
  return model;
}

/// What stands against a model, or nothing.
std::string complaint(const Model& model) {
  try {
    validate(model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Coupling, BadOnesAreNamed) {
  EXPECT_EQ(complaint(twoWheels()), "");
  const auto expect = [](const auto& spoil, const std::string& words) {
    Model model = twoWheels();
    spoil(model);
    const std::string found = complaint(model);
    EXPECT_NE(found.find("coupling '"), std::string::npos) << found;
    EXPECT_NE(found.find(words), std::string::npos) << found;
  };
  expect([](Model& m) { m.couplings[0].ratio = 0.0; }, "not zero");
  expect([](Model& m) { m.couplings[0].ratio = std::acos(-1.0); }, "no fraction of whole numbers");
  expect([](Model& m) { m.couplings[0].type = "gaer"; }, "'gear'");
  expect([](Model& m) { m.couplings[0].joints[1] = "axle of c"; }, "unknown joint 'axle of c'");
  expect([](Model& m) { m.couplings[0].joints[1] = "axle of a"; }, "to itself");
  expect([](Model& m) { m.couplings[0].joints.pop_back(); }, "couples two");
  expect([](Model& m) { m.joints[1].type = "spherical"; }, "a spherical joint has none");
  expect([](Model& m) { m.couplings[0].type = "rack"; }, "the displacement of joint 'axle of b'");
  expect([](Model& m) { m.couplings[0].name = "axle of a"; }, "name of an earlier one");
}

/// Wheels on the ground are held by its teeth, wheels of a body that flies are not.
TEST(Coupling, TakesMomentaOfTheGround) {
  Model model = twoWheels();
  EXPECT_TRUE(conservationOf(model).all.empty());
  EXPECT_TRUE(conservationOf(model).energy);
  model.couplings.clear();
  EXPECT_EQ(conservationOf(model).all.size(), 1u);  // about the common axis
  model = twoWheels();
  Body carrier;
  carrier.name = "carrier";
  model.bodies.push_back(carrier);
  for (Joint& joint : model.joints) joint.first = "carrier";
  EXPECT_EQ(conservationOf(model).all.size(), 6u);
}

}  // namespace
}  // namespace polhode::coupling_test
