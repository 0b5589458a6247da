#include "system/quaternion_mechanism.h"

#include "io/examples.h"
#include "polhode/io/model_file.h"
#include "support/constrained_system_checks.h"
#include "support/mechanisms.h"

#include <gtest/gtest.h>

/// Every derivative of a mechanism in quaternions against central differences, and its discrete gradients against what
/// makes them such: the increment over the step.
namespace polhode::quaternion_mechanism_test {
namespace {

using test::centralDifferences;

/// One body on each joint type with springs between some, and a load.
class QuaternionMechanismDerivatives : public ::testing::Test {
 protected:
  static std::shared_ptr<const Mechanism> zoo() {
    Model model = test::jointZoo();
    const Model quarter = readModelText(findExample("lang-c")->text, "lang-c").model;
    Force spring = quarter.forces.front();  // to the ground, without a length of its own
    spring.second = model.bodies[2].name;
    spring.firstPoint = Vector3(0.3, -0.2, 0.5);
    spring.secondPoint = model.bodies[2].position + Vector3(0.1, 0.2, -0.3);
    model.forces.push_back(spring);
    return std::make_shared<const Mechanism>(model);
  }

  QuaternionMechanismDerivatives() {
    q = system.position(initialMotion(system.mechanism()));
    for (int i = 0; i < q.size(); ++i) {
      v[i] = 0.5 - 0.31 * (i % 5), a[i] = 0.2 + 0.17 * (i % 7);
      q1[i] = q[i] + 0.02 * std::sin(1.0 + i);
    }
    for (int i = 3; i < q1.size(); i += 7) q1.segment<4>(i).normalize();
    for (int k = 0; k < lambda.size(); ++k) lambda[k] = 1.0 - 0.3 * (k % 4);
  }

  const QuaternionMechanism system{zoo(), {}};
  const int n = system.coordinates(), m = system.constraints();
  VectorX q = VectorX::Zero(n), v = q, a = q, q1 = q, lambda = VectorX::Zero(m);
  MatrixX work = MatrixX::Zero(n, n);
};

void expectNear(const MatrixX& found, const MatrixX& expected, double tolerance = 1e-8) {
  EXPECT_LT((found - expected).norm(), tolerance * (1.0 + expected.norm()));
}

TEST_F(QuaternionMechanismDerivatives, OfTheConstrainedSystem) {
  test::expectConsistentDerivatives(system, 0.0, q, v);
}

TEST_F(QuaternionMechanismDerivatives, OfTheMass) {
  system.massDerivative(q, a, work);
  expectNear(work, centralDifferences([&](const VectorX& x) -> VectorX { return test::massOf(system, x) * a; }, q));
  MatrixX K(n, n);
  system.massCurvature(q, a, v, K);
  const auto slope = [&](const VectorX& x) -> VectorX {
    system.massDerivative(x, a, work);
    return work.transpose() * v;
  };
  expectNear(K, centralDifferences(slope, q));
  system.massIncrement(q, q1, work);
  expectNear(work, test::massOf(system, q1) - test::massOf(system, q), 1e-13);
}

TEST_F(QuaternionMechanismDerivatives, OfTheJoints) {
  MatrixX G(m, n), D(m, n), K(n, n);
  const auto force = [&](const VectorX& x) -> VectorX {
    system.constraintJacobian(x, G);
    return G.transpose() * lambda;
  };
  const auto velocity = [&](const VectorX& x) -> VectorX {
    system.constraintJacobian(x, G);
    return G * v;
  };
  const auto gradientOfVelocity = [&](const VectorX& x) -> VectorX {
    system.constraintVelocityDerivative(x, v, D);
    return D.transpose() * lambda;
  };
  system.constraintHessian(q, lambda, K);
  expectNear(K, centralDifferences(force, q));
  system.constraintVelocityDerivative(q, v, D);
  expectNear(D, centralDifferences(velocity, q));
  system.constraintVelocityCurvature(q, v, lambda, K);
  expectNear(K, centralDifferences(gradientOfVelocity, q));
}

TEST_F(QuaternionMechanismDerivatives, OfSprings) {
  VectorX gradient(n);
  MatrixX hessian(n, n);
  const auto force = [&](const VectorX& x) -> VectorX {
    system.potentialGradient(0.0, x, gradient);
    return gradient;
  };
  system.potentialHessian(0.0, q, hessian);
  expectNear(hessian, centralDifferences(force, q), 1e-6);  // differences against differences of another step
}

TEST_F(QuaternionMechanismDerivatives, DiscreteGradientsOfJoints) {
  DiscreteConstraint discrete(n, m), moved(n, m);
  system.chainRuleConstraint(q, q1, lambda, discrete);
  VectorX g0(m), g1(m), increment(m);
  system.constraint(q, g0);
  system.constraint(q1, g1);
  system.constraintIncrement(q, q1, increment);
  expectNear(discrete.jacobian * (q1 - q), g1 - g0, 1e-14);
  expectNear(increment, g1 - g0, 1e-14);
  const auto force = [&](const VectorX& x) -> VectorX {
    system.chainRuleConstraint(q, x, lambda, moved);
    return moved.jacobian.transpose() * lambda;
  };
  expectNear(discrete.forceByQ1, centralDifferences(force, q1));
}

TEST_F(QuaternionMechanismDerivatives, DiscreteGradientsOfTheKineticEnergy) {
  DiscreteKinetic discrete(n), moved(n);
  system.chainRuleKinetic(q, v, q1, a, discrete);
  EXPECT_NEAR(discrete.byPosition.dot(q1 - q) + discrete.byVelocity.dot(a - v),
              test::kineticEnergy(system, q1, a) - test::kineticEnergy(system, q, v),
              1e-13 * test::kineticEnergy(system, q1, a));
  const auto part = [&](auto member, bool ofPosition) {
    return [&, member, ofPosition](const VectorX& x) -> VectorX {
      ofPosition ? system.chainRuleKinetic(q, v, x, a, moved) : system.chainRuleKinetic(q, v, q1, x, moved);
      return moved.*member;
    };
  };
  expectNear(discrete.positionByQ1, centralDifferences(part(&DiscreteKinetic::byPosition, true), q1));
  expectNear(discrete.velocityByQ1, centralDifferences(part(&DiscreteKinetic::byVelocity, true), q1));
  expectNear(discrete.positionByV1, centralDifferences(part(&DiscreteKinetic::byPosition, false), a));
  expectNear(discrete.velocityByV1, centralDifferences(part(&DiscreteKinetic::byVelocity, false), a));
}

TEST_F(QuaternionMechanismDerivatives, DiscreteGradientOfThePotential) {
  DiscretePotential discrete(n);
  system.chainRulePotential(0.0, q, q1, discrete);
  const double increment = system.potential(0.0, q1) - system.potential(0.0, q);
  EXPECT_NEAR(discrete.gradient.dot(q1 - q), increment, 1e-10 * (1.0 + std::abs(increment)));
}

// (64): for p = M v it is the angular momentum of the bodies.
TEST_F(QuaternionMechanismDerivatives, MomentaBelongToTheMotion) {
  VectorX tangential = v;
  for (int i = 3; i < n; i += 7) tangential.segment<4>(i) -= q.segment<4>(i).dot(v.segment<4>(i)) * q.segment<4>(i);
  const VectorX p = test::massOf(system, q) * tangential;
  const MechanismMotion bodies = system.motion(q, tangential);
  const MechanismSums sums = sumsOf(system.mechanism(), bodies);
  expectNear(system.angularMomentum(q, p), sums.angularMomentum, 1e-13);
  expectNear(system.linearMomentum(p), sums.linearMomentum, 1e-13);
}

TEST(QuaternionMechanism, LeavesRedundantRowsOut) {
  const auto mechanism = std::make_shared<const Mechanism>(test::bricard());
  const QuaternionMechanism system(mechanism, {7});
  EXPECT_EQ(system.constraints(), mechanism->rows() - 1 + 5);
  VectorX multipliers = VectorX::Ones(system.constraints());
  const VectorX all = system.jointMultipliers(multipliers);
  EXPECT_EQ(all.size(), mechanism->rows());
  EXPECT_EQ(all[7], 0.0);
  EXPECT_EQ(all.sum(), mechanism->rows() - 1);
}

}  // namespace
}  // namespace polhode::quaternion_mechanism_test
