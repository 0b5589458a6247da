// Compiled without fused products and sums, as the library's own Gauss collocation is (cmake/lanes.cmake).
#include "integrate/gauss.h"
#include "system/free_rotation.h"
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

BodyMotion start() {
  BodyMotion motion;
  motion.orientation = Quaternion(0.5, 0.1, -0.7, 0.5).normalized();
  motion.angularVelocity = Vector3(2.0, -1.0, 4.0);
  motion.velocity = Vector3(0.1, 0.2, 0.3);
  return motion;
}

template <int W, class Equations>
typename Equations::State endWith(const Equations& equations, const typename Equations::State& y0, int stages,
                                  double fixedStep) {
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = 1e-9;
  options.fixedStep = fixedStep;
  Gauss<Equations, 8, W> gauss(equations, 0.0, y0, 2.0, options, stages);
  while (gauss.time() < 2.0) gauss.step();
  return gauss.state();
}

template <class Equations>
void expectSameBits(const Equations& equations, const typename Equations::State& y0) {
  for (const int stages : {2, 3, 5, 8})
    for (const double fixedStep : {0.0, 0.02}) {
      const auto alone = endWith<1>(equations, y0, stages, fixedStep);
      EXPECT_TRUE(alone.allFinite());
      EXPECT_EQ(alone, endWith<2>(equations, y0, stages, fixedStep)) << stages << " stages";
      EXPECT_EQ(alone, endWith<4>(equations, y0, stages, fixedStep)) << stages << " stages";
      EXPECT_EQ(alone, endWith<8>(equations, y0, stages, fixedStep)) << stages << " stages";
    }
}

TEST(GaussLanes, GiveTheSameBitsForEveryWidth) {
  const auto spring = std::make_shared<AnchorSpring>(Vector3(0.0, 0.0, 1.0), Vector3(0.2, 0.0, 0.1), 30.0, 0.4);
  for (const Body& body : {flyingBody(nullptr), flyingBody(spring)}) expectSameBits(body, body.fromMotion(start()));
  FreeRotation rotation(Vector3(2.0, 1.5, 1.0));
  const FreeRotation::State y0 = rotation.begin(start());
  expectSameBits(rotation, y0);
}

}  // namespace
}  // namespace polhode::gauss_lanes_test
