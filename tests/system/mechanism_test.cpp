#include "system/mechanism.h"

#include "math/euler_map.h"
#include "math/rotation_maps.h"
#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::mechanism_test {
namespace {

Model turnedBody() {
  Model model;
  Body body;
  body.name = "body";
  body.inertia << 3, 0.2, 0.1, 0.2, 2, 0.3, 0.1, 0.3, 4;
  body.position = {1, 2, 3};
  body.orientation = expS3(Vector3(0.3, -0.5, 0.8));
  body.velocity = {0.1, 0.2, 0.3};
  body.angularVelocity = {1, -2, 0.5};
  model.bodies = {body};
  return model;
}

}  // namespace

TEST(Mechanism, HasBodiesInPrincipalAxes) {
  const Model model = turnedBody();
  const Mechanism mechanism(model);
  const MechanismBody& body = mechanism.bodies()[0];
  const Matrix3 back = body.axes * body.inertia.asDiagonal() * body.axes.transpose();
  EXPECT_LT((back - model.bodies[0].inertia).norm(), 1e-14);
  EXPECT_NEAR(body.secondMoments.sum(), 0.5 * body.inertia.sum(), 1e-15);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(body.secondMoments[(i + 1) % 3] + body.secondMoments[(i + 2) % 3], body.inertia[i], 1e-14);
}

TEST(Mechanism, GivesTheModelsBodyBack) {
  const Model model = turnedBody();
  const Mechanism mechanism(model);
  const MechanismBody& of = mechanism.bodies()[0];
  const Body back = mechanism.bodyAt(0, of.placement, of.velocity, of.angularVelocity);
  const Body& body = model.bodies[0];
  EXPECT_LT((rotationMatrix(back.orientation) - rotationMatrix(body.orientation)).norm(), 2e-15);
  EXPECT_LT((back.angularVelocity - body.angularVelocity).norm(), 2e-15);
  EXPECT_EQ(back.position, body.position);
  EXPECT_EQ(back.velocity, body.velocity);
}

TEST(Mechanism, NamesWhatItDoesNotKnow) {
  const auto refused = [](const Model& model, const std::string& part) {
    try {
      const Mechanism mechanism(model);
      ADD_FAILURE() << part;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  Model model = turnedBody();
  model.joints = {{"hip", "revolute", "ground", "leg", Vector3::Zero()}};
  refused(model, "joint 'hip' connects an unknown body 'leg'");
  model.joints[0].second = "body";
  model.joints[0].type = "hinge";
  refused(model, "joint 'hip' has an unknown type 'hinge'");
  model.joints.clear();
  model.forces = {Force{"pull", "magnet"}};
  refused(model, "force 'pull' has an unknown type 'magnet'");
  model.forces = {Force{"coil", "joint-spring"}};
  model.forces[0].joint = "hip";
  refused(model, "force 'coil' acts on an unknown joint 'hip'");
}

}  // namespace polhode::mechanism_test
