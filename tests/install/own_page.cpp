// The walker with a force and a joint of a user's own on the live page, from one file outside of the library: what the page
// has recorded is what a simulation of the same model does.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include <polhode/polhode.h>

namespace {

/// Slows the shaft down.
struct Brake final : polhode::UserForce {
  Brake() : UserForce("brake", polhode::groundIndex, 0) {}

  polhode::ElementWrenches wrenches(double, const polhode::MovingPlacement&,
                                    const polhode::MovingPlacement& shaft) const override {
    const polhode::Matrix3 spin = shaft.rate.W * shaft.at.D.transpose();  // the hat of the angular velocity
    return {{}, {polhode::Vector3::Zero(), polhode::Vector3(0, 0, -2.0 * spin(1, 0))}};
  }
};

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

const char* const recorded = "own_page.csv";

bool hasRows(int rows) {
  std::ifstream file(recorded);
  int lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  return lines > rows;
}

}  // namespace

int main() {
  polhode::Model model = polhode::loadModel("jansen-walker").model;
  model.forces.push_back(polhode::userForce(std::make_shared<Brake>()));
  for (polhode::Joint& joint : model.joints)
    if (joint.name == "bearing") joint.own = std::make_shared<const polhode::JointType>(bearing);
  polhode::SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = 2e-3;
  settings.end = polhode::Simulation::noEnd;

  polhode::LivePageOptions options;
  options.port = 0;  // any
  options.out = recorded;
  polhode::LivePage page(model, settings, options);
  std::thread visitor([&page] {
    for (int i = 0; i < 1200 && !hasRows(20); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    page.stop();
  });
  page.run();
  visitor.join();

  const polhode::Recording rows = polhode::readRecording(recorded).recording;
  if (rows.rows() < 20) return 1;
  polhode::Simulation walker(model, settings);
  walker.advanceTo(rows.column("time")[19]);
  const double shown = rows.column("joint.bearing.angle")[19], simulated = walker.joint("bearing").angle();
  std::printf("on the page: shaft at %.9f rad after %.3f s\n", shown, walker.time());
  return walker.time() > 0.1 && std::abs(shown - simulated) < 1e-9 ? 0 : 1;
}
