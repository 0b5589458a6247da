#include "math/quaternion.h"
#include "math/rotation_maps.h"
#include "model/force_type.h"
#include "polhode/error.h"
#include "polhode/model/conservation.h"
#include "polhode/system/forces/user_force.h"
#include "system/mechanism.h"

#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace polhode::force_elements_test {
namespace {

/// Two bodies of different shapes that stand anyhow, and a joint of each type that forces can act on.
Model twoBodies() {
  Model model;
  Body a, b;
  a.name = "a", b.name = "b";
  a.inertia << 3, 0.2, 0.1, 0.2, 2, 0.3, 0.1, 0.3, 4;
  a.position = {0.3, -0.2, 0.5};
  b.position = {1.1, 0.4, -0.3};
  a.orientation = expS3(Vector3(0.4, -0.7, 0.2));
  b.orientation = expS3(Vector3(-0.3, 0.5, 0.9));
  model.bodies = {a, b};
  Joint hinge{"hinge", "revolute", "a", "b", {0.6, 0.1, 0.2}}, slide{"slide", "cylindrical", "a", "b", {0.6, 0.1, 0.2}};
  hinge.axis = slide.axis = {1, 2, -1};
  model.joints = {hinge, slide};
  return model;
}

Force between(const std::string& type) {
  Force force{"f", type, "a", "b"};
  force.firstPoint = {0.2, 0.6, 0.4};
  force.secondPoint = {1.4, -0.1, 0.2};
  return force;
}

Force withLaw(Force force, const ForceLaw& law, double rest) {
  force.law = law;
  force.rest = rest;
  return force;
}

Force damped(Force force, double damping) {
  force.damping = damping;
  return force;
}

Force onJoint(const std::string& type, const std::string& joint, const std::string& coordinate = "") {
  Force force{"f", type};
  force.joint = joint;
  force.coordinate = coordinate;
  return force;
}

Force motor() {
  Force force = onJoint("joint-motor", "hinge");
  force.effort = 3.0;
  force.scale = Signal::formula("1 + t");
  return force;
}

Force bushing(double damping) {
  Force force = between("bushing");
  force.secondPoint = force.firstPoint;
  force.axes = expSO3(Vector3(0.3, 0.2, -0.4));
  force.stiffnesses = {10, 20, 30};
  force.turningStiffnesses = {4, 5, 6};
  force.dampings = damping * Vector3(1, 2, 3);
  force.turningDampings = damping * Vector3(3, 2, 1);
  return force;
}

Force load(const std::string& type, bool inBody) {
  Force force = between(type);
  force.vector = {2, -3, 1};
  force.inBody = inBody;
  force.scale = Signal::table({0, 1}, {1, 3});
  return force;
}

const ForceLaw linear = ForceLaw::polynomial({50}), cubic = ForceLaw::polynomial({50, -8, 20});
const ForceLaw written = ForceLaw::formula("30*sin(2*x) + 40*max(x - 0.1, 0)");
const ForceLaw kinked = ForceLaw::table({-0.3, 0.05, 0.1, 0.8}, {-10, 1, 4, 9});

struct Case {
  std::string name;
  Force force;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

std::vector<Case> cases() {
  return {{"spring", withLaw(between("spring"), linear, 0.4)},
          {"springOfNoLength", withLaw(between("spring"), linear, 0.0)},
          {"cubicSpring", withLaw(between("spring"), cubic, 0.9)},
          {"tableSpring", withLaw(between("spring"), kinked, 1.3)},
          {"formulaSpring", withLaw(between("spring"), written, 1.3)},
          {"dampedSpring", damped(withLaw(between("spring"), linear, 0.4), 7)},
          {"damper", damped(between("damper"), 7)},
          {"hingeSpring", withLaw(onJoint("joint-spring", "hinge"), linear, 0.2)},
          {"hingeCubicSpring", withLaw(onJoint("joint-spring", "hinge"), cubic, -0.1)},
          {"hingeFormulaSpring", withLaw(onJoint("joint-spring", "hinge"), written, -0.05)},
          {"hingeDamper", damped(onJoint("joint-damper", "hinge"), 5)},
          {"slideSpring", withLaw(onJoint("joint-spring", "slide", "displacement"), kinked, 0.05)},
          {"slideDamper", damped(onJoint("joint-damper", "slide", "displacement"), 5)},
          {"motor", motor()},
          {"bushing", bushing(0)},
          {"dampedBushing", bushing(0.4)},
          {"load", load("load", false)},
          {"loadInBody", load("load", true)},
          {"torque", load("torque", false)},
          {"torqueInBody", load("torque", true)}};
}

/// A placement moved and turned at random, by about `size`.
Placement displaced(const Placement& from, double size, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-size, size);
  const auto vector = [&] { return Vector3(number(random), number(random), number(random)); };
  return {from.x + vector(), expSO3(vector()) * from.D};
}

/// c with D1 - D0 = c^ (D0 + D1)/2.
Vector3 cayleyVector(const Matrix3& D0, const Matrix3& D1) {
  const Matrix3 R = D1 * D0.transpose(), skew = R - R.transpose();
  return 2.0 / (1.0 + R.trace()) * Vector3(skew(2, 1), skew(0, 2), skew(1, 0));
}

double workOn(const Wrench& wrench, const Placement& before, const Placement& after) {
  return wrench.force.dot(after.x - before.x) + wrench.torque.dot(cayleyVector(before.D, after.D));
}

Eigen::Matrix<double, 12, 1> stacked(const ElementWrenches& w) {
  Eigen::Matrix<double, 12, 1> all;
  all << w.first.force, w.first.torque, w.second.force, w.second.torque;
  return all;
}

MovingPlacement moving(const Placement& at, const Vector3& velocity, const Vector3& turning) {
  return {at, {velocity, hat(turning) * at.D}};
}

class ForceElements : public testing::TestWithParam<Case> {
 protected:
  const Mechanism mechanism{[] {
    Model model = twoBodies();
    model.forces = {GetParam().force};
    return model;
  }()};
  const ForceElement& element = *mechanism.forces().front();
  std::mt19937 random{7};

  Placement at(int body) const {
    return body == groundIndex ? Placement{} : mechanism.bodies()[static_cast<std::size_t>(body)].placement;
  }

  /// A step of both bodies; the ground stays where it is.
  ElementStep randomStep(double size) {
    ElementStep step;
    step.t0 = 0.3, step.t1 = 0.35;
    const auto anywhere = [&](int body, double by) {
      return body == groundIndex ? at(body) : displaced(at(body), by, random);
    };
    step.first0 = anywhere(element.first(), 0.2), step.second0 = anywhere(element.second(), 0.2);
    step.first1 = element.first() == groundIndex ? step.first0 : displaced(step.first0, size, random);
    step.second1 = displaced(step.second0, size, random);
    return step;
  }
};

}  // namespace

TEST_P(ForceElements, DoTheWorkThatTheyTakeFromTheirPotential) {
  const Force& force = GetParam().force;
  for (int trial = 0; trial < 50; ++trial) {
    const ElementStep step = randomStep(trial < 25 ? 0.3 : 1e-5);
    const ElementWrenches w = element.meanWrenches(step);
    const double work = workOn(w.first, step.first0, step.first1) + workOn(w.second, step.second0, step.second1);
    const double lost = element.potential(step.first0, step.second0) - element.potential(step.first1, step.second1);
    const double scale = 1.0 + std::abs(element.potential(step.first0, step.second0));
    if (element.conservative()) {
      EXPECT_NEAR(work, lost, 1e-13 * scale);
    }
    if (force.damping > 0.0) {
      EXPECT_LT(work, lost);
    }
    if (force.type == "load") {
      // the force at mid time times the way of its point
      const Vector3 rho = at(element.second()).D.transpose() * (force.secondPoint - at(element.second()).x);
      const double scaleAtMidTime = 1.0 + 2.0 * 0.325;
      const Matrix3 mean = step.secondMean().D, axes = mechanism.bodies()[1].axes;
      const Vector3 f = force.inBody ? Vector3(mean * axes.transpose() * force.vector) : force.vector;
      EXPECT_NEAR(work, scaleAtMidTime * f.dot(step.second1.point(rho) - step.second0.point(rho)), 1e-14);
    }
  }
}

TEST_P(ForceElements, ActAndReactAlike) {
  // inner forces have neither a resultant nor a moment, over a step as at an instant: momenta are kept
  if (element.first() == groundIndex) GTEST_SKIP() << "acts from outside";
  for (int trial = 0; trial < 20; ++trial) {
    const ElementStep step = randomStep(0.3);
    const ElementWrenches w = element.meanWrenches(step);
    EXPECT_LT((w.first.force + w.second.force).norm(), 1e-13);
    const Vector3 moment = w.first.torque + w.second.torque + step.firstMean().x.cross(w.first.force) +
                           step.secondMean().x.cross(w.second.force);
    EXPECT_LT(moment.norm(), 1e-12);
  }
}

TEST_P(ForceElements, HaveTheRightJacobian) {
  for (int trial = 0; trial < 10; ++trial) {
    const ElementStep step = randomStep(trial < 5 ? 0.3 : 1e-4);
    ElementJacobian jacobian;
    element.meanWrenchesJacobian(step, jacobian);
    const double by = 1e-6;
    for (int k = 0; k < 12; ++k) {
      const auto shifted = [&](double delta) {
        ElementStep other = step;
        Placement& end = k < 6 ? other.first1 : other.second1;
        if (k % 6 < 3)
          end.x[k % 3] += delta;
        else
          end.D = (expSO3(Vector3(delta * Vector3::Unit(k % 3))) * end.D).eval();
        return stacked(element.meanWrenches(other));
      };
      const Eigen::Matrix<double, 12, 1> difference = (shifted(by) - shifted(-by)) / (2 * by);
      // central differences: 1e-6^2 times a third derivative of up to 1e4, and a rounding over 1e-6
      if (element.first() == groundIndex && k < 6) continue;
      EXPECT_LT((jacobian.col(k) - difference).norm(), 1e-6 * (1.0 + difference.norm())) << k;
    }
  }
}

// dual numbers beside differences of eighth order, which an element has that says nothing
TEST_P(ForceElements, KnowHowTheyChangeAlongAnyDirection) {
  for (int trial = 0; trial < 10; ++trial) {
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const auto vector = [&] { return Vector3(number(random), number(random), number(random)); };
    const auto motion = [&](int body) {
      return body == groundIndex ? MovingPlacement{} : moving(displaced(at(body), 0.2, random), vector(), vector());
    };
    const auto change = [&](int body, const MovingPlacement& from) -> MovingPlacement {
      if (body == groundIndex) return {{Vector3::Zero(), Matrix3::Zero()}, {}};
      const Matrix3 turned = hat(vector()) * from.at.D, spin = from.rate.W * from.at.D.transpose();
      return {{vector(), turned}, {vector(), hat(vector()) * from.at.D + spin * turned}};
    };
    const MovingPlacement first = motion(element.first()), second = motion(element.second());
    const MovingPlacement firstChange = change(element.first(), first), secondChange = change(element.second(), second);
    const auto exact = stacked(element.wrenchChange(0.4, first, second, firstChange, secondChange));
    const auto differences = stacked(element.ForceElement::wrenchChange(0.4, first, second, firstChange, secondChange));
    EXPECT_LT((exact - differences).norm(), 1e-10 * (1.0 + exact.norm()));
  }
}

TEST_P(ForceElements, ActOverAShortStepAsAtAnInstant) {
  const double h = 1e-5, t = 0.4;
  const Vector3 v(0.3, -0.2, 0.5), omega(1, -2, 0.5);
  const MovingPlacement first = element.first() == groundIndex ? MovingPlacement{} : moving(at(0), v, omega);
  const MovingPlacement second = moving(at(1), -v, Vector3(0.2, 0.4, 2));
  const auto after = [&](const MovingPlacement& body, double dt) -> Placement {
    const Matrix3 spin = body.rate.W * body.at.D.transpose();
    return {body.at.x + dt * body.rate.v,
            expSO3(Vector3(dt * Vector3(spin(2, 1), spin(0, 2), spin(1, 0)))) * body.at.D};
  };
  ElementStep step{t - h / 2,           t + h / 2, after(first, -h / 2), after(first, h / 2), after(second, -h / 2),
                   after(second, h / 2)};
  const auto instant = stacked(element.wrenches(t, first, second));
  EXPECT_LT((stacked(element.meanWrenches(step)) - instant).norm(), 1e-7 * (1.0 + instant.norm()));
}

// Noether: along a rigid motion (a, b) that a force from the ground does not notice it has no power, F . a + M . b = 0 with the
// moment M about the origin, wherever the body is and however it moves.
TEST_P(ForceElements, DoNotNoticeTheMotionsThatTheirTypeNames) {
  Model model = twoBodies();
  model.forces = {GetParam().force};
  Force& force = model.forces[0];
  EXPECT_EQ(conservationOf(model).energy, element.conservative());
  const ForceType& type = *typeOf(force);
  if (type.actsOn == ActsOn::joint) GTEST_SKIP() << "along a joint, which knows whether it is on the ground";
  force.first = "ground";
  const RigidMotions motions = type.unnoticed ? type.unnoticed(force) : noMotions();
  const Mechanism fromGround(model);
  for (int trial = 0; trial < 20; ++trial) {
    const MovingPlacement body = moving(displaced(at(1), 0.5, random), Vector3(1, -2, trial), Vector3(trial, 1, -1));
    const Wrench wrench = fromGround.forces().front()->wrenches(0.4, {}, body).second;
    Eigen::Matrix<double, 6, 1> aboutOrigin;
    aboutOrigin << wrench.force, wrench.torque + body.at.x.cross(wrench.force);
    EXPECT_GT(aboutOrigin.norm(), 1e-3);
    EXPECT_LT((motions.transpose() * aboutOrigin).norm(), 1e-12 * aboutOrigin.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(All, ForceElements, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& test) { return test.param.name; });

TEST(Damper, TakesExactlyWhatItsLawSays) {
  Model model = twoBodies();
  model.forces = {damped(between("damper"), 7)};
  const Mechanism mechanism(model);
  const auto& bodies = mechanism.bodies();
  std::mt19937 random(3);
  const Placement a0 = bodies[0].placement, b0 = bodies[1].placement;
  const Placement a1 = displaced(a0, 0.2, random), b1 = displaced(b0, 0.2, random);
  const auto pa = [&](const Placement& p) { return p.point(a0.D.transpose() * (Vector3(0.2, 0.6, 0.4) - a0.x)); };
  const auto pb = [&](const Placement& p) { return p.point(b0.D.transpose() * (Vector3(1.4, -0.1, 0.2) - b0.x)); };
  const double change = (pb(b1) - pa(a1)).norm() - (pb(b0) - pa(a0)).norm();
  const ElementWrenches w = mechanism.forces()[0]->meanWrenches({1.0, 1.1, a0, a1, b0, b1});
  EXPECT_NEAR(workOn(w.first, a0, a1) + workOn(w.second, b0, b1), -7 * change * change / 0.1, 1e-13);
}

TEST(UserForce, IsOneFunction) {
  /// Drag of a ball in a fluid.
  struct Drag final : UserForce {
    Drag(int body, double c) : UserForce("drag", groundIndex, body), coefficient(c) {}
    ElementWrenches wrenches(double, const MovingPlacement&, const MovingPlacement& body) const override {
      return {{}, {-coefficient * body.rate.v.norm() * body.rate.v, Vector3::Zero()}};
    }
    double coefficient;
  };
  Model model = twoBodies();
  model.forces.push_back(userForce(std::make_shared<Drag>(1, 2.0)));
  const Mechanism mechanism(model);
  ASSERT_EQ(mechanism.forces().size(), 1u);
  ElementStep step{0.0, 0.5, {}, {}, mechanism.bodies()[1].placement, mechanism.bodies()[1].placement};
  step.second1.x += Vector3(1.0, 0, 0);  // at 2 m/s
  EXPECT_LT((mechanism.forces()[0]->meanWrenches(step).second.force - Vector3(-8, 0, 0)).norm(), 1e-14);
  ElementJacobian jacobian;
  mechanism.forces()[0]->meanWrenchesJacobian(step, jacobian);
  EXPECT_NEAR(jacobian(6, 6), -2.0 * 2.0 * 2.0 / 0.5, 1e-8);
  EXPECT_NEAR(jacobian(7, 7), -2.0 * 2.0 / 0.5, 1e-8);
  model.forces.push_back(userForce(std::make_shared<Drag>(2, 2.0)));  // which body is that?
  EXPECT_THROW(Mechanism{model}, InputError);
}

}  // namespace polhode::force_elements_test
