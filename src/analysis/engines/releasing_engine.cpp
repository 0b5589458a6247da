#include "analysis/engines/releasing_engine.h"

#include "analysis/engines/settings_fit.h"
#include "integrate/archive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace polhode {

namespace {

bool isLetGo(const CoordinateDrive& drive) {
  return std::isfinite(drive.until);
}

/// The model as a phase that begins at a time has it: without the drives that were let go, and none of the others ends.
Model phaseOf(Model model, double time) {
  for (Joint& joint : model.joints) {
    std::erase_if(joint.drives, [time](const CoordinateDrive& drive) { return drive.until <= time; });
    for (CoordinateDrive& drive : joint.drives) drive.until = std::numeric_limits<double>::infinity();
  }
  return model;
}

std::vector<double> releasesOf(const Model& model, double end) {
  std::vector<double> times;
  for (const Joint& joint : model.joints)
    for (const CoordinateDrive& drive : joint.drives)
      if (isLetGo(drive) && drive.until < end) times.push_back(drive.until);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

EngineCapabilities withoutHands(EngineCapabilities capabilities) {
  capabilities.takesHands = false;
  return capabilities;
}

std::string releaseObstacle(const Model& model, const SimulationSettings& settings) {
  const Model first = phaseOf(model, 0.0);
  if (!engineFor(first, settings).capabilities.goesOn)
    return fmt::format("integrator '{}' does not let drives go; choose 'director-em' or 'dop853'", settings.integrator);
  return obstacleOf(first, settings);
}

}  // namespace

const EngineType ReleasingEngine::type = {
    "let go",
    "mechanisms some of whose drives are let go on the way, by the engine of their integrator",
    {.takesLoads = true, .goesOn = true, .movesDrives = true, .couplesJoints = true},
    [](const Model& model, const SimulationSettings&) {
      return std::any_of(model.joints.begin(), model.joints.end(), [](const Joint& joint) {
        return std::any_of(joint.drives.begin(), joint.drives.end(), isLetGo);
      });
    },
    releaseObstacle,
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<ReleasingEngine>(model, settings);
    }};

ReleasingEngine::ReleasingEngine(const Model& model, const SimulationSettings& settings)
    : Engine(withoutHands(engineFor(phaseOf(model, 0.0), settings).capabilities)),
      model_(model),
      settings_(settings),
      releases_(releasesOf(model, settings.end)) {
  makePhase(0.0);
}

void ReleasingEngine::makePhase(double time) {
  const Model model = phaseOf(model_, time);
  SimulationSettings settings = settings_;
  const auto next = std::upper_bound(releases_.begin(), releases_.end(), time);
  if (next != releases_.end()) settings.end = *next;
  now_ = engineFor(model, settings).make(model, settings);
  begin_ = time;
}

/// The state of the phase before is taken as it is, with what bodies do not tell of it, where it is one of this phase too.
void ReleasingEngine::begin(double time, const std::vector<Body>& bodies, const VectorX& state) {
  makePhase(time);
  bodies_ = bodies;
  state_ = state;
  now_->goOnFrom(time, bodies);
  if (now_->stepper().state().size() == state.size()) now_->stepper().replaceState(state);
  for (const auto& [body, load] : loads_) now_->setLoad(body, load.pointInBody, load.force, load.torque);
}

/// The coordinates of joints go on counting their turns.
void ReleasingEngine::countTurnsFrom(const std::vector<JointObservation>& before) {
  constexpr double turn = 2.0 * std::numbers::pi;
  turns_.clear();
  const Observation behind = now_->observe(begin_, now_->stepper().state(), Detail::motion);
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    turns_.emplace_back();
    for (std::size_t k = 0; k < behind.joints[j].coordinates.size(); ++k) {
      const JointObservation::Coordinate& now = behind.joints[j].coordinates[k];
      const double less = before[j].coordinates[k].value - now.value;
      turns_.back().push_back(now.name.ends_with("angle") ? turn * std::round(less / turn) : 0.0);
    }
  }
}

void ReleasingEngine::goOnFrom(double time, const std::vector<Body>& bodies) {
  turns_.clear();
  workBefore_ = 0.0;
  begin(time, bodies, {});
}

void ReleasingEngine::setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force,
                              const Vector3& torque) {
  now_->setLoad(body, pointInBody, force, torque);
  loads_[body] = {pointInBody, force, torque};
}

void ReleasingEngine::PhasedStepper::step() {
  const std::vector<double>& releases = engine_.releases_;
  if (const double t = time(); t > engine_.begin_ && std::binary_search(releases.begin(), releases.end(), t)) {
    const Observation reached = engine_.observe(t, state(), Detail::motion);
    const double energy = engine_.balance(t, state()).energy();
    engine_.countsBefore_ = work();
    if (engine_.warning_.empty()) engine_.warning_ = engine_.now_->warning();
    const bool isCollocated = moves(engine_.settings_, IntegratorKind::directorGauss);
    engine_.begin(t, reached.bodies, isCollocated ? VectorX() : VectorX(state()));
    const Balance behind = engine_.now_->balance(t, state());
    engine_.workBefore_ = reached.work - behind.work;
    if (isCollocated) engine_.workBefore_ += behind.energy() - energy;
    engine_.countTurnsFrom(reached.joints);
  }
  now().step();
}

const WorkCounts& ReleasingEngine::PhasedStepper::work() const {
  return total_ = engine_.countsBefore_ + now().work();
}

Balance ReleasingEngine::balance(double t, const VectorX& y) const {
  Balance sums = now_->balance(t, y);
  sums.work += workBefore_;
  return sums;
}

/// Drives that were let go stay where they were among the joints.
Observation ReleasingEngine::observed(double t, const VectorX& y, Detail detail) const {
  Observation o = now_->observe(t, y, detail);
  o.work += workBefore_;
  for (std::size_t j = 0; j < turns_.size(); ++j)
    for (std::size_t k = 0; k < turns_[j].size(); ++k) o.joints[j].coordinates[k].value += turns_[j][k];
  auto at = o.joints.begin() + static_cast<std::ptrdiff_t>(model_.joints.size());
  for (const Joint& joint : model_.joints)
    for (const CoordinateDrive& drive : joint.drives) {
      if (drive.until <= begin_) at = o.joints.insert(at, JointObservation{joint.name + " drive", {}});
      ++at;
    }
  return o;
}

/// The phase is begun once more as it was, then goes on where it was.
void ReleasingEngine::persist(Archive& archive) {
  archive.section("let go");
  double time = begin_;
  std::vector<VectorX> motions;
  for (const Body& body : bodies_) {
    motions.emplace_back(13);
    motions.back() << body.position, body.orientation, body.velocity, body.angularVelocity;
  }
  archive(time, motions, state_, workBefore_, turns_, countsBefore_, warning_);
  if (archive.restores()) {
    std::vector<Body> bodies = model_.bodies;
    for (std::size_t b = 0; b < motions.size() && b < bodies.size(); ++b) {
      bodies[b].position = motions[b].head<3>();
      bodies[b].orientation = motions[b].segment<4>(3);
      bodies[b].velocity = motions[b].segment<3>(7);
      bodies[b].angularVelocity = motions[b].tail<3>();
    }
    if (motions.empty()) {
      bodies_.clear();
      makePhase(0.0);
    } else {
      begin(time, bodies, VectorX(state_));
    }
  }
  now_->persist(archive);
}

}  // namespace polhode
