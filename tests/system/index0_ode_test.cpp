#include "system/index0_ode.h"

#include "math/quaternion.h"
#include "polhode/error.h"
#include "support/lang_examples.h"
#include "system/director_body.h"
#include "system/quaternion_body.h"

#include <gtest/gtest.h>

namespace polhode::test::index0_ode_test {
namespace {

/// A rigid body with every constraint stated twice.
template <class Body>
class Redundant : public Body {
 public:
  using Body::Body;
  int constraints() const override { return 2 * Body::constraints(); }
  void constraint(const VectorX& q, VectorX& g) const override {
    VectorX once(Body::constraints());
    Body::constraint(q, once);
    g << once, once;
  }
  void constraintJacobian(const VectorX& q, MatrixX& G) const override {
    MatrixX once(Body::constraints(), this->coordinates());
    Body::constraintJacobian(q, once);
    G << once, once;
  }
  void constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const override {
    VectorX once(Body::constraints());
    Body::constraintAcceleration(q, v, once);
    gII << once, once;
  }
};

template <class Body>
class Index0OdeTest : public testing::Test {
 protected:
  void SetUp() override { srand(1); }

  VectorX randomState() const {
    const VectorX q = body_->position(Vector3::Zero(), Quaternion::Random().normalized());
    return ode_.initialValue(q, body_->velocity(q, Vector3::Zero(), 20.0 * Vector3::Random()));
  }

  LangExample example_ = langA();
  std::shared_ptr<Body> body_ = std::make_shared<Body>(example_.body, example_.forces);
  Index0Ode ode_{body_};
};

using Bodies = testing::Types<QuaternionBody, DirectorBody>;
TYPED_TEST_SUITE(Index0OdeTest, Bodies);

// Euler's equations J Omega' = mu - Omega x J Omega with the weight's torque mu = mgL (d2_z, -d1_z, 0). Omega
// is bilinear in (q, v), so that Omega' = Omega(q, v') + Omega(v, v) exactly, and the last term vanishes by
// antisymmetry.
TYPED_TEST(Index0OdeTest, MotionObeysEulersEquations) {
  const int n = this->body_->coordinates();
  const Vector3 J = this->example_.body.inertia;
  for (int trial = 0; trial < 100; ++trial) {
    const VectorX y = this->randomState();
    VectorX dydt(2 * n);
    this->ode_.derivative(0.0, y, dydt);
    const VectorX q = y.head(n), v = y.tail(n), acceleration = dydt.tail(n);
    const Matrix3 R = this->body_->directors(q);
    const Vector3 Omega = this->body_->angularVelocity(q, v);
    const Vector3 torque = 9.81 * 11.09 * Vector3(R(2, 1), -R(2, 0), 0.0);
    const Vector3 angularMomentum = J.cwiseProduct(Omega);
    const Vector3 expected = (torque - Omega.cross(angularMomentum)).cwiseQuotient(J);
    EXPECT_LT((this->body_->angularVelocity(q, acceleration) - expected).norm(), 1e-11);  // of about 1e3
    EXPECT_EQ(dydt.head(n), v);
  }
}

// (62) leaves the state on both constraints, and does nothing the second time.
TYPED_TEST(Index0OdeTest, ProjectionReachesTheConstraintsAndStaysThere) {
  const int n = this->body_->coordinates(), m = this->body_->constraints();
  for (int trial = 0; trial < 100; ++trial) {
    VectorX y = this->randomState() + 0.02 * VectorX::Random(2 * n);
    ASSERT_TRUE(this->ode_.project(0.0, y));
    VectorX g(m);
    MatrixX G(m, n);
    this->body_->constraint(y.head(n), g);
    this->body_->constraintJacobian(y.head(n), G);
    EXPECT_LT(g.norm(), 1e-14);
    EXPECT_LT((G * y.tail(n)).norm(), 1e-13);  // velocities are about 20
    const VectorX once = y;
    this->ode_.project(0.0, y);
    EXPECT_LT((y - once).norm(), 1e-13);
  }
}

// (P): the displacement has no component along the manifold in the metric of the mass, T^T M(q) (q - q*) = 0
// for every tangent T. Columns of T: velocities of rotations about the three axes.
TYPED_TEST(Index0OdeTest, ProjectionIsOrthogonalInTheMetricOfTheMass) {
  const int n = this->body_->coordinates();
  for (int trial = 0; trial < 100; ++trial) {
    const VectorX drifted = this->randomState() + 0.02 * VectorX::Random(2 * n);
    VectorX y = drifted;
    this->ode_.project(0.0, y);
    MatrixX M(n, n);
    this->body_->mass(y.head(n), M);
    for (int axis = 0; axis < 3; ++axis) {
      const VectorX tangent = this->body_->velocity(y.head(n), Vector3::Zero(), Vector3::Unit(axis));
      EXPECT_NEAR(tangent.dot(M * (y - drifted).head(n)), 0.0, 1e-12);
    }
  }
}

// Redundant constraints leave the motion and its projection as they are.
TYPED_TEST(Index0OdeTest, RedundantConstraintsDoNotMatter) {
  const auto redundant = std::make_shared<Redundant<TypeParam>>(this->example_.body, this->example_.forces);
  const Index0Ode twice(redundant);
  const int n = this->body_->coordinates(), m = this->body_->constraints();
  const VectorX y = this->randomState();
  VectorX once(2 * n), doubled(2 * n);
  this->ode_.derivative(0.0, y, once);
  twice.derivative(0.0, y, doubled);
  EXPECT_LT((once - doubled).norm(), 1e-11);

  const VectorX lambda = this->ode_.multipliers(0.0, y), shared = twice.multipliers(0.0, y);
  EXPECT_LT((lambda - shared.head(m) - shared.tail(m)).norm(), 1e-10 * lambda.norm());

  VectorX a = y + 0.01 * VectorX::Ones(2 * n), b = a;
  this->ode_.project(0.0, a);
  twice.project(0.0, b);
  EXPECT_LT((a - b).norm(), 1e-12);
}

// Lang, Lemma 6.1: for a body in quaternions (62) is (63), although the mass is singular.
TEST(Index0Ode, ProjectionOfAQuaternionNormalisesIt) {
  srand(1);
  const LangExample example = langA();
  const Index0Ode ode(std::make_shared<QuaternionBody>(example.body, example.forces));
  for (int trial = 0; trial < 100; ++trial) {
    const Quaternion drifted = Quaternion::Random().normalized() + 0.05 * Quaternion::Random();
    const Quaternion velocity = 20.0 * Quaternion::Random();
    VectorX y = ode.initialValue(drifted, velocity);
    ode.project(0.0, y);
    const Quaternion p = drifted.normalized();
    EXPECT_LT((y.head<4>() - p).norm(), 1e-14);
    EXPECT_LT((y.tail<4>() - (velocity - p.dot(velocity) * p)).norm(), 1e-13);
  }
}

TEST(Index0Ode, ProjectionFromFarAwayIsRefused) {
  const LangExample example = langA();
  const Index0Ode ode(std::make_shared<QuaternionBody>(example.body, example.forces));
  VectorX y = VectorX::Zero(8);  // the centre of the sphere: no nearest point
  EXPECT_THROW(ode.project(0.0, y), SimulationError);
}

}  // namespace
}  // namespace polhode::test::index0_ode_test
