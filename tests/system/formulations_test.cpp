#include "polhode/error.h"
#include "system/absolute_director_body.h"
#include "system/director_body.h"
#include "system/index0_ode.h"
#include "system/quaternion_body.h"
#include "system/single_body.h"

#include <random>

#include <gtest/gtest.h>

/// The formulations of one body against each other: a typed suite over the parametrisations, and the closed forms
/// against the general solution of the index-1 system.
namespace polhode::formulations_test {
namespace {

struct Choice {
  const char* coordinates;
  const char* formulation;
};

const Choice choices[] = {{"quaternion", "null-space"}, {"director", "null-space"}, {"quaternion", "absolute"},
                          {"director", "absolute"},     {"euler313", "null-space"}, {"cardan", "null-space"}};

class RandomBody {
 public:
  explicit RandomBody(unsigned seed) : generator_(seed) {}

  double number(double from, double to) { return std::uniform_real_distribution<double>(from, to)(generator_); }
  Vector3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }

  /// Principal moments from a positive Euler tensor, so that the triangle inequality holds.
  RigidBodyData body(bool translates) {
    RigidBodyData data;
    const Vector3 E(number(0.5, 5.0), number(0.5, 5.0), number(0.5, 5.0));
    data.inertia = Vector3(E[1] + E[2], E[2] + E[0], E[0] + E[1]);
    data.mass = number(0.5, 5.0);
    data.translates = translates;
    if (!translates) data.centre = vector(1.0);
    return data;
  }

  BodyMotion motion(bool translates) {
    BodyMotion m;
    m.orientation = Quaternion(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)).normalized();
    m.directors = rotationMatrix(m.orientation);
    m.angularVelocity = vector(5.0);
    if (translates) {
      m.position = vector(2.0);
      m.velocity = vector(2.0);
    }
    return m;
  }

  std::shared_ptr<const BodyForces> spring() {
    return std::make_shared<AnchorSpring>(vector(3.0), vector(1.0), number(1.0, 20.0), number(0.0, 1.0));
  }

 private:
  std::mt19937 generator_;
};

/// d/dt of the motion (directors, velocity, Omega) that a formulation's right-hand side stands for, by central
/// differences along the solution's tangent.
struct Rate {
  Matrix3 directors;
  Vector3 velocity, angularVelocity;
};

Rate rateOf(const SingleBodySystem& system, const BodyMotion& motion) {
  const VectorX y = system.stateOf(motion);
  VectorX f(system.size());
  system.derivative(0.0, y, f);
  const double h = 1e-6;
  const BodyMotion ahead = system.motionOf(y + h * f), behind = system.motionOf(y - h * f);
  return {(ahead.directors - behind.directors) / (2 * h), (ahead.velocity - behind.velocity) / (2 * h),
          (ahead.angularVelocity - behind.angularVelocity) / (2 * h)};
}

TEST(Formulations, AgreeOnTheMotion) {
  RandomBody random(7);
  const Vector3 gravity(1.0, -2.0, -9.0);
  for (int i = 0; i < 200; ++i) {
    const bool translates = i % 2 == 0;
    const RigidBodyData data = random.body(translates);
    const UniformGravity weight(data, gravity);
    const auto spring = random.spring();
    const BodyMotion motion = random.motion(translates);
    const Rate expected = rateOf(*makeSingleBody("quaternion", "null-space", data, weight, spring), motion);
    const double size = 1.0 + expected.angularVelocity.norm() + motion.angularVelocity.squaredNorm();
    for (const Choice& choice : choices) {
      SCOPED_TRACE(std::string(choice.coordinates) + " " + choice.formulation);
      const auto system = makeSingleBody(choice.coordinates, choice.formulation, data, weight, spring);
      // Angles near gimbal lock have large rates, whose differences are poor.
      if (system->size() <= 12 && choice.coordinates[0] != 'q' && choice.coordinates[0] != 'd') {
        VectorX f(system->size());
        system->derivative(0.0, system->stateOf(motion), f);
        if (f.cwiseAbs().maxCoeff() > 30.0) continue;
      }
      const Rate rate = rateOf(*system, motion);
      // Central differences of step 1e-6: 1e-12 times the third derivative, and 1e-10 from rounding.
      EXPECT_LT((rate.directors - expected.directors).norm(), 1e-6 * size);
      EXPECT_LT((rate.velocity - expected.velocity).norm(), 1e-6 * size);
      EXPECT_LT((rate.angularVelocity - expected.angularVelocity).norm(), 1e-6 * size);
    }
  }
}

TEST(Formulations, RoundTripThroughTheirCoordinates) {
  RandomBody random(8);
  for (int i = 0; i < 200; ++i) {
    const bool translates = i % 2 == 0;
    const RigidBodyData data = random.body(translates);
    const BodyMotion motion = random.motion(translates);
    for (const Choice& choice : choices) {
      const auto system = makeSingleBody(choice.coordinates, choice.formulation, data, UniformGravity(), nullptr);
      const BodyMotion back = system->motionOf(system->stateOf(motion));
      EXPECT_LT((back.directors - motion.directors).norm(), 1e-14);
      EXPECT_LT((back.angularVelocity - motion.angularVelocity).norm(), 1e-13);
      EXPECT_EQ(back.position, motion.position);
    }
  }
}

/// The state (q, v) of the general constrained system in a motion.
template <class System>
VectorX generalState(const System& system, const BodyMotion& motion) {
  const VectorX q = system.position(motion.position, motion.orientation);
  VectorX y(2 * system.coordinates());
  y << q, system.velocity(q, motion.velocity, motion.angularVelocity);
  return y;
}

// The three linear equations of AbsoluteDirectorBody solve the fifteen of Lang (23), off SO(3) too.
TEST(AbsoluteDirectors, SolveTheIndexOneSystem) {
  RandomBody random(9);
  for (int i = 0; i < 200; ++i) {
    const bool translates = i % 2 == 0;
    const RigidBodyData data = random.body(translates);
    const UniformGravity weight(data, Vector3(0.0, 1.0, -9.81));
    const auto system = makeSingleBody("director", "absolute", data, weight, nullptr);
    const auto general = std::make_shared<DirectorBody>(data, std::make_shared<UniformGravity>(weight));
    VectorX y = generalState(*general, random.motion(translates));
    for (int k = 0; k < y.size(); ++k) y[k] += random.number(-0.05, 0.05);  // drifted far
    VectorX closed(y.size()), solved(y.size());
    system->derivative(0.0, y, closed);
    Index0Ode(general).derivative(0.0, y, solved);
    EXPECT_LT((closed - solved).norm(), 1e-11 * (1.0 + solved.norm()));
  }
}

// (40) as printed solves (37) on the sphere; off it the radial terms differ by |v|^2 (1/|p|^2 - 1) p.
TEST(AbsoluteQuaternions, SolveTheIndexOneSystemOnTheSphere) {
  RandomBody random(10);
  for (int i = 0; i < 200; ++i) {
    const RigidBodyData data = random.body(false);
    const UniformGravity weight(data, Vector3(0.0, 1.0, -9.81));
    const auto system = makeSingleBody("quaternion", "absolute", data, weight, nullptr);
    const auto general = std::make_shared<QuaternionBody>(data, std::make_shared<UniformGravity>(weight));
    VectorX y = generalState(*general, random.motion(false));
    VectorX closed(y.size()), solved(y.size());
    system->derivative(0.0, y, closed);
    Index0Ode(general).derivative(0.0, y, solved);
    EXPECT_LT((closed - solved).norm(), 1e-11 * (1.0 + solved.norm()));

    y.head(4) *= 1.1;
    system->derivative(0.0, y, closed);
    Index0Ode(general).derivative(0.0, y, solved);
    const VectorX radial = y.tail(4).squaredNorm() * (1.0 / y.head(4).squaredNorm() - 1.0) * y.head(4);
    EXPECT_LT((closed.tail(4) - solved.tail(4) - radial).norm(), 1e-11 * (1.0 + solved.norm()));
  }
}

TEST(Multipliers, AgreeWithTheIndexOneSystem) {
  RandomBody random(11);
  for (int i = 0; i < 100; ++i) {
    const RigidBodyData data = random.body(false);
    const UniformGravity weight(data, Vector3(0.0, 1.0, -9.81));
    const BodyMotion motion = random.motion(false);
    const auto check = [&](const auto& general, const char* coordinates) {
      const VectorX expected = Index0Ode(general).multipliers(0.0, generalState(*general, motion));
      for (const char* formulation : {"null-space", "absolute"}) {
        const auto system = makeSingleBody(coordinates, formulation, data, weight, nullptr);
        const VectorX ours = system->multipliers(0.0, system->stateOf(motion));
        ASSERT_EQ(ours.size(), expected.size());
        EXPECT_LT((ours - expected).norm(), 1e-10 * (1.0 + expected.norm())) << coordinates << " " << formulation;
      }
    };
    check(std::make_shared<QuaternionBody>(data, std::make_shared<UniformGravity>(weight)), "quaternion");
    check(std::make_shared<DirectorBody>(data, std::make_shared<UniformGravity>(weight)), "director");
  }
}

TEST(Formulations, ProjectOntoTheirConstraints) {
  RandomBody random(12);
  for (const Choice& choice : choices) {
    const RigidBodyData data = random.body(false);
    for (const Projection method : {Projection::explicitly, Projection::polar}) {
      const auto system = makeSingleBody(choice.coordinates, choice.formulation, data, UniformGravity(), nullptr);
      VectorX y = system->stateOf(random.motion(false));
      for (int k = 0; k < y.size(); ++k) y[k] += random.number(-1e-3, 1e-3);
      EXPECT_FALSE(system->project(0.0, y));  // not asked for
      system->setProjection(method);
      EXPECT_TRUE(system->project(0.0, y));
      EXPECT_LT(system->positionViolation(y), 1e-15);
      EXPECT_LT(system->velocityViolation(y), 1e-14);
    }
  }
}

TEST(Formulations, RefuseAnglesWithoutConstraint) {
  EXPECT_THROW(makeSingleBody("cardan", "absolute", {}, UniformGravity(), nullptr), InputError);
  EXPECT_THROW(makeSingleBody("quaternion", "no-space", {}, UniformGravity(), nullptr), InputError);
}

TEST(Formulations, SayWhenAnglesLock) {
  const auto system = makeSingleBody("cardan", "null-space", {}, UniformGravity(), nullptr);
  VectorX y = VectorX::Zero(6), f(6);
  y[1] = std::acos(0.0);
  y[5] = 1.0;
  EXPECT_THROW(system->derivative(0.0, y, f), SimulationError);
}

}  // namespace
}  // namespace polhode::formulations_test
