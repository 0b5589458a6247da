#include "../support/mechanisms.h"
#include "../support/sanitized.h"
#include "integrate/mechanism/general_engine.h"
#include "polhode/error.h"
#include "system/mechanism_observation.h"
#include "walked_members.h"

// Slides, bodies that are fixed to each other, and forces, as a GPU moves them, against the engine for mechanisms of any kind.
namespace polhode::ensemble::tree_walk_forces_test {
namespace {

using test::distance;
using test::Members;
using Walked = test::WalkedMembers;

/// Bricks that hang on each other by such joints, each 0.4 m further along x, with a turn and a hint of asymmetry; `reversed`
/// joints have the nearer body second.
Model tree(const std::vector<std::string>& joints, const std::vector<bool>& reversed = {}) {
  Model model;
  model.name = "tree";
  model.gravity = Vector3(0.0, 0.0, -9.81);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const double x = 0.4 * static_cast<double>(i);
    Body body;
    body.name = "body" + std::to_string(i);
    body.mass = 1.0 + 0.3 * static_cast<double>(i);
    body.inertia = Vector3(0.02, 0.03, 0.04).asDiagonal();
    body.position = Vector3(x + 0.2, 0.05 * static_cast<double>(i), 0.0);
    model.bodies.push_back(body);
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = joints[i];
    const std::string inner = i == 0 ? "ground" : model.bodies[i - 1].name;
    const Vector3 at(x, 0.02 * static_cast<double>(i), 0.01), axis(0.3, 1.0, 0.2 * static_cast<double>(i + 1));
    const bool isReversed = i < reversed.size() && reversed[i];
    joint.first = isReversed ? body.name : inner, joint.second = isReversed ? inner : body.name;
    joint.point = at;
    joint.axis = axis;
    model.joints.push_back(joint);
  }
  return model;
}

Force force(const std::string& type, const std::string& first, const std::string& second) {
  Force force;
  force.name = "the " + type + " " + first + " " + second;
  force.type = type;
  force.first = first, force.second = second;
  return force;
}

Force line(const std::string& first, const std::string& second, const Vector3& one, const Vector3& two,
           double stiffness, double rest, double damping) {
  Force spring = force("spring", first, second);
  spring.firstPoint = one, spring.secondPoint = two;
  spring.law = ForceLaw::polynomial({stiffness});
  spring.rest = rest, spring.damping = damping;
  return spring;
}

Force onJoint(const std::string& type, const std::string& joint) {
  Force element = force(type, "ground", "ground");
  element.joint = joint;
  element.name += joint;
  return element;
}

Force motor(const std::string& joint, double effort, const std::string& scale) {
  Force drive = onJoint("joint-motor", joint);
  drive.effort = effort;
  if (!scale.empty()) drive.scale = Signal::formula(scale);
  return drive;
}

/// Members with masses and forces of their own go as the engine says, and their energy balances.
void expectAsEngine(const Model& model, int steps, double mostIterations) {
  Members members;
  for (int i = 0; i < 2; ++i) {
    Model own = model;
    for (Body& body : own.bodies) body.mass *= 1.0 + 0.05 * i, body.inertia *= 1.0 + 0.03 * i;
    for (Force& each : own.forces) each.damping *= 1.0 + 0.1 * i, each.effort *= 1.0 + 0.1 * i;
    members.push_back(std::make_shared<const Mechanism>(own));
  }
  if (test::isSanitized) steps /= 5;
  const double h = 1e-3;
  Walked walked(members);
  ASSERT_TRUE(walked.parts().kind.more);
  std::vector<double> energies;
  for (std::int64_t m = 0; m < 2; ++m) energies.push_back(walked.energy(m));
  EXPECT_LT(walked.go(steps, h), 2 * mostIterations * steps);
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto member = static_cast<std::int64_t>(m);
    GeneralEngine engine(*members[m]);
    MechanismState state = startOf(*members[m]);
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(engine.step(state, h).converged);
      state.time = (i + 1) * h;
    }
    EXPECT_LT(distance(walked.motion(member), state.bodies), 1e-12) << "member " << m;
    EXPECT_GT(distance(walked.motion(member), initialMotion(*members[m])), 1e-3) << "it moves";
    const double kinetic = kineticEnergy(*members[m], state.bodies), scale = 1.0 + kinetic;
    EXPECT_NEAR(walked.energy(member) - energies[m], walked.work(member), 1e-12 * scale);
    EXPECT_NEAR(walked.energy(member) - energies[m],
                kinetic + potentialEnergy(*members[m], state.bodies) -
                    kineticEnergy(*members[m], initialMotion(*members[m])) -
                    potentialEnergy(*members[m], initialMotion(*members[m])),
                1e-11 * scale);
  }
}

TEST(TreeWalkForces, FixedBodiesGoAsOne) {
  expectAsEngine(tree({"spherical", "fixed", "revolute", "fixed", "fixed"}), 300, 2.1);
  expectAsEngine(tree({"fixed", "fixed", "spherical", "fixed", "spherical"}), 300, 2.1);
  expectAsEngine(tree({"revolute", "fixed", "spherical"}, {false, true}), 300, 2.1);
}

TEST(TreeWalkForces, SlidesCarryOn) {
  expectAsEngine(tree({"prismatic"}), 300, 2.1);
  expectAsEngine(tree({"prismatic"}, {true}), 300, 2.1);
  expectAsEngine(tree({"revolute", "prismatic"}), 300, 2.1);
  expectAsEngine(tree({"spherical", "prismatic", "spherical"}), 300, 2.1);
  expectAsEngine(tree({"spherical", "prismatic", "prismatic", "revolute"}, {false, true, false, true}), 300, 2.1);
  Model branched = tree({"spherical", "prismatic", "spherical", "prismatic"});
  branched.joints[3].first = "body0";
  expectAsEngine(branched, 300, 2.1);
}

TEST(TreeWalkForces, SpringsAndDampersBetweenPoints) {
  const Vector3 one(0.05, 0.1, 0.02), two(-0.1, 0.1, 0.05);
  for (const std::string joint : {"spherical", "revolute", "prismatic"}) {
    Model model = tree({"spherical", joint, "spherical"});
    model.forces.push_back(line("body0", "body1", one, two, 800.0, 0.2, 2.0));
    expectAsEngine(model, 300, 3.1);
    model.forces[0] = line("body1", "body0", two, one, 800.0, 0.2, 0.0);
    model.forces.push_back(line("ground", "body2", Vector3(1.0, 0.3, 0.5), one, 300.0, 0.1, 1.0));
    model.forces.push_back(line("body0", "ground", one, Vector3(0.0, 0.3, 0.5), 300.0, 0.1, 0.5));
    expectAsEngine(model, 300, 3.1);
  }
}

TEST(TreeWalkForces, ForcesAlongJoints) {
  for (const bool isReversed : {false, true}) {
    Model model = tree({"revolute", "prismatic", "revolute"}, {isReversed, isReversed, !isReversed});
    for (const char* joint : {"joint0", "joint1", "joint2"}) {
      Force spring = onJoint("joint-spring", joint);
      spring.law = ForceLaw::polynomial({40.0});
      spring.rest = 0.1;
      Force damper = onJoint("joint-damper", joint);
      damper.damping = 0.2;
      model.forces.insert(model.forces.end(), {spring, damper});
    }
    model.forces.push_back(motor("joint0", 3.0, "sin(20*t)"));
    model.forces.push_back(motor("joint1", 5.0, ""));
    model.forces.push_back(motor("joint2", 1.0, "1 - t"));
    expectAsEngine(model, 300, 3.1);
  }
}

TEST(TreeWalkForces, Loads) {
  for (const bool inBody : {false, true}) {
    Model model = tree({"spherical", "fixed", "revolute", "prismatic"});
    Force load = force("load", "ground", "body1");
    load.vector = Vector3(3.0, 1.0, 20.0), load.inBody = inBody;
    load.secondPoint = Vector3(0.1, 0.05, 0.0);
    load.scale = Signal::formula("cos(30*t)");
    Force torque = force("torque", "ground", "body2");
    torque.vector = Vector3(0.5, 1.0, 0.2), torque.inBody = inBody;
    Force over = force("load", "ground", "body3");
    over.vectorOverTime = VectorSignal(Signal::formula("10*t"), Signal::formula("sin(10*t)"), Signal(2.0));
    model.forces = {load, torque, over};
    expectAsEngine(model, 300, 3.1);
  }
}

// Springs that are much stiffer than the step is short for are solved as well, to the same place.
TEST(TreeWalkForces, StiffSpringsConverge) {
  Model model = tree({"revolute", "prismatic", "spherical"});
  Force spring = onJoint("joint-spring", "joint0");
  spring.law = ForceLaw::polynomial({2e4});
  Force slide = onJoint("joint-spring", "joint1");
  slide.law = ForceLaw::polynomial({1e5});
  model.forces = {spring, slide,
                  line("body1", "body2", Vector3(0.0, 0.1, 0.0), Vector3(0.0, 0.1, 0.0), 2e4, 0.3, 10.0)};
  expectAsEngine(model, 200, 4.1);
}

// What is kept while members go is what is seen of their motions after every step.
TEST(TreeWalkForces, KeepsExtremesOnTheWay) {
  Model model = tree({"spherical", "fixed", "prismatic", "revolute"});
  Force damper = onJoint("joint-damper", "joint2");
  damper.damping = 3.0;
  model.forces = {damper};
  model.bodies[3].angularVelocity.setZero();
  const Members members = {std::make_shared<const Mechanism>(model)};
  const std::vector<Watched> watched = {{WatchedQuantity::energy},
                                        {WatchedQuantity::position, 1, 2},
                                        {WatchedQuantity::velocity, 1, 0},
                                        {WatchedQuantity::angularVelocity, 3, 1}};
  const auto values = [&](const MechanismMotion& motion) {
    const MechanismBody& last = members[0]->bodies()[3];
    return std::vector<double>{kineticEnergy(*members[0], motion) + potentialEnergy(*members[0], motion),
                               motion[1].at.x[2], motion[1].rate.v[0],
                               Vector3(last.axes * angularVelocity(last, motion[3]))[1]};
  };
  Walked walked(members);
  walked.watch(members, watched);
  const std::vector<double> first = values(walked.motion(0));
  std::vector<double> most = first, least = first, integral(4, 0.0), squares(4, 0.0), last = first;
  const double h = 1e-3;
  for (int i = 0; i < 100; ++i) {
    walked.go(1, h);
    const std::vector<double> now = values(walked.motion(0));
    for (std::size_t k = 0; k < 4; ++k) {
      most[k] = std::max(most[k], now[k]), least[k] = std::min(least[k], now[k]);
      integral[k] += 0.5 * h * (last[k] + now[k]), squares[k] += 0.5 * h * (last[k] * last[k] + now[k] * now[k]);
    }
    last = now;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const double scale = 1.0 + std::max(std::abs(most[k]), std::abs(least[k]));
    EXPECT_NEAR(walked.watched(0, k, of_watch::first), first[k], 1e-13 * scale) << k;
    EXPECT_NEAR(walked.watched(0, k, of_watch::most), most[k], 1e-13 * scale) << k;
    EXPECT_NEAR(walked.watched(0, k, of_watch::least), least[k], 1e-13 * scale) << k;
    EXPECT_NEAR(walked.watched(0, k, of_watch::integral), integral[k], 1e-13 * scale) << k;
    EXPECT_NEAR(walked.watched(0, k, of_watch::squares), squares[k], 1e-13 * scale * scale) << k;
    EXPECT_GT(most[k] - least[k], 1e-4) << k;
  }
}

/// The sentence with which a walk refuses a model.
std::string refusal(const Model& model) {
  try {
    walkTree(Mechanism(model));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TreeWalkForces, SaysWhatItDoesNotTake) {
  Model model = tree({"spherical", "spherical", "spherical"});
  EXPECT_EQ(refusal(model), "");
  model.forces = {line("body0", "body2", Vector3::Zero(), Vector3::Zero(), 10.0, 0.0, 0.0)};
  EXPECT_NE(refusal(model).find("'body0' and 'body2', of which none hangs on the other"), std::string::npos)
      << refusal(model);
  model.forces = {line("body0", "body1", Vector3::Zero(), Vector3::Zero(), 10.0, 0.0, 0.0)};
  EXPECT_EQ(refusal(model), "");
  model.forces[0].law = ForceLaw::polynomial({10.0, 5.0});
  EXPECT_NE(refusal(model).find("law that is not linear"), std::string::npos) << refusal(model);
  Model cylindrical = tree({"spherical", "cylindrical"});
  EXPECT_NE(refusal(cylindrical).find("'joint1' is of type cylindrical"), std::string::npos) << refusal(cylindrical);
  Model loop = tree({"spherical", "spherical"});
  loop.joints.push_back(loop.joints[1]);
  loop.joints.back().name = "closing", loop.joints.back().first = "ground", loop.joints.back().second = "body1";
  EXPECT_NE(refusal(loop).find("closes a loop"), std::string::npos) << refusal(loop);
}

}  // namespace
}  // namespace polhode::ensemble::tree_walk_forces_test
