// Compiled without fused products and sums, as the library's own Gauss collocation is (cmake/lanes.cmake).
#include "integrate/gauss.h"
#include "system/null_space_body.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::gauss_lanes_test {
namespace {

using Body = NullSpaceBody<DirectorCoordinates, true>;

/// A body that flies, with its centre beside its reference point, and with a spring if there is one.
Body flyingBody(std::shared_ptr<const BodyForces> spring) {
  RigidBodyData data;
  data.mass = 1.3;
  data.inertia = Vector3(2.0, 1.5, 1.0);
  data.centre = Vector3(0.3, -0.2, 0.5);
  data.translates = true;
  return Body(data, UniformGravity(data, Vector3(1.0, -2.0, -9.0)), std::move(spring));
}

template <int W>
Body::State endWith(const Body& body, int stages, double fixedStep) {
  BodyMotion motion;
  motion.orientation = Quaternion(0.5, 0.1, -0.7, 0.5).normalized();
  motion.angularVelocity = Vector3(2.0, -1.0, 4.0);
  motion.velocity = Vector3(0.1, 0.2, 0.3);
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = 1e-9;
  options.fixedStep = fixedStep;
  Gauss<Body, 8, W> gauss(body, 0.0, body.fromMotion(motion), 2.0, options, stages);
  while (gauss.time() < 2.0) gauss.step();
  return gauss.state();
}

void expectSameBits(const Body& body) {
  for (const int stages : {2, 3, 5, 8})
    for (const double fixedStep : {0.0, 0.02}) {
      const Body::State alone = endWith<1>(body, stages, fixedStep);
      EXPECT_TRUE(alone.allFinite());
      EXPECT_EQ(alone, endWith<2>(body, stages, fixedStep)) << stages << " stages";
      EXPECT_EQ(alone, endWith<4>(body, stages, fixedStep)) << stages << " stages";
      EXPECT_EQ(alone, endWith<8>(body, stages, fixedStep)) << stages << " stages";
    }
}

TEST(GaussLanes, GiveTheSameBitsForEveryWidth) {
  expectSameBits(flyingBody(nullptr));
  expectSameBits(flyingBody(std::make_shared<AnchorSpring>(Vector3(0.0, 0.0, 1.0), Vector3(0.2, 0.0, 0.1), 30.0, 0.4)));
}

}  // namespace
}  // namespace polhode::gauss_lanes_test
