#include "system/index_formulation.h"

#include "support/lang_examples.h"
#include "system/director_body.h"
#include "system/quaternion_body.h"

#include <gtest/gtest.h>

namespace polhode::test::index_formulation_test {
namespace {

constexpr ConstraintLevel allLevels[] = {ConstraintLevel::position, ConstraintLevel::velocity,
                                         ConstraintLevel::acceleration, ConstraintLevel::stabilised};

template <class Body>
class IndexFormulationTest : public testing::Test {
 protected:
  void SetUp() override { srand(1); }
  LangExample example_ = langA();
  std::shared_ptr<Body> body_ = std::make_shared<Body>(example_.body, example_.forces);
};

using Bodies = testing::Types<QuaternionBody, DirectorBody>;
TYPED_TEST_SUITE(IndexFormulationTest, Bodies);

// A consistent state satisfies the constraints on every level, so that its completion solves all forms.
TYPED_TEST(IndexFormulationTest, CompletedStatesSolveTheEquations) {
  for (const ConstraintLevel level : allLevels) {
    const IndexFormulation dae(this->body_, level);
    for (int trial = 0; trial < 50; ++trial) {
      const VectorX q = this->body_->position(Vector3::Zero(), Quaternion::Random().normalized());
      const VectorX v = this->body_->velocity(q, Vector3::Zero(), 20.0 * Vector3::Random());
      VectorX y = dae.initialValue(0.0, q, v), ydot(dae.size()), r(dae.size());
      dae.complete(0.0, y, ydot);
      dae.residual(0.0, y, ydot, r);
      EXPECT_LT(r.lpNorm<Eigen::Infinity>(), 1e-10) << formulationName(level);  // forces are up to 1e5
    }
  }
}

// Moving the position off the constraints by a stretch shows in the last rows of the forms that contain g,
// and only there.
TYPED_TEST(IndexFormulationTest, EachFormWatchesItsLevelOfTheConstraints) {
  const VectorX q = this->body_->position(Vector3::Zero(), this->example_.orientation);
  const VectorX v = VectorX::Zero(q.size());
  for (const ConstraintLevel level : allLevels) {
    const IndexFormulation dae(this->body_, level);
    VectorX y = dae.initialValue(0.0, 1.01 * q, v), r(dae.size());
    dae.residual(0.0, y, VectorX::Zero(dae.size()), r);
    const double violation = r.tail(this->body_->constraints()).template lpNorm<Eigen::Infinity>();
    const bool containsPosition = level == ConstraintLevel::position || level == ConstraintLevel::stabilised;
    EXPECT_NEAR(violation, containsPosition ? 0.5 * (1.01 * 1.01 - 1.0) : 0.0, 1e-15) << formulationName(level);
  }
}

TYPED_TEST(IndexFormulationTest, StatesItsShape) {
  const int n = this->body_->coordinates(), m = this->body_->constraints();
  const int expectedIndex[] = {3, 2, 1, 2};
  for (int k = 0; k < 4; ++k) {
    const IndexFormulation dae(this->body_, allLevels[k]);
    EXPECT_EQ(dae.index(), expectedIndex[k]);
    EXPECT_EQ(dae.size(), 2 * n + (allLevels[k] == ConstraintLevel::stabilised ? 2 * m : m));
    const std::vector<bool> differential = dae.differential();
    EXPECT_EQ(std::count(differential.begin(), differential.end(), true), 2 * n);
    EXPECT_EQ(int(dae.componentIndex().size()), dae.size());
  }
}

// Lang (40): lambda = <p, psi> on the unit sphere.
TEST(IndexFormulation, MultiplierOfAQuaternionIsTheRadialForce) {
  const LangExample example = langA();
  const auto body = std::make_shared<QuaternionBody>(example.body, example.forces);
  const VectorX q = body->position(Vector3::Zero(), example.orientation);
  const VectorX v = body->velocity(q, Vector3::Zero(), Vector3(1.0, 2.0, 3.0));
  VectorX psi(4);
  body->forces(0.0, q, v, psi);
  const VectorX y = IndexFormulation(body, ConstraintLevel::position).initialValue(0.0, q, v);
  EXPECT_NEAR(y[8], q.dot(psi), 1e-13 * psi.norm());
}

}  // namespace
}  // namespace polhode::test::index_formulation_test
