// A joint of a user's own, in one file outside of the library: the walker's shaft on it, with two integrators.
#include <cmath>
#include <cstdio>

#include <polhode/polhode.h>

namespace {

/// A hinge: what it forbids, and what it leaves free.
const polhode::JointType bearing{
    "my bearing",
    "The bodies turn against each other about one axis.",
    polhode::JointNeeds::pointAndAxis,
    [](const polhode::JointGeometry& g) {
      std::vector<polhode::JointEquation> equations;
      for (int k = 0; k < 3; ++k)
        equations.push_back({polhode::pointForm(polhode::Vector3::Unit(k), g.first.point, g.second.point)});
      equations.push_back({polhode::axesForm(g.first.z(), g.second.x())});
      equations.push_back({polhode::axesForm(g.first.z(), g.second.y())});
      return equations;
    },
    {{polhode::MotionKind::rotation, 2}},
    true,
    {{"angle", polhode::MotionKind::rotation, 2}}};

double angleOf(const polhode::Model& model, const char* integrator) {
  polhode::SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = 2e-3;
  settings.end = 0.1;
  polhode::Simulation walker(model, settings);
  walker.advanceTo(0.1);
  return walker.joint("bearing").angle();
}

}  // namespace

int main() {
  const polhode::Model given = polhode::loadModel("jansen-walker").model;
  polhode::Model model = given;
  for (polhode::Joint& joint : model.joints)
    if (joint.name == "bearing") joint.own = std::make_shared<const polhode::JointType>(bearing);
  for (const char* integrator : {"director-em", "dop853"}) {
    const double own = angleOf(model, integrator), library = angleOf(given, integrator);
    std::printf("%s: shaft at %.9f rad\n", integrator, own);
    if (!(std::abs(own - library) < 1e-8)) return 1;
  }
}
