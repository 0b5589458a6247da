#include "loop_case.h"

#ifdef POLHODE_HAS_SIMBODY

#include <Simbody.h>

namespace loop_bench {

namespace {

using SimTK::Rotation;
using SimTK::Transform;
using SimTK::Vec3;

Vec3 vec(const Three& a) {
  return Vec3(a[0], a[1], a[2]);
}

class SimbodyPeer final : public Peer {
 public:
  explicit SimbodyPeer(const Case& mechanism) : case_(mechanism) {
    SimTK::Force::UniformGravity(forces_, matter_, vec(mechanism.gravity));
    for (std::size_t b = 0; b < mechanism.parts.size(); ++b) {
      const Part& part = mechanism.parts[b];
      const auto& J = part.inertia;
      const SimTK::Body::Rigid body(
          SimTK::MassProperties(part.mass, Vec3(0), SimTK::Inertia(J[0], J[1], J[2], J[3], J[4], J[5])));
      const int j = mechanism.jointOfParent[b];
      if (j < 0) {
        bodies_.push_back(SimTK::MobilizedBody::Free(matter_.Ground(), Transform(), body, Transform()));
        continue;
      }
      const Connection& joint = mechanism.joints[static_cast<std::size_t>(j)];
      const Rotation turned = joint.isHinge ? Rotation(SimTK::UnitVec3(vec(joint.axis)), SimTK::ZAxis) : Rotation();
      const Transform onParent(turned, local(joint.first, joint.point)),
          onBody(turned, local(joint.second, joint.point));
      SimTK::MobilizedBody& parent = mobile(joint.first);
      if (joint.isHinge)
        bodies_.push_back(SimTK::MobilizedBody::Pin(parent, onParent, body, onBody));
      else
        bodies_.push_back(SimTK::MobilizedBody::Ball(parent, onParent, body, onBody));
    }
    for (const Connection& joint : mechanism.closing)
      SimTK::Constraint::Ball(mobile(joint.first), local(joint.first, joint.point), mobile(joint.second),
                              local(joint.second, joint.point));
    start_ = system_.realizeTopology();
    system_.realizeModel(start_);
    for (std::size_t b = 0; b < bodies_.size(); ++b) setStart(b);
  }

  std::string name() const override { return "Simbody"; }

  void startSteps(double step) override {
    integrator_ = std::make_unique<SimTK::SemiExplicitEuler2Integrator>(system_);
    integrator_->setFixedStepSize(step);
    integrator_->setReturnEveryInternalStep(true);
    initialise();
  }

  void startTo(double end, double tolerance) override {
    end_ = end;
    integrator_ = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
    integrator_->setAccuracy(tolerance);
    initialise();
  }

  void step() override {
    for (int tries = 0; tries < 10 && integrator_->getNumStepsTaken() == taken_; ++tries) integrator_->stepTo(1e3, 1e3);
    taken_ = integrator_->getNumStepsTaken();
  }

  void advance() override {
    while (integrator_->getTime() < end_) integrator_->stepTo(end_, end_);
  }

  double energy() override { return system_.calcEnergy(now(SimTK::Stage::Dynamics)); }
  double kineticEnergy() override { return matter_.calcKineticEnergy(now(SimTK::Stage::Dynamics)); }

  std::vector<Three> positions() override {
    std::vector<Three> all;
    for (const SimTK::MobilizedBody& body : bodies_) {
      const Vec3 x = body.getBodyOriginLocation(now(SimTK::Stage::Position));
      all.push_back({x[0], x[1], x[2]});
    }
    return all;
  }

  double gap() override {
    const SimTK::State& state = now(SimTK::Stage::Position);
    double widest = 0.0;
    for (const Connection& joint : case_.closing) {
      const Vec3 apart = mobile(joint.first).findStationLocationInGround(state, local(joint.first, joint.point)) -
                         mobile(joint.second).findStationLocationInGround(state, local(joint.second, joint.point));
      widest = std::max(widest, apart.norm());
    }
    return widest;
  }

 private:
  void initialise() {
    integrator_->setAllowInterpolation(false);
    integrator_->initialize(start_);
    taken_ = integrator_->getNumStepsTaken();
  }
  SimTK::MobilizedBody& mobile(int body) {
    return body < 0 ? static_cast<SimTK::MobilizedBody&>(matter_.updGround()) : bodies_[static_cast<std::size_t>(body)];
  }
  Vec3 local(int body, const Three& point) const {
    return body < 0 ? vec(point) : vec(point) - vec(case_.parts[static_cast<std::size_t>(body)].position);
  }
  const SimTK::State& now(SimTK::Stage stage) {
    const SimTK::State& state = integrator_->getAdvancedState();
    system_.realize(state, stage);
    return state;
  }
  void setStart(std::size_t b) {
    const Part& part = case_.parts[b];
    const int j = case_.jointOfParent[b];
    if (j < 0) {
      bodies_[b].setQToFitTranslation(start_, vec(part.position));
      bodies_[b].setUToFitVelocity(start_, SimTK::SpatialVec(vec(part.angularVelocity), vec(part.velocity)));
      return;
    }
    const Connection& joint = case_.joints[static_cast<std::size_t>(j)];
    Vec3 relative = vec(part.angularVelocity);
    if (joint.first >= 0) relative -= vec(case_.parts[static_cast<std::size_t>(joint.first)].angularVelocity);
    bodies_[b].setUToFitAngularVelocity(start_, ~bodies_[b].getDefaultInboardFrame().R() * relative);
  }

  Case case_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State start_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  double end_ = 0.0;
  int taken_ = 0;
};

}  // namespace

std::unique_ptr<Peer> simbodyPeer(const Case& mechanism) {
  return std::make_unique<SimbodyPeer>(mechanism);
}

}  // namespace loop_bench

#else

std::unique_ptr<loop_bench::Peer> loop_bench::simbodyPeer(const Case&) {
  return nullptr;
}

#endif
