#include "chain_case.h"

#ifdef POLHODE_HAS_SIMBODY

#include <Simbody.h>

namespace chain_bench {

namespace {

class SimbodyChain final : public Chain {
 public:
  SimbodyChain(int count, bool hinged) {
    SimTK::Force::UniformGravity(forces_, matter_, SimTK::Vec3(0, 0, -gravity));
    const SimTK::Vec3 centre(0.5 * length, 0, 0);
    const SimTK::Inertia inertia(inertiaAlong, inertiaAcross, inertiaAcross);
    const SimTK::Body::Rigid rod(SimTK::MassProperties(mass, centre, inertia.shiftFromMassCenter(centre, mass)));
    const SimTK::Rotation aboutY(-0.5 * SimTK::Pi, SimTK::XAxis);  // a pin turns about its z axis
    SimTK::MobilizedBody last = matter_.Ground();
    for (int i = 0; i < count; ++i) {
      const SimTK::Vec3 point(i == 0 ? 0.0 : length, 0, 0), origin(0);
      if (hinged)
        last = SimTK::MobilizedBody::Pin(last, SimTK::Transform(aboutY, point), rod, SimTK::Transform(aboutY, origin));
      else
        last = SimTK::MobilizedBody::Ball(last, SimTK::Transform(point), rod, SimTK::Transform(origin));
    }
    start_ = system_.realizeTopology();
    system_.realizeModel(start_);
    reset();
  }

  void reset() override {
    integrator_ = std::make_unique<SimTK::SemiExplicitEuler2Integrator>(system_);
    integrator_->setFixedStepSize(step);
    integrator_->setReturnEveryInternalStep(true);
    integrator_->setAllowInterpolation(false);
    integrator_->initialize(start_);
    taken_ = integrator_->getNumStepsTaken();
  }

  void advance() override {
    for (int tries = 0; tries < 10 && integrator_->getNumStepsTaken() == taken_; ++tries) integrator_->stepTo(1e3, 1e3);
    taken_ = integrator_->getNumStepsTaken();
  }

  Energy energy() override {
    const SimTK::State& state = integrator_->getAdvancedState();
    system_.realize(state, SimTK::Stage::Dynamics);
    return {matter_.calcKineticEnergy(state), system_.calcPotentialEnergy(state)};
  }

 private:
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::State start_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  int taken_ = 0;
};

}  // namespace

std::unique_ptr<Chain> simbodyChain(int count, bool hinged) {
  return std::make_unique<SimbodyChain>(count, hinged);
}

}  // namespace chain_bench

#else

std::unique_ptr<chain_bench::Chain> chain_bench::simbodyChain(int, bool) {
  return nullptr;
}

#endif
