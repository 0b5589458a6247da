#include "analysis/model_warnings.h"

#include <gtest/gtest.h>

namespace polhode::model_warnings_test {
namespace {

Model goodModel() {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body body;
  body.name = "arm";
  body.mass = 2.0;
  body.inertia = Vector3(0.1, 0.1, 0.01).asDiagonal();
  body.shape = Shape{"box", {0.1, 0.1, 0.7}};
  model.bodies = {body};
  model.joints = {{"hip", "spherical", "ground", "arm", Vector3(0, 0, 0.35)}};
  Force spring{"coil", "spring", "ground", "arm"};
  spring.firstPoint = {0, 1, 0};
  spring.law = ForceLaw::polynomial({200.0});  // a period of 0.63 s
  model.forces = {spring};
  return model;
}

SimulationSettings withStep(double step) {
  SimulationSettings settings;
  settings.step = step;
  return settings;
}

/// The only warning of a model.
std::string warningOf(const Model& model, const SimulationSettings& settings = withStep(0.01)) {
  const auto warnings = modelWarnings(model, settings);
  EXPECT_EQ(warnings.size(), 1u);
  return warnings.empty() ? "" : warnings.front();
}

}  // namespace

TEST(ModelWarnings, AreSilentAboutAGoodModel) {
  EXPECT_TRUE(modelWarnings(goodModel(), withStep(0.01)).empty());
}

TEST(ModelWarnings, NoticeMillimetres) {
  Model model = goodModel();
  model.gravity[2] = -9810;
  EXPECT_NE(warningOf(model).find("gravity is 9810"), std::string::npos);

  model = goodModel();
  model.bodies[0].inertia *= 1e6;  // kg mm^2
  EXPECT_NE(warningOf(model).find("body 'arm' has an inertia as of mass 229 m away"), std::string::npos)
      << warningOf(model);

  model = goodModel();
  model.bodies[0].shape = Shape{"sphere", {1e-4}};
  EXPECT_NE(warningOf(model).find("density"), std::string::npos);
}

TEST(ModelWarnings, NoticeASpringThatTheStepDoesNotResolve) {
  EXPECT_NE(warningOf(goodModel(), withStep(0.5)).find("force 'coil' makes its bodies swing"), std::string::npos);
  EXPECT_TRUE(modelWarnings(goodModel(), SimulationSettings{}).empty());
}

}  // namespace polhode::model_warnings_test
