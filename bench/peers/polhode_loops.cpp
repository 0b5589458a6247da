#include "polhode_loops.h"

#include "integrate/catalogue.h"
#include "integrate/mechanism/director_engine.h"
#include "integrate/mechanism/mechanism_stepper.h"
#include "math/euler_map.h"
#include "system/joint_gaps.h"
#include "system/null_space_mechanism.h"

#include <stdexcept>

namespace loop_bench {

using namespace polhode;

namespace {

Three three(const Vector3& a) {
  return {a[0], a[1], a[2]};
}

class PolhodePeer final : public Peer {
 public:
  PolhodePeer(const Model& model, std::string integrator)
      : mechanism_(std::make_shared<const Mechanism>(model)), integrator_(std::move(integrator)) {}

  std::string name() const override { return integrator_; }

  void startSteps(double step) override {
    step_ = step;
    engine_ = std::make_unique<DirectorEngine>(*mechanism_);
    state_ = engine_->start();
  }

  void startTo(double end, double tolerance) override {
    state_.time = end;
    if (integrator_ == "dop853") {
      IntegratorOptions options;
      options.relativeTolerance = options.absoluteTolerance = tolerance;
      equations_ = makeNullSpaceMechanism(mechanism_, "quaternion");
      const VectorX start = equations_->stateOf(initialMotion(*mechanism_));
      stepper_ = makeOdeStepper(integrator_, *equations_, 0.0, start, end, options);
    } else {
      stepper_ = makeMechanismStepper(integrator_, *mechanism_, end, std::nullopt, tolerance, end);
    }
  }

  void step() override {
    if (!engine_->step(state_, step_).converged) throw std::runtime_error("a step does not converge");
  }

  void advance() override {
    while (stepper_->time() < state_.time) stepper_->step();
    state_.bodies = equations_ ? equations_->motionOf(state_.time, stepper_->state())
                               : MechanismStepper::motionFrom(stepper_->state());
  }

  double energy() override { return kineticEnergy() + potentialEnergy(*mechanism_, state_.bodies); }
  double kineticEnergy() override { return polhode::kineticEnergy(*mechanism_, state_.bodies); }
  double gap() override { return JointGaps(*mechanism_).at(state_.time, state_.bodies)[0].size; }

  std::vector<Three> positions() override {
    std::vector<Three> all;
    for (const int b : mechanism_->topology().order)
      all.push_back(three(state_.bodies[static_cast<std::size_t>(b)].at.x));
    return all;
  }

 private:
  std::shared_ptr<const Mechanism> mechanism_;
  std::string integrator_;
  double step_ = 0.0;
  std::unique_ptr<DirectorEngine> engine_;
  std::unique_ptr<NullSpaceMechanism> equations_;
  std::unique_ptr<Stepper> stepper_;
  MechanismState state_;
};

}  // namespace

Case caseOf(const std::string& name, const Model& model) {
  const Mechanism mechanism(model);
  const Topology& topology = mechanism.topology();
  Case result{name, three(model.gravity), {}, {}, {}, {}};
  std::vector<int> numberOf(model.bodies.size());
  for (std::size_t i = 0; i < topology.order.size(); ++i)
    numberOf[static_cast<std::size_t>(topology.order[i])] = static_cast<int>(i);
  const auto number = [&](int body) { return body < 0 ? -1 : numberOf[static_cast<std::size_t>(body)]; };
  const auto connection = [&](std::size_t j) -> Connection {
    const Joint& joint = model.joints[j];
    if (joint.type != "revolute" && joint.type != "spherical")
      throw std::runtime_error("only hinges and ball joints are compared, not a joint of type " + joint.type);
    const MechanismJoint& made = mechanism.joints()[j];
    return {number(made.first), number(made.second), joint.type == "revolute", three(joint.point), three(joint.axis)};
  };
  for (const int b : topology.order) {
    const Body& body = model.bodies[static_cast<std::size_t>(b)];
    const Matrix3 R = rotationMatrix(body.orientation), J = R * body.inertia * R.transpose();
    result.parts.push_back({body.mass,
                            {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)},
                            three(body.position),
                            three(body.velocity),
                            three(R * body.angularVelocity)});
    const int j = topology.parentJoint[static_cast<std::size_t>(b)];
    result.jointOfParent.push_back(j < 0 ? -1 : static_cast<int>(result.joints.size()));
    if (j < 0) continue;
    Connection joint = connection(static_cast<std::size_t>(j));
    if (joint.second != number(b)) std::swap(joint.first, joint.second);
    result.joints.push_back(joint);
  }
  for (const int j : topology.cutJoints) result.closing.push_back(connection(static_cast<std::size_t>(j)));
  return result;
}

std::unique_ptr<Peer> polhodePeer(const Model& model, const std::string& integrator) {
  return std::make_unique<PolhodePeer>(model, integrator);
}

}  // namespace loop_bench
