// polhode_gpu_check [WORD]: steps the same members on the GPU and on the processor, and prints what a manual needs: how far they are
// apart, how well the energy is kept, and how many steps of a body are made in a second; of the models with that word in their names.
#include "ensemble/gpu/gpu_trees.h"
#include "integrate/mechanism/general_engine.h"
#include "integrate/mechanism/lane_trees.h"
#include "polhode/error.h"
#include "system/mechanism_observation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr double h = 1e-3;

/// Rods of a metre and a kilogram that hang on each other, stretched out.
Model chain(int count, const std::string& joint) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  for (int i = 0; i < count; ++i) {
    Body body;
    body.name = "rod" + std::to_string(i);
    body.mass = 1.0;
    const double radius = 0.05, along = radius * radius / 2.0, across = (3.0 * radius * radius + 1.0) / 12.0;
    body.inertia = Vector3(along, across, across).asDiagonal();
    body.position = Vector3(i + 0.5, 0.0, 0.0);
    model.bodies.push_back(body);
    Joint to{"joint" + std::to_string(i), joint, i == 0 ? "ground" : model.bodies[static_cast<std::size_t>(i) - 1].name,
             body.name, Vector3(i, 0.0, 0.0)};
    to.axis = Vector3::UnitY();
    model.joints.push_back(to);
  }
  return model;
}

/// Joints of a chain in turn.
Model mixed(const std::vector<std::string>& joints) {
  Model model = chain(static_cast<int>(joints.size()), "revolute");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    model.joints[i].type = joints[i];
    if (joints[i] == "prismatic") model.joints[i].axis = Vector3(1.0, 0.0, 1.0);
  }
  return model;
}

Force between(const std::string& type, std::size_t number) {
  Force force;
  force.name = type + std::to_string(number);
  force.type = type;
  return force;
}

/// Springs along all joints of a type.
Model sprung(Model model, const std::string& joint, double stiffness, double damping) {
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (model.joints[i].type != joint) continue;
    Force spring = between("joint-spring", i);
    spring.joint = model.joints[i].name;
    spring.law = ForceLaw::polynomial({stiffness});
    spring.damping = damping;
    model.forces.push_back(spring);
  }
  return model;
}

Model hingesAndSlides() {
  return sprung(
      mixed({"revolute", "prismatic", "revolute", "prismatic", "revolute", "prismatic", "revolute", "prismatic"}),
      "prismatic", 1000.0, 0.0);
}

/// Springs between points of neighbours, and one from the end to the ground.
Model sprungBalls() {
  Model model = chain(8, "spherical");
  for (std::size_t i = 0; i < 8; ++i) {
    Force spring = between("spring", i);
    spring.first = i == 0 ? "ground" : model.bodies[i - 1].name, spring.second = model.bodies[i].name;
    spring.firstPoint = model.bodies[i].position + Vector3(-0.8, 0.0, 0.1);
    spring.secondPoint = model.bodies[i].position + Vector3(-0.2, 0.0, 0.1);
    spring.law = ForceLaw::polynomial({500.0});
    spring.rest = 0.5;
    model.forces.push_back(spring);
  }
  Force last = model.forces.back();
  last.name = "last", last.first = "ground", last.firstPoint = Vector3(8.0, 0.0, 2.0),
  last.secondPoint = Vector3(8.0, 0.0, 0.0);
  last.rest = 1.0;
  model.forces.push_back(last);
  return model;
}

/// Hinges and slides with motors and dampers, and a load that turns with the last rod.
Model driven() {
  Model model = hingesAndSlides();
  for (std::size_t i = 0; i < 8; ++i) {
    Force motor = between("joint-motor", i), damper = between("joint-damper", i);
    motor.joint = damper.joint = model.joints[i].name;
    motor.effort = 2.0;
    motor.scale = Signal::formula("sin(3*t)");
    damper.damping = 5.0;
    model.forces.insert(model.forces.end(), {motor, damper});
  }
  Force load = between("load", 0);
  load.second = model.bodies.back().name;
  load.vector = Vector3(0.0, 1.0, 3.0), load.inBody = true;
  load.secondPoint = Vector3(8.0, 0.0, 0.0);
  model.forces.push_back(load);
  return model;
}

/// The same rods turning about the first joint, each member with a speed of its own, and with masses of their own where asked.
std::vector<std::shared_ptr<const Mechanism>> members(const Model& model, std::int64_t count, bool varied) {
  std::vector<std::shared_ptr<const Mechanism>> all;
  for (std::int64_t m = 0; m < count; ++m) {
    Model own = model;
    const double rate = 1e-3 * static_cast<double>(m % 1000);
    for (Body& body : own.bodies) {
      if (own.joints.front().type != "prismatic") {
        body.angularVelocity = Vector3(0.0, rate, 0.0);
        body.velocity = body.angularVelocity.cross(body.position);
      }
      if (varied) body.mass *= 1.0 + 1e-4 * static_cast<double>(m % 1000);
    }
    all.push_back(std::make_shared<const Mechanism>(own));
  }
  return all;
}

double energyOf(const Mechanism& mechanism, const MechanismMotion& motion) {
  return kineticEnergy(mechanism, motion) + potentialEnergy(mechanism, motion);
}

/// How far two motions are apart.
double distance(const MechanismMotion& there, const MechanismMotion& here) {
  double apart = 0.0;
  for (std::size_t b = 0; b < here.size(); ++b) apart = std::max(apart, (there[b].at.x - here[b].at.x).norm());
  return apart;
}

/// After 1000 steps by the engine for mechanisms of any kind.
MechanismMotion engineAfter(const Mechanism& mechanism) {
  GeneralEngine engine(mechanism);
  MechanismState state = startOf(mechanism);
  for (int i = 0; i < 1000; ++i) {
    if (!engine.step(state, h).converged) throw SimulationError(state.time, "the processor's step does not converge");
    state.time = (i + 1) * h;
  }
  return state.bodies;
}

/// How far the card and the processor are apart after 1000 steps, for members that are not chaotic, and how much energy is
/// lost or won in 1e5 (beyond the work of what has no potential), of the largest kinetic energy that the fall can give.
void compare(const std::string& name, const Model& model, bool varied) {
  const auto few = members(model, 64, varied);
  const bool isPlain = LaneTrees::fit(*few[0], *few[0]);
  ensemble::GpuTrees gpu(ensemble::walkParts(few));
  gpu.step(1000, h);
  double apart = 0.0;
  for (std::size_t m = 0; m < few.size() && !isPlain; m += 8)
    apart = std::max(
        apart, distance(walkedMotion(gpu.parts(), gpu.bodies(), static_cast<std::int64_t>(m)), engineAfter(*few[m])));
  for (std::size_t first = 0; first < few.size() && isPlain; first += 8) {
    const auto lanes = LaneTrees::make(
        {few.begin() + static_cast<std::ptrdiff_t>(first), few.begin() + static_cast<std::ptrdiff_t>(first) + 8}, h, 8);
    for (int i = 0; i < 1000; ++i) lanes->step();
    for (std::size_t m = 0; m < 8; ++m)
      apart = std::max(apart, distance(walkedMotion(gpu.parts(), gpu.bodies(), static_cast<std::int64_t>(first + m)),
                                       lanes->motion(m)));
  }
  gpu.step(99000, h);
  const std::vector<double> work = gpu.work();
  double drift = 0.0;
  int stopped = 0;
  for (std::size_t m = 0; m < few.size(); ++m) {
    double scale = 0.0;
    for (const auto& body : few[m]->bodies())
      scale += body.mass * few[m]->gravity().norm() * static_cast<double>(few[m]->bodies().size());
    const auto end = walkedMotion(gpu.parts(), gpu.bodies(), static_cast<std::int64_t>(m));
    const double change = energyOf(*few[m], end) - energyOf(*few[m], initialMotion(*few[m]));
    drift = std::max(drift, std::abs(change - work[m]) / std::max(scale, std::abs(work[m])));
    stopped += gpu.hasStopped(static_cast<std::int64_t>(m)) ? 1 : 0;
  }
  std::printf("%-22s %-7s %9.1e %9.1e %6d", name.c_str(), varied ? "own" : "equal", apart, drift, stopped);
}

/// Steps of a body in a second, with as many members as fill the card.
void time(const Model& model, std::int64_t count, bool varied) {
  const auto many = members(model, 2048, varied);
  std::vector<std::shared_ptr<const Mechanism>> all;
  for (std::int64_t m = 0; m < count; ++m) all.push_back(many[static_cast<std::size_t>(m % 2048)]);
  ensemble::GpuTrees gpu(ensemble::walkParts(all));
  gpu.step(20, h);
  constexpr int steps = 500;
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t iterations = gpu.step(steps, h);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double made = static_cast<double>(count) * steps;
  std::printf(" %9lld %10.3g %8.3f\n", static_cast<long long>(count),
              made * static_cast<double>(model.bodies.size()) / seconds, static_cast<double>(iterations) / made);
}

/// How far members that are pulled at for a while, of which one is then put back to its start, are from where lanes bring them.
void checkHands() {
  const auto few = members(chain(8, "spherical"), 8, true);
  ensemble::GpuTrees gpu(ensemble::walkParts(few));
  const auto lanes = LaneTrees::make(few, h, 8);
  std::vector<double> forces, torques;
  for (std::size_t m = 0; m < few.size(); ++m) {
    const Vector3 force(0.0, 3.0 + static_cast<double>(m), 10.0), torque(1.0, 0.0, 0.5);
    forces.insert(forces.end(), force.begin(), force.end());
    torques.insert(torques.end(), torque.begin(), torque.end());
    lanes->setLoad(m, 5, force, torque);
  }
  const auto go = [&] {
    gpu.step(200, h);
    for (int i = 0; i < 200; ++i) lanes->step();
  };
  gpu.setLoads(5, forces, torques);
  go();
  gpu.setLoads(5, {}, {});
  for (std::size_t m = 0; m < few.size(); ++m) lanes->setLoad(m, 5, Vector3::Zero(), Vector3::Zero());
  const std::int64_t which[] = {3};
  const MechanismMotion start[] = {initialMotion(*few[3])};
  gpu.place(which, start);
  lanes->place(3, start[0]);
  go();
  double apart = 0.0;
  for (std::size_t m = 0; m < few.size(); ++m)
    apart = std::max(apart,
                     distance(walkedMotion(gpu.parts(), gpu.bodies(), static_cast<std::int64_t>(m)), lanes->motion(m)));
  std::printf("pulled at for 200 steps, one put back, 200 more: %.1e m apart\n", apart);
}

int checkAll(const std::string& word) {
  if (const std::string why = ensemble::GpuTrees::obstacle(); !why.empty()) {
    std::fprintf(stderr, "polhode_gpu_check: %s\n", why.c_str());
    return 2;
  }
  const auto card = ensemble::GpuTrees::card();
  std::printf("%s: %.3g bytes and %.3g operations in double precision a second at best\n", card.name.c_str(),
              card.bytes, card.operations);
  checkHands();
  std::printf("%-22s %-7s %9s %9s %6s %9s %10s %8s\n", "model", "masses", "apart/m", "energy", "ended", "members",
              "bodies/s", "iter.");
  const struct {
    std::string name;
    Model model;
    std::int64_t members;
  } cases[] = {
      {"1 ball", chain(1, "spherical"), 2000000},
      {"8 balls", chain(8, "spherical"), 274560},
      {"32 balls", chain(32, "spherical"), 67584},
      {"8 hinges", chain(8, "revolute"), 274560},
      {"32 hinges", chain(32, "revolute"), 67584},
      {"4 balls, 4 fixed",
       mixed({"spherical", "fixed", "spherical", "fixed", "spherical", "fixed", "spherical", "fixed"}), 274560},
      {"4 hinges, 4 slides", hingesAndSlides(), 137280},
      {"8 balls, springs", sprungBalls(), 137280},
      {"8 hinges, springs", sprung(chain(8, "revolute"), "revolute", 50.0, 0.1), 137280},
      {"motors, loads", driven(), 137280}};
  for (const auto& each : cases)
    for (const bool varied : {false, true}) {
      if (each.name.find(word) == std::string::npos) continue;
      compare(each.name, each.model, varied);
      time(each.model, each.members, varied);
      std::fflush(stdout);
    }
  return 0;
}

}  // namespace
}  // namespace polhode

int main(int count, char** words) {
  try {
    return polhode::checkAll(count > 1 ? words[1] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "polhode_gpu_check: %s\n", error.what());
    return 1;
  }
}
