#include "analysis/engine_registry.h"
#include "analysis/model_warnings.h"
#include "commands.h"
#include "model/force_type.h"
#include "model/suggestion.h"
#include "model/usual_settings.h"
#include "model_summary.h"
#include "polhode/io/load_model.h"
#include "system/joint_opening.h"
#include "system/mobility.h"
#include "system/principal_body.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode::app {

namespace {

std::string list(const Vector3& v) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v[0], v[1], v[2]);
}

template <class Part, class Print>
void printParts(const std::vector<Part>& parts, const char* kind, const Print& print) {
  for (const Part& part : parts) {
    fmt::print("  {} {}\n    ", kind, quoted(part.name));
    print(part);
  }
}

void printBody(const Body& body) {
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia).eigenvalues();
  fmt::print("mass {:.6g} kg, principal moments {} kg m^2{}\n", body.mass, list(moments),
             body.shape ? fmt::format(", shape {}", typeOf(*body.shape)->name) : "");
}

void printJoint(const Joint& joint) {
  fmt::print("{} between {} and {} at {}", joint.type, quoted(joint.first), quoted(joint.second), list(joint.point));
  for (const CoordinateDrive& drive : joint.drives) {
    fmt::print(", its {} driven", drive.coordinate);
    if (std::isfinite(drive.until)) fmt::print(" until t = {:g} s", drive.until);
  }
  fmt::print("{}\n", joint.length && !joint.length->isConstant() ? ", its length driven" : "");
}

void printCoupling(const Coupling& coupling) {
  const std::string &first = coupling.joints.front(), &last = coupling.joints.back();
  if (coupling.type == "gear")
    fmt::print("gear: joint {} turns {:.6g} times while joint {} turns once\n", quoted(first), coupling.ratio,
               quoted(last));
  else
    fmt::print("{}: joint {} moves by {:.6g} m for each {} of joint {}\n", coupling.type, quoted(last), coupling.ratio,
               coupling.type == "screw" ? "turn" : "radian", quoted(first));
}

void printForce(const Force& force) {
  const ActsOn actsOn = typeOf(force)->actsOn;
  if (actsOn == ActsOn::joint)
    fmt::print("{} on joint {}\n", force.type, quoted(force.joint));
  else if (actsOn == ActsOn::body)
    fmt::print("{} on {}\n", force.type, quoted(force.second));
  else
    fmt::print("{} between {} and {}\n", force.type, quoted(force.first), quoted(force.second));
}

/// "'link3' at [0, 0, -0.6]".
std::string ledWords(const Actuator& actuator) {
  switch (actuator.quantity) {
    case LedQuantity::point:
      return fmt::format("{} at {}", quoted(actuator.body), list(actuator.point));
    case LedQuantity::orientation:
      return fmt::format("the orientation of {}", quoted(actuator.body));
    case LedQuantity::coordinate:
      break;
  }
  return fmt::format("the {} of joint {}", actuator.coordinate, quoted(actuator.joint));
}

/// Loops of the graph of bodies and joints: joints less bodies that a joint connects with an earlier part.
int loops(const Mechanism& mechanism) {
  std::vector<int> root(mechanism.bodies().size() + 1);
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = static_cast<int>(i);
  const auto rootOf = [&](int node) {
    while (root[static_cast<std::size_t>(node)] != node)
      node = root[static_cast<std::size_t>(node)] =
          root[static_cast<std::size_t>(root[static_cast<std::size_t>(node)])];
    return node;
  };
  int count = 0;
  for (const MechanismJoint& joint : mechanism.joints()) {
    if (joint.drives || joint.coupling) continue;
    const int first = rootOf(joint.first + 1), second = rootOf(joint.second + 1);
    if (first == second) ++count;
    root[static_cast<std::size_t>(first)] = second;
  }
  return count;
}

/// "joint 'P5' 1, joint 'P3' 2".
std::string redundantJoints(const Mechanism& mechanism, const Mobility& mobility) {
  std::vector<std::pair<std::string, int>> joints;
  for (const int row : mobility.redundantRows) {
    const std::string& name = jointOfRow(mechanism, row).name;
    if (joints.empty() || joints.back().first != name) joints.emplace_back(name, 0);
    ++joints.back().second;
  }
  std::string text;
  for (const auto& [name, count] : joints)
    text += fmt::format("{}joint {} {}", text.empty() ? "" : ", ", quoted(name), count);
  return text;
}

/// How exactly rows repeat others: "joint 'C' up to 2.4e-06", those that are not exact.
std::string roundingsOf(const Mechanism& mechanism, const Mobility& mobility) {
  constexpr double exact = 1e-12;
  std::vector<std::pair<std::string, double>> joints;
  for (std::size_t i = 0; i < mobility.roundings.size(); ++i) {
    if (mobility.roundings[i] < exact) continue;
    const std::string& name = jointOfRow(mechanism, mobility.redundantRows[i]).name;
    if (joints.empty() || joints.back().first != name) joints.emplace_back(name, 0.0);
    joints.back().second = std::max(joints.back().second, mobility.roundings[i]);
  }
  std::string text;
  for (const auto& [name, rounding] : joints)
    text += fmt::format("{}joint {} by {:.1e}", text.empty() ? "" : ", ", quoted(name), rounding);
  return text;
}

void printMobility(const Mechanism& mechanism) {
  const Mobility mobility = mobilityOf(mechanism);
  fmt::print("  degrees of freedom  {}{}\n", mobility.freedoms,
             mobility.startsSingular ? " (more where it starts, which is a singular position)" : "");
  fmt::print("  loops               {}\n", loops(mechanism));
  fmt::print("  redundant           {}{}\n", mobility.redundant(),
             mobility.redundant() == 0 ? "" : " (" + redundantJoints(mechanism, mobility) + ")");
  if (const std::string roundings = roundingsOf(mechanism, mobility); !roundings.empty())
    fmt::print("    up to roundings of the model, of the size of its loop or rad: {}\n", roundings);
}

void printGaps(const Mechanism& mechanism, const MechanismMotion& motion) {
  if (mechanism.joints().empty()) return;
  JointOpening worst;
  for (const JointOpening& gap : jointOpenings(mechanism, motion)) {
    worst.distance = std::max(worst.distance, gap.distance);
    worst.angle = std::max(worst.angle, gap.angle);
    worst.speed = std::max(worst.speed, gap.speed);
    worst.turning = std::max(worst.turning, gap.turning);
  }
  fmt::print("  largest gaps        {:.2g} m, {:.2g} rad, {:.2g} m/s, {:.2g} rad/s\n", worst.distance, worst.angle,
             worst.speed, worst.turning);
}

void describe(const std::string& path, const std::vector<std::string>& overrides, bool eachPart) {
  const ModelFile file = loadModel(path, overrides);
  const Model& model = file.model;
  requireFit(model, file.simulation);

  fmt::print("{}\n  gravity             {}\n", model.name, list(model.gravity));
  if (isLarge(model)) fmt::print("{}", summaryOfParts(model));
  if (eachPart || !isLarge(model)) {
    printParts(model.bodies, "body", printBody);
    printParts(model.joints, "joint", printJoint);
    printParts(model.couplings, "coupling", printCoupling);
    printParts(model.forces, "force", printForce);
  }
  for (const Actuator& actuator : model.actuators)
    fmt::print("  actuator '{}'\n    leads {}, by {}\n", actuator.name, ledWords(actuator), actuator.control.method);
  const Mechanism mechanism(model);
  const MechanismMotion start = initialMotion(mechanism);
  printMobility(mechanism);
  printGaps(mechanism, start);
  if (!file.assembled.empty()) fmt::print("  assembled           {}\n", file.assembled);
  if (PrincipalBody::fits(model) && !model.joints.empty())
    fmt::print("  about the fixed point: principal moments {} kg m^2\n", list(PrincipalBody(model).data().inertia));
  fmt::print("  at t = 0: energy {:.9g} J, angular momentum {} about the origin\n",
             kineticEnergy(mechanism, start) + potentialEnergy(mechanism, start),
             list(sumsOf(mechanism, start).angularMomentum));
  for (const std::string& kind : file.leftOut) fmt::print("  left out of the URDF file: {}\n", kind);
  for (const std::string& warning : modelWarnings(model, file.simulation)) fmt::print("  looks odd: {}\n", warning);
  fmt::print("  to be simulated in {} coordinates, {} formulation, by {} to t = {:.6g}\n", file.simulation.coordinates,
             file.simulation.formulation, file.simulation.integrator, file.simulation.end);
  if (!file.places.contains("integrator")) fmt::print("    {}\n", usualIntegrator(model).reason);
}

}  // namespace

void addCheck(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  auto overrides = std::make_shared<std::vector<std::string>>();
  auto eachPart = std::make_shared<bool>(false);
  CLI::App* check = app.add_subcommand("check", "Say what a model is, or what is wrong with it.");
  check->add_option("MODEL", *path, "Model file (TOML), or the name of an example")->required();
  check->add_option("--set", *overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  check->add_flag("--bodies", *eachPart, bodiesFlagHelp);
  check->callback([=] { describe(*path, *overrides, *eachPart); });
}

}  // namespace polhode::app
