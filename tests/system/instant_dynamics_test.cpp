#include "system/instant_dynamics.h"

#include "math/quaternion.h"
#include "support/mechanisms.h"
#include "system/sparse_dynamics.h"

#include <cmath>

#include <gtest/gtest.h>

/// Accelerations and reactions at an instant: they balance every body, they keep the joints, and both ways of computing
/// them agree, joints that repeat each other included.
namespace polhode::instant_dynamics_test {
namespace {

struct Named {
  const char* name;
  Model (*model)();
};

class InstantDynamicsOf : public ::testing::TestWithParam<Named> {
 protected:
  std::shared_ptr<const Mechanism> mechanism_ = std::make_shared<const Mechanism>(GetParam().model());
  MechanismMotion motion_ = initialMotion(*mechanism_);
};

double largest(const InstantForces& forces) {
  double size = 1.0;
  for (const Wrench& reaction : forces.reactions)
    size = std::max({size, reaction.force.norm(), reaction.torque.norm()});
  return size;
}

// m a = m g + reactions and J alpha + w x J w = torques of the reactions, body by body.
TEST_P(InstantDynamicsOf, BalancesEveryBody) {
  InstantDynamics dynamics(mechanism_);
  const InstantForces& forces = dynamics.at(0.0, motion_);
  std::vector<Wrench> sum(mechanism_->bodies().size());
  for (std::size_t j = 0; j < mechanism_->joints().size(); ++j) {
    const MechanismJoint& joint = mechanism_->joints()[j];
    const Wrench& reaction = forces.reactions[j];
    const Vector3 at = motionOf(motion_, joint.second).at.point(joint.geometry.second.point);
    const auto add = [&](int body, double sign) {
      if (body == groundIndex) return;
      const Vector3 arm = at - motionOf(motion_, body).at.x;
      sum[static_cast<std::size_t>(body)].force += sign * reaction.force;
      sum[static_cast<std::size_t>(body)].torque += sign * (reaction.torque + arm.cross(reaction.force));
    };
    add(joint.second, 1.0);
    add(joint.first, -1.0);
  }
  for (std::size_t b = 0; b < sum.size(); ++b) {
    const MechanismBody& body = mechanism_->bodies()[b];
    const Matrix3 J = motion_[b].at.D * body.inertia.asDiagonal() * motion_[b].at.D.transpose();
    const Vector3 w = motion_[b].at.D * angularVelocity(body, motion_[b]);
    const BodyAcceleration& a = forces.accelerations[b];
    EXPECT_LT((body.mass * (a.linear - mechanism_->gravity()) - sum[b].force).norm(), 1e-9 * largest(forces));
    EXPECT_LT((J * a.angular + w.cross(J * w) - sum[b].torque).norm(), 1e-9 * largest(forces)) << body.name;
  }
}

TEST_P(InstantDynamicsOf, IsTheSameByTheTreeAndByOneSparseSystem) {
  InstantDynamics tree(mechanism_);
  SparseDynamics sparse(mechanism_);
  const InstantForces &a = tree.at(0.0, motion_), &b = sparse.at(0.0, motion_);
  for (std::size_t i = 0; i < a.accelerations.size(); ++i) {
    EXPECT_LT((a.accelerations[i].linear - b.accelerations[i].linear).norm(), 1e-8 * largest(a));
    EXPECT_LT((a.accelerations[i].angular - b.accelerations[i].angular).norm(), 1e-8 * largest(a));
  }
  for (std::size_t j = 0; j < a.reactions.size(); ++j) {
    EXPECT_LT((a.reactions[j].force - b.reactions[j].force).norm(), 1e-8 * largest(a)) << mechanism_->joints()[j].name;
    EXPECT_LT((a.reactions[j].torque - b.reactions[j].torque).norm(), 1e-8 * largest(a))
        << mechanism_->joints()[j].name;
  }
}

// A pull from outside on a body changes accelerations as its weight would.
TEST_P(InstantDynamicsOf, TakesLoadsFromOutside) {
  InstantDynamics dynamics(mechanism_);
  const InstantForces still = dynamics.at(0.0, motion_);
  std::vector<Wrench> lift;
  for (const MechanismBody& body : mechanism_->bodies())
    lift.push_back({-body.mass * mechanism_->gravity(), Vector3::Zero()});
  const InstantForces lifted = dynamics.at(0.0, motion_, lift);
  Model weightless = GetParam().model();
  weightless.gravity.setZero();
  InstantDynamics other(std::make_shared<const Mechanism>(weightless));
  const InstantForces& expected = other.at(0.0, motion_);
  for (std::size_t b = 0; b < still.accelerations.size(); ++b)
    EXPECT_LT((lifted.accelerations[b].linear - expected.accelerations[b].linear).norm(), 1e-9 * largest(still));
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, InstantDynamicsOf,
                         ::testing::Values(Named{"hinges", [] { return test::hingedChain(4); }},
                                           Named{"balls", test::spatialDoublePendulum},
                                           Named{"loop", test::spinningLoop},
                                           Named{"slidercrank", test::spatialSliderCrank},
                                           Named{"bricard", test::bricard}, Named{"zoo", test::jointZoo},
                                           Named{"fourbars", [] { return test::manyFourBars(3); }},
                                           Named{"ladder", [] { return test::ladder(3); }}),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace polhode::instant_dynamics_test
