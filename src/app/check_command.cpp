#include "polhode/analysis/simulation.h"
#include "polhode/system/principal_body.h"

#include "commands.h"
#include "model_source.h"
#include <fmt/format.h>

namespace polhode::app {

namespace {

std::string list(const Vector3& v) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v[0], v[1], v[2]);
}

void describe(const std::string& path, const std::vector<std::string>& overrides) {
  const ModelFile file = loadModel(path, overrides);
  const Model& model = file.model;
  const auto simulation = makeSimulation(model, file.simulation);  // says what does not fit together
  const Observation start = simulation->observe(0.0, simulation->stepper().state());

  fmt::print("{}\n", model.name);
  fmt::print("  gravity             {}\n", list(model.gravity));
  for (const Body& body : model.bodies) {
    const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia).eigenvalues();
    fmt::print("  body '{}'\n    mass {:.6g} kg, principal moments {} kg m^2{}\n", body.name, body.mass, list(moments),
               body.shape ? fmt::format(", shape {}", shapeName(*body.shape)) : "");
  }
  for (const Joint& joint : model.joints)
    fmt::print("  joint '{}'\n    {} between '{}' and '{}' at {}\n", joint.name, joint.type, joint.first, joint.second,
               list(joint.point));
  for (const Force& force : model.forces) fmt::print("  force '{}'\n    {}\n", force.name, force.type);

  const PrincipalBody body(model);
  const auto freedoms = 6 * model.bodies.size() - 3 * model.joints.size();
  fmt::print("  degrees of freedom  {}\n  loops               0\n  redundant           0\n", freedoms);
  if (!model.joints.empty())
    fmt::print("  about the fixed point: principal moments {} kg m^2\n", list(body.data().inertia));
  fmt::print("  at t = 0: energy {:.9g} J, angular momentum {} about the origin\n", start.energy(),
             list(start.angularMomentum));
  fmt::print("  to be simulated in {} coordinates, {} formulation, by {} to t = {:.6g}\n", file.simulation.coordinates,
             file.simulation.formulation, file.simulation.integrator, file.simulation.end);
}

}  // namespace

void addCheck(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  auto overrides = std::make_shared<std::vector<std::string>>();
  CLI::App* check = app.add_subcommand("check", "Say what a model is, or what is wrong with it.");
  check->add_option("MODEL", *path, "Model file (TOML), or the name of an example")->required();
  check->add_option("--set", *overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  check->callback([path, overrides] { describe(*path, *overrides); });
}

}  // namespace polhode::app
