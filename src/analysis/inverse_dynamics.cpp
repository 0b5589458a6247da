#include "analysis/inverse_dynamics.h"

#include "analysis/instant_watch.h"
#include "analysis/mechanism_observation.h"
#include "analysis/observable.h"
#include "math/euler_map.h"
#include "math/quaternion.h"
#include "model/suggestion.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"
#include "polhode/system/checked_model.h"
#include "system/joint_opening.h"
#include "system/mechanism_extent.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr double noGrip = 1e-10;          // of the largest grip of the motors on a freedom
constexpr double mayBeMissing = 1e-7;     // of all that acts, where the motion is exact
constexpr double mayMissInRun = 1e-3;     // where an integrator found it
constexpr double fittingJoints = 1e-3;    // the largest gap, relative, of a recorded run
constexpr double toleranceOfRun = 1e-11;  // where freedoms follow the dynamics

/// Adds the wrenches of an element to those on all bodies.
void addWrenches(const ForceElement& element, double t, const MechanismMotion& bodies, double factor, VectorX& sum) {
  const ElementWrenches both =
      element.wrenches(t, motionOf(bodies, element.first()), motionOf(bodies, element.second()));
  const auto add = [&](int body, const Wrench& wrench) {
    if (body == groundIndex) return;
    sum.segment<3>(6 * body) += factor * wrench.force;
    sum.segment<3>(6 * body + 3) += factor * wrench.torque;
  };
  add(element.first(), both.first);
  add(element.second(), both.second);
}

/// Velocities and angular velocities in space.
VectorX velocitiesOf(const Mechanism& mechanism, const MechanismMotion& bodies) {
  VectorX u(6 * static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b)
    u.segment<6>(6 * static_cast<Eigen::Index>(b)) << bodies[b].rate.v,
        bodies[b].at.D * angularVelocity(mechanism.bodies()[b], bodies[b]);
  return u;
}

Model withUnitMotors(Model model, const std::vector<InverseMotor>& motors) {
  for (const InverseMotor& motor : motors) model.forces.push_back(motor.force);
  return model;
}

}  // namespace

InverseDynamics::InverseDynamics(const Model& model, std::vector<InverseMotor> motors)
    : original_(model),
      model_(withoutMotors(model, motors)),
      motors_(std::move(motors)),
      mechanism_(std::make_shared<const Mechanism>(model_)),
      redundancy_(std::make_unique<Redundancy>(*mechanism_)),
      size_(extentOf(*mechanism_).size) {
  if (motors_.empty())
    throw InputError(fmt::format("{}: there is no motor; name some, as in --motors joint.crank.angle", model.name));
  const Mechanism pushed(withUnitMotors(model_, motors_));
  elements_.assign(pushed.forces().end() - static_cast<std::ptrdiff_t>(motors_.size()), pushed.forces().end());
}

InverseDynamics::~InverseDynamics() = default;

/// Which body the motors cannot move as they should.
void InverseDynamics::refuse(double t, const VectorX& missing, const MatrixX& basis, Eigen::Index rank,
                             bool isPassive) {
  const VectorX motion = basis * missing;
  std::size_t body = 0;
  double most = -1.0;
  for (std::size_t b = 0; b < mechanism_->bodies().size(); ++b) {
    const auto at = 6 * static_cast<Eigen::Index>(b);
    const double way = std::max(motion.segment<3>(at).norm() / size_, motion.segment<3>(at + 3).norm());
    if (way > most * (1.0 + 1e-9)) most = way, body = b;
  }
  const auto at = 6 * static_cast<Eigen::Index>(body);
  const Vector3 move = motion.segment<3>(at), turn = motion.segment<3>(at + 3);
  const bool turns = size_ * turn.norm() >= move.norm();
  Vector3 direction = (turns ? turn : move).normalized();
  for (double& component : direction)
    if (std::abs(component) < 1e-6) component = 0.0;
  std::string names;
  for (const InverseMotor& motor : motors_) names += (names.empty() ? "" : ", ") + quoted(motor.name);
  const std::string sentence = fmt::format(
      "{}: at t = {:.6g} the motors {} cannot make this motion: none of them {} {} {} ({:.3g}, {:.3g}, {:.3g}); {}",
      original_.name, t, names, turns ? "turns" : "moves", quoted(mechanism_->bodies()[body].name),
      turns ? "about" : "along", direction[0], direction[1], direction[2],
      isPassive ? "freedoms that the motion leaves follow only where motors act along what is given; name those, or "
                  "give more of the motion"
                : "add a motor that does");
  if (rank < basis.cols() && static_cast<Eigen::Index>(motors_.size()) < basis.cols()) throw InputError(sentence);
  throw SimulationError(t, sentence);
}

InverseRow InverseDynamics::effortsAt(const InverseInstant& instant, double tolerance, InverseResult& result) {
  const double t = instant.time;
  const MechanismMotion& bodies = instant.bodies;
  redundancy_->review(t, bodies);
  const MatrixX basis = FreeDirections(*mechanism_, *redundancy_, t, bodies, size_).basis();
  result.freedoms = static_cast<int>(basis.cols());

  // M u' - f
  const auto unknowns = basis.rows();
  VectorX needed = VectorX::Zero(unknowns);
  double acting = 0.0;
  const auto count = [&](const VectorX& wrenches) {
    for (Eigen::Index i = 0; i < unknowns; i += 6)
      acting += size_ * wrenches.segment<3>(i).norm() + wrenches.segment<3>(i + 3).norm();
  };
  for (const auto& element : mechanism_->forces()) addWrenches(*element, t, bodies, -1.0, needed);
  count(needed);
  VectorX inertia = VectorX::Zero(unknowns);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism_->bodies()[b];
    const BodyAcceleration& acceleration = instant.accelerations[b];
    const Matrix3& D = bodies[b].at.D;
    const Vector3 omega = angularVelocity(body, bodies[b]), alpha = D.transpose() * acceleration.angular;
    const Vector3 spin = body.inertia.cwiseProduct(omega);
    inertia.segment<6>(6 * static_cast<Eigen::Index>(b)) << body.mass * (acceleration.linear - mechanism_->gravity()),
        D * (body.inertia.cwiseProduct(alpha) + omega.cross(spin));
  }
  count(inertia);
  needed += inertia;

  const auto motors = static_cast<Eigen::Index>(motors_.size());
  MatrixX pushes = MatrixX::Zero(unknowns, motors);
  for (Eigen::Index k = 0; k < motors; ++k) {
    VectorX push = VectorX::Zero(unknowns);
    addWrenches(*elements_[static_cast<std::size_t>(k)], t, bodies, 1.0, push);
    pushes.col(k) = push;
  }
  InverseRow row;
  row.time = t;
  const MatrixX grip = basis.transpose() * pushes;
  const VectorX along = basis.transpose() * needed;
  Eigen::Index rank = 0;
  if (basis.cols() > 0) {
    Eigen::JacobiSVD<MatrixX> svd(grip, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(noGrip);
    rank = svd.rank();
    row.efforts = svd.solve(along);
  } else {
    row.efforts = VectorX::Zero(motors);
  }
  const VectorX missing = along - grip * row.efforts;
  row.missing = acting > 0.0 ? missing.norm() / acting : 0.0;
  if (!(row.missing <= tolerance)) refuse(t, missing, basis, rank, result.freedomsLeft > 0);
  row.speeds = pushes.transpose() * velocitiesOf(*mechanism_, bodies);

  // all that can be said of the mechanism with these efforts
  const VectorX pull = pushes * row.efforts;
  std::vector<Wrench> loads;
  for (Eigen::Index i = 0; i < unknowns; i += 6) loads.push_back({pull.segment<3>(i), pull.segment<3>(i + 3)});
  row.observation = observeMechanism(*mechanism_, t, bodies);
  watch_->tell(row.observation, bodies, Detail::forces, loads);
  return row;
}

/// Freedoms that are left follow the dynamics.
std::vector<InverseInstant> InverseDynamics::run(const std::vector<FollowedQuantity>& motion,
                                                 const std::vector<double>& times) const {
  Model known = model_;
  known.actuators = original_.actuators;  // whose points may be followed
  Model led = ledModel(known, motion);
  led.actuators.clear();
  try {
    assemble(led);
  } catch (const InputError& error) {
    throw InputError(fmt::format("the motion does not begin where the model starts: {}", error.what()));
  }
  SimulationSettings settings;
  settings.integrator = "dop853";
  settings.tolerance = toleranceOfRun;
  settings.end = times.back() + 1.0;
  Simulation simulation(led, settings);
  std::vector<InverseInstant> instants;
  for (const double t : times) {
    if (t > simulation.time()) simulation.advanceTo(t);
    const Observation& seen = simulation.observe();
    InverseInstant instant{t, mechanismMotion(*mechanism_, seen.bodies), {}};
    for (std::size_t b = 0; b < seen.bodies.size(); ++b)
      instant.accelerations.push_back(
          {seen.accelerations[b].linear, rotationMatrix(seen.bodies[b].orientation) * seen.accelerations[b].angular});
    instants.push_back(std::move(instant));
  }
  return instants;
}

InverseResult InverseDynamics::along(const std::vector<FollowedQuantity>& motion, const std::vector<double>& times) {
  if (motion.empty()) throw InputError(fmt::format("{}: no motion is given to follow", original_.name));
  for (const FollowedQuantity& quantity : motion)
    for (const SignalBreak& at : quantity.signal.breaks(times.front(), times.back()))
      if (at.order < 2)
        throw InputError(
            fmt::format("{}: what {} follows jumps at t = {:.6g}, or its velocity does, which no finite force "
                        "follows; give a smooth motion",
                        original_.name, quoted(quantity.name), at.time));
  InverseResult result;
  result.motors = motors_;
  watch_ = std::make_unique<InstantWatch>(mechanism_);
  Model known = model_;
  known.actuators = original_.actuators;
  InverseKinematics kinematics(known, motion, times.front());
  result.freedomsLeft = kinematics.freedomsLeft();
  if (result.freedomsLeft > 0) {
    if (const std::string idle = kinematics.idleQuantity(); !idle.empty())
      throw InputError(
          fmt::format("{}: {} cannot be followed from where the model starts, which is stretched out, folded up or "
                      "held by what else is given there; start the model elsewhere, or leave it out",
                      original_.name, quoted(idle)));
    if (times.front() != 0.0)
      throw InputError(
          fmt::format("{}: the motion leaves {} degrees of freedom, which follow the dynamics from t = 0; let "
                      "it begin there, or give more of it",
                      original_.name, result.freedomsLeft));
    for (const InverseInstant& instant : run(motion, times))
      result.rows.push_back(effortsAt(instant, mayBeMissing, result));
    return result;
  }
  for (const double t : times) result.rows.push_back(effortsAt(kinematics.at(t), mayBeMissing, result));
  return result;
}

InverseResult InverseDynamics::along(const Recording& run) {
  InverseResult result;
  result.motors = motors_;
  result.isRecorded = true;
  watch_ = std::make_unique<InstantWatch>(mechanism_);
  const auto columnOf = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(run.columns.begin(), run.columns.end(), name) - run.columns.begin());
  };
  const std::size_t time = columnOf("time");
  std::vector<std::array<std::size_t, 6>> first;  // columns of each body
  for (const Body& body : model_.bodies) {
    std::array<std::size_t, 6> at{};
    const char* quantities[] = {".position.x",         ".quaternion.w",   ".velocity.x",
                                ".angular_velocity.x", ".acceleration.x", ".angular_acceleration.x"};
    for (std::size_t k = 0; k < at.size(); ++k) {
      at[k] = columnOf(body.name + quantities[k]);
      if (at[k] + (k == 1 ? 4 : 3) > run.columns.size())
        throw InputError(fmt::format("the run has no column {}; record all of the motion, or name columns to follow",
                                     quoted(body.name + quantities[k])));
    }
    first.push_back(at);
  }
  for (std::size_t r = 0; r < run.rows(); ++r) {
    const auto vector = [&](std::size_t column) {
      return Vector3(run.at(r, column), run.at(r, column + 1), run.at(r, column + 2));
    };
    std::vector<Body> bodies = model_.bodies;
    InverseInstant instant{run.at(r, time), {}, {}};
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto& at = first[b];
      bodies[b].position = vector(at[0]);
      bodies[b].orientation =
          Quaternion(run.at(r, at[1]), run.at(r, at[1] + 1), run.at(r, at[1] + 2), run.at(r, at[1] + 3)).normalized();
      bodies[b].velocity = vector(at[2]);
      bodies[b].angularVelocity = vector(at[3]);
      instant.accelerations.push_back({vector(at[4]), rotationMatrix(bodies[b].orientation) * vector(at[5])});
    }
    instant.bodies = mechanismMotion(*mechanism_, bodies);
    const std::vector<JointOpening> gaps = jointOpenings(*mechanism_, instant.bodies, instant.time);
    for (std::size_t j = 0; j < gaps.size(); ++j)
      if (!(gaps[j].relativePosition <= fittingJoints))
        throw InputError(fmt::format("the run does not fit the model: at t = {:.6g} joint {} is open by {:.3g} m",
                                     instant.time, quoted(mechanism_->joints()[j].name), gaps[j].distance));
    result.rows.push_back(effortsAt(instant, mayMissInRun, result));
  }
  return result;
}

Recording InverseResult::recording() const {
  Recording recording;
  recording.columns = {"time"};
  for (const InverseMotor& motor : motors) recording.columns.push_back(motor.name + ".effort");
  for (const InverseMotor& motor : motors) recording.columns.push_back(motor.name + ".power");
  if (rows.empty()) return recording;
  const std::vector<Observable> seen = observables(rows.front().observation);
  for (const Observable& observable : seen)
    if (observable.name != "time") recording.columns.push_back(observable.name);
  for (const InverseRow& row : rows) {
    std::vector<double> values{row.time};
    values.insert(values.end(), row.efforts.begin(), row.efforts.end());
    for (Eigen::Index k = 0; k < row.efforts.size(); ++k) values.push_back(row.efforts[k] * row.speeds[k]);
    for (const Observable& observable : seen)
      if (observable.name != "time") values.push_back(observable.value(row.observation));
    recording.append(values);
  }
  return recording;
}

}  // namespace polhode
