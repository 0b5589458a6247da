#include "polhode/analysis/simulation.h"

#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "system/assembly.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace polhode::simulation_test {
namespace {

SimulationSettings by(const std::string& integrator, double end = 1.0, std::optional<double> step = 0.01) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = step;
  settings.end = end;
  return settings;
}

/// A rod of 1 m and 2 kg on a hinge, horizontal.
Model pendulum() {
  Model model;
  model.name = "pendulum";
  model.gravity = {0, 0, -9.81};
  Body rod;
  rod.name = "rod";
  rod.mass = 2.0;
  rod.inertia = Vector3(0.001, 2.0 / 12, 2.0 / 12).asDiagonal();
  rod.position = {0.5, 0, 0};
  model.bodies = {rod};
  model.joints = {{"hinge", "revolute", "ground", "rod", Vector3::Zero(), Vector3::UnitY()}};
  return model;
}

std::string refusal(const Model& model) {
  try {
    Simulation(model, by("director-em"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Simulation, MovesAsARunDoes) {
  for (const char* name : {"jansen-walker", "four-bars", "heavy-top", "quarter-car"}) {
    ModelFile file = loadModel(name);
    file.simulation.end = 0.1;
    file.simulation.outputEvery.reset();
    const RunResult whole = simulate(file.model, file.simulation);
    Simulation simulation(file.model, file.simulation);
    simulation.advanceTo(0.1);
    EXPECT_EQ(simulation.time(), whole.final.time);
    const Body& last = whole.final.bodies.back();
    const auto body = simulation.body(last.name);
    EXPECT_EQ(body.position(), last.position) << name;
    EXPECT_EQ(body.orientation(), last.orientation) << name;
    EXPECT_EQ(body.velocity(), last.velocity) << name;
    EXPECT_EQ(body.angularVelocity(), last.angularVelocity) << name;
    EXPECT_EQ(body.acceleration(), whole.final.accelerations.back().linear) << name;
    EXPECT_EQ(simulation.energy(), whole.final.energy()) << name;
    EXPECT_EQ(simulation.work(), whole.final.work) << name;
    EXPECT_EQ(simulation.momentum(), whole.final.linearMomentum) << name;
    EXPECT_EQ(simulation.angularMomentum(), whole.final.angularMomentum) << name;
    const auto joint = simulation.joint(whole.final.joints.front().name);
    EXPECT_EQ(joint.reaction(), whole.final.joints.front().force) << name;
    EXPECT_EQ(joint.torque(), whole.final.joints.front().torque) << name;
  }
}

// phi'' = g m l/2 / (m l^2/3) = 14.715 rad/s^2 at first; the bearing carries a quarter of the weight then.
TEST(Simulation, AModelMadeInCppFalls) {
  for (const char* integrator : {"director-em", "dop853", "linear-implicit-euler"}) {
    Simulation simulation(pendulum(), by(integrator, 1.0, 1e-3));
    const Vector3 inertia = pendulum().bodies[0].inertia.diagonal();
    const double angularAcceleration = 2.0 * 9.81 * 0.5 / (inertia.y() + 2.0 * 0.25);
    EXPECT_NEAR(simulation.body("rod").acceleration().z(), -0.5 * angularAcceleration, 1e-9) << integrator;
    EXPECT_NEAR(simulation.joint("hinge").reaction().z(), 2.0 * (9.81 - 0.5 * angularAcceleration), 1e-8) << integrator;
    simulation.advanceTo(0.1);
    EXPECT_NEAR(std::abs(simulation.joint("hinge").angle()), 0.5 * angularAcceleration * 0.01, 1e-3) << integrator;
    EXPECT_NEAR(std::abs(simulation.joint("hinge").rate()), angularAcceleration * 0.1, 2e-2) << integrator;
    EXPECT_LT(simulation.body("rod").position().z(), -0.03) << integrator;
  }
}

/// The pendulum as a file; `more` follows the joint, whose keys it may go on with.
std::string pendulumFile(const std::string& body = "mass = 2",
                         const std::string& hinge = "bodies = [\"ground\", \"rod\"]", const std::string& more = "") {
  return "[[body]]\nname = \"rod\"\ninertia = [0.001, 0.16667, 0.16667]\nposition = [0.5, 0, 0]\n" + body +
         "\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\npoint = [0, 0, 0]\naxis = [0, 1, 0]\n" + hinge + "\n" +
         more;
}

std::string refusalOfFile(const std::string& text) {
  try {
    readModelText(text, "pendulum.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A model that is wrong in C++ is refused with the sentence that a file with the same fault meets behind its place.
void expectSameSentence(const std::string& file, const std::function<void(Model&)>& spoil) {
  Model model = pendulum();
  spoil(model);
  const std::string sentence = refusal(model), ofFile = refusalOfFile(file);
  EXPECT_NE(sentence, "") << ofFile;
  EXPECT_TRUE(ofFile.ends_with(": " + sentence)) << sentence << "\n" << ofFile;
  EXPECT_THROW(simulate(model, by("director-em")), InputError) << sentence;
}

TEST(Simulation, JudgesAModelAsAFileIsJudged) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string usual = "mass = 2", ends = "bodies = [\"ground\", \"rod\"]";
  EXPECT_EQ(refusalOfFile(pendulumFile()), "");
  EXPECT_EQ(refusal(pendulum()), "");
  expectSameSentence(pendulumFile("mass = -1"), [](Model& model) { model.bodies[0].mass = -1.0; });
  expectSameSentence(pendulumFile(usual, "bodies = [\"ground\", \"rd\"]"),
                     [](Model& model) { model.joints[0].second = "rd"; });
  expectSameSentence(pendulumFile(usual, ends, "[[body]]\nname = \"rod\"\nmass = 1\ninertia = [1, 1, 1]\n"),
                     [](Model& model) { model.bodies.push_back(model.bodies[0]); });
  expectSameSentence(pendulumFile("mass = 2\nvelocity = [1, 0, 0]\nangular_velocity = { body = [0, 0, 0] }"),
                     [](Model& model) {
                       model.bodies[0].velocity = {1, 0, 0};
                     });
  expectSameSentence(pendulumFile("mass = 0").replace(pendulumFile().find("0.001, 0.16667, 0.16667"), 23, "0, 0, 0"),
                     [](Model& model) { model.bodies[0].mass = 0.0, model.bodies[0].inertia.setZero(); });
  expectSameSentence(pendulumFile(usual, "bodies = [\"ground\", \"rod\"]\ndrive = { angle = { formula = \"1 + t\" } }"),
                     [](Model& model) {
                       model.joints[0].drives = {{"angle", Signal::formula("1 + t")}};
                     });
  expectSameSentence(
      pendulumFile(usual, ends,
                   "[[actuator]]\nname = \"hand\"\nbody = \"rood\"\nfollow = { formula = [\"t\", \"0\", \"0\"] }\n"),
      [](Model& model) {
        model.actuators.resize(1);
        model.actuators[0].name = "hand";
        model.actuators[0].body = "rood";
      });
  expectSameSentence(pendulumFile(usual, ends,
                                  "[[force]]\nname = \"coil\"\ntype = \"joint-spring\"\njoint = \"hing\"\n"
                                  "stiffness = 1\n"),
                     [](Model& model) {
                       Force coil{"coil", "joint-spring"};
                       coil.joint = "hing";
                       model.forces = {coil};
                     });
  // files have no such numbers
  Model model = pendulum();
  model.bodies[0].position[1] = nan;
  EXPECT_EQ(refusal(model), "body 'rod' has a position that is not finite; give finite numbers");
}

TEST(Simulation, WantsJointsThatAreClosed) {
  Model model = pendulum();
  model.joints[0].secondPoint = Vector3(0.1, 0, 0);
  EXPECT_NE(refusal(model).find("joint 'hinge' is open at t = 0"), std::string::npos) << refusal(model);
  assemble(model);
  EXPECT_EQ(refusal(model), "");
}

TEST(Simulation, NamesThatDoNotExistAreToldWithTheNearest) {
  const Simulation simulation(pendulum(), by("director-em"));
  const auto sentence = [](const auto& act) -> std::string {
    try {
      act();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(sentence([&] { simulation.body("rood"); }).find("'rod'"), std::string::npos);
  EXPECT_NE(sentence([&] { simulation.joint("hing"); }).find("'hinge'"), std::string::npos);
  EXPECT_NE(sentence([&] { simulation.joint("hinge").coordinate("angel"); }).find("'angle'"), std::string::npos);
}

// Between the ends of steps: within dense output, and for the eye.
TEST(Simulation, IsObservedWhereItWasSent) {
  Simulation exact(pendulum(), by("dop853", 1.0, std::nullopt)), conserving(pendulum(), by("director-em", 1.0, 0.01));
  for (Simulation* simulation : {&exact, &conserving}) {
    simulation->advanceTo(0.3456);
    EXPECT_EQ(simulation->time(), 0.3456);
    EXPECT_EQ(simulation->observe().time, 0.3456);
  }
  EXPECT_LT((exact.body("rod").position() - conserving.body("rod").position()).norm(), 1e-3);
  EXPECT_NEAR(conserving.energy(), 0.0, 1e-12);
  EXPECT_NEAR(exact.energy(), 0.0, 1e-7);
  EXPECT_THROW(exact.advanceTo(0.1), InputError);
  EXPECT_THROW(exact.advanceTo(2.0), InputError);
  EXPECT_EQ(exact.time(), 1.0);
}

TEST(Simulation, TakesLoadsWhereTheEngineDoes) {
  // what holds the rod where it is: half the weight at its end
  for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
    Simulation simulation(pendulum(), by(integrator));
    ASSERT_TRUE(simulation.capabilities().takesLoads);
    simulation.apply({.body = "rod", .force = {0, 0, 9.81}, .point = {0.5, 0, 0}});
    simulation.advanceTo(0.5);
    EXPECT_NEAR(simulation.body("rod").position().z(), 0.0, 1e-12) << integrator;
    EXPECT_NEAR(simulation.joint("hinge").reaction().z(), 9.81, 1e-9) << integrator;
    simulation.clearLoads();
    simulation.advanceTo(0.6);
    EXPECT_LT(simulation.body("rod").position().z(), -0.03) << integrator;
  }
  // one body too, where there is an engine for it
  Simulation top(loadModel("heavy-top").model, by("director-em"));
  top.apply({.body = "top", .torque = {0, 0, 1}});
  EXPECT_NO_THROW(top.step());
  EXPECT_THROW(Simulation(pendulum(), by("dop853")).apply({.body = "rod"}), InputError);
  EXPECT_THROW(top.apply({.body = "nobody"}), InputError);
}

TEST(Simulation, HandsLeadBodies) {
  const Vector3 aim(0.6, 0, -0.8);  // of the rod's end
  for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
    Simulation simulation(pendulum(), by(integrator, 3.0));
    Simulation::HandView hand = simulation.grab({.body = "rod", .point = {0.5, 0, 0}});
    hand.leadTo(aim);
    simulation.advanceTo(2.0);
    const Vector3 end = 2.0 * simulation.body("rod").position();
    EXPECT_LT((end - aim).norm(), 5e-3) << integrator;
    // it bears half of the weight across the rod, as far as the hinge lets it move
    EXPECT_NEAR(hand.pull().dot(Vector3(0.8, 0, 0.6)), 9.81 * 0.6, 0.02) << integrator;
    if (simulation.settings().integrator == "director-em") {
      EXPECT_NEAR(simulation.energy() - simulation.work(), 0.0, 1e-11);
    }
    hand.release();
    simulation.advanceTo(2.2);
    EXPECT_LT(simulation.body("rod").position().z(), end.z() / 2.0 - 0.02) << integrator;
  }
  EXPECT_THROW(Simulation(pendulum(), by("dop853")).grab({.body = "rod"}), InputError);
  Simulation simulation(pendulum(), by("director-em"));
  EXPECT_THROW(simulation.grab({.body = "rood"}), InputError);
  EXPECT_THROW(simulation.grab({.body = "rod", .method = "magic"}), InputError);
  EXPECT_THROW(simulation.grab({.body = "rod", .timeConstant = 0.0}), InputError);
}

TEST(Simulation, HandsTurnBodies) {
  for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
    Simulation simulation(pendulum(), by(integrator, 3.0));
    simulation.advanceTo(0.1);  // turns away from there are led
    const Vector3 before = simulation.body("rod").position();
    const double angle = std::atan2(-before.z(), before.x());
    Simulation::HandView hand = simulation.grab({.body = "rod", .turns = true});
    hand.leadTo({0, 0.5, 0});
    simulation.advanceTo(2.0);
    const Vector3 after = simulation.body("rod").position();
    EXPECT_NEAR(std::atan2(-after.z(), after.x()) - angle, 0.5, 5e-3) << integrator;
    EXPECT_NEAR(hand.pull().y(), -9.81 * std::cos(0.5 + angle), 0.03) << integrator;  // bears the weight
    if (simulation.settings().integrator == "director-em") {
      EXPECT_NEAR(simulation.energy() - simulation.work(), 0.0, 1e-11);
    }
    hand.release();
    simulation.advanceTo(2.2);
    EXPECT_LT(simulation.body("rod").position().z(), after.z() - 0.01) << integrator;
  }
  Model model = pendulum();
  model.bodies[0].inertia.setZero();
  Simulation point(model, by("director-em"));
  EXPECT_THROW(point.grab({.body = "rod", .turns = true}), InputError);
}

TEST(Simulation, ActuatorsWithALiveSourceAreLed) {
  Model model = pendulum();
  model.actuators.resize(2);
  model.actuators[0].name = "motor";
  model.actuators[0].joint = "hinge";
  model.actuators[0].quantity = LedQuantity::coordinate;
  model.actuators[1].name = "wire";
  model.actuators[1].body = "rod";
  model.actuators[1].follow = SampledPath({0.0}, {Vector3(0.5, 0, 0)});
  Simulation simulation(model, by("director-em", 2.0));
  EXPECT_THROW(simulation.hand("wire").leadTo(Vector3::Zero()), InputError);
  EXPECT_THROW(simulation.hand("moter"), InputError);
  model.actuators.pop_back();
  Simulation led(model, by("director-em", 2.0));
  led.hand("motor").leadTo({0.5, 0, 0});
  led.advanceTo(1.5);
  EXPECT_NEAR(led.joint("hinge").angle(), 0.5, 1e-6);
  EXPECT_NEAR(led.hand("motor").pull().x(), -9.81 * std::cos(0.5), 1e-4);  // against the weight, which turns it on
  led.hand("motor").release();
  led.advanceTo(1.7);
  EXPECT_GT(led.joint("hinge").angle(), 0.55);
}

TEST(Simulation, GoesOnFromAStateBitByBit) {
  for (const char* integrator : {"director-em", "dop853", "linear-implicit-euler"}) {
    Simulation first(pendulum(), by(integrator)), second(pendulum(), by(integrator));
    first.advanceTo(0.3);
    const std::string state = first.state();
    first.advanceTo(0.7);
    second.restore(state);
    EXPECT_EQ(second.time(), 0.3);
    second.advanceTo(0.7);
    EXPECT_EQ(first.body("rod").position(), second.body("rod").position()) << integrator;
    EXPECT_THROW(second.restore("rubbish"), InputError);
    EXPECT_EQ(first.body("rod").position(), second.body("rod").position()) << integrator;
  }
}

TEST(Simulation, LoadsAreNotPartOfAState) {
  const Model model = loadModel("spatial-double-pendulum").model;
  const std::string pulled = model.bodies.back().name;
  Simulation loaded(model, by("director-em")), free(model, by("director-em")), restored(model, by("director-em"));
  loaded.apply({.body = pulled, .force = {0.0, 0.0, 50.0}});
  restored.restore(loaded.state());
  for (Simulation* each : {&free, &restored}) each->advanceTo(0.1);
  EXPECT_EQ(free.body(pulled).position(), restored.body(pulled).position());
}

TEST(Simulation, AMultistepMethodIsSavedWhereAStepEnded) {
  Simulation first(pendulum(), by("bdf")), second(pendulum(), by("bdf"));
  first.advanceTo(0.3);
  EXPECT_THROW(first.state(), InputError);
  first.step();
  second.restore(first.state());
  EXPECT_EQ(first.time(), second.time());
  for (Simulation* simulation : {&first, &second}) simulation->advanceTo(0.7);
  EXPECT_EQ(first.body("rod").position(), second.body("rod").position());
}

TEST(Simulation, CanBeMoved) {
  Simulation first(pendulum(), by("director-em"));
  first.advanceTo(0.1);
  Simulation second = std::move(first);
  EXPECT_EQ(second.time(), 0.1);
  second.step();
  EXPECT_EQ(second.model().name, "pendulum");
}

}  // namespace
}  // namespace polhode::simulation_test
