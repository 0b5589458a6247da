#include "chain_case.h"
#include "integrate/mechanism/director_engine.h"

#include <fmt/format.h>

namespace chain_bench {

namespace {

using namespace polhode;

Model chainModel(int count, bool hinged) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -gravity);
  for (int i = 0; i < count; ++i) {
    Body rod;
    rod.name = fmt::format("rod{}", i + 1);
    rod.mass = mass;
    rod.inertia = Vector3(inertiaAlong, inertiaAcross, inertiaAcross).asDiagonal();
    rod.position = Vector3((i + 0.5) * length, 0.0, 0.0);
    Joint joint;
    joint.name = fmt::format("joint{}", i + 1);
    joint.type = hinged ? "revolute" : "spherical";
    joint.first = i == 0 ? "ground" : fmt::format("rod{}", i);
    joint.second = rod.name;
    joint.point = Vector3(i * length, 0.0, 0.0);
    joint.axis = Vector3::UnitY();
    model.bodies.push_back(rod);
    model.joints.push_back(joint);
  }
  return model;
}

class PolhodeChain final : public Chain {
 public:
  PolhodeChain(int count, bool hinged) : mechanism_(chainModel(count, hinged)) { reset(); }

  void reset() override {
    engine_ = std::make_unique<DirectorEngine>(mechanism_);
    state_ = engine_->start();
    steps_ = iterations_ = 0;
  }

  void advance() override {
    iterations_ += engine_->step(state_, step).iterations;
    ++steps_;
  }

  Energy energy() override {
    return {kineticEnergy(mechanism_, state_.bodies), potentialEnergy(mechanism_, state_.bodies)};
  }

  double iterations() const override { return static_cast<double>(iterations_) / static_cast<double>(steps_); }

 private:
  Mechanism mechanism_;
  std::unique_ptr<DirectorEngine> engine_;
  MechanismState state_;
  long steps_ = 0, iterations_ = 0;
};

}  // namespace

std::unique_ptr<Chain> polhodeChain(int count, bool hinged) {
  return std::make_unique<PolhodeChain>(count, hinged);
}

}  // namespace chain_bench
