// A force of a user's own, in one file outside of the library: a brake on the walker's shaft, with two integrators.
#include <cmath>
#include <cstdio>

#include <polhode/polhode.h>

namespace {

struct Brake final : polhode::UserForce {
  Brake(int body, double c) : UserForce("brake", polhode::groundIndex, body), coefficient(c) {}

  polhode::ElementWrenches wrenches(double, const polhode::MovingPlacement&,
                                    const polhode::MovingPlacement& shaft) const override {
    const polhode::Matrix3 spin = shaft.rate.W * shaft.at.D.transpose();  // the hat of the angular velocity
    return {{}, {polhode::Vector3::Zero(), polhode::Vector3(0, 0, -coefficient * spin(1, 0))}};
  }

  double coefficient;
};

double speedOf(const polhode::Model& model, const char* integrator) {
  polhode::SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = 2e-3;
  settings.end = 0.1;
  polhode::Simulation walker(model, settings);
  walker.advanceTo(0.1);
  return walker.joint("bearing").rate();
}

}  // namespace

int main() {
  polhode::Model model = polhode::loadModel("jansen-walker").model;
  const double alone = speedOf(model, "director-em-4");
  model.forces.push_back(polhode::userForce(std::make_shared<Brake>(0, 2.0)));
  const double conserving = speedOf(model, "director-em-4"), classical = speedOf(model, "dop853");
  std::printf("shaft: %.6f rad/s, braked %.6f and %.6f\n", alone, conserving, classical);
  return std::abs(conserving - classical) < 1e-5 && conserving < alone - 0.01 ? 0 : 1;
}
