#include "analysis/inverse_dynamics.h"
#include "math/euler_map.h"
#include "model/smooth_table.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/model/joint_type.h"
#include "system/assembly.h"

#include <algorithm>

#include <fmt/format.h>

/// Motions from tables, and tables of efforts as motors.
namespace polhode {
namespace {

bool hasColumn(const Recording& table, const std::string& name) {
  return std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end();
}

constexpr const char* bodyColumns[] = {".position.x",         ".quaternion.w",   ".velocity.x",
                                       ".angular_velocity.x", ".acceleration.x", ".angular_acceleration.x"};

/// The column of the rate of a quantity: "joint.crank.angle_rate", "arm.velocity.x".
std::string rateColumn(const std::string& name) {
  const auto at = name.rfind(".position.");
  return at == std::string::npos ? name + "_rate" : name.substr(0, at) + ".velocity." + name.substr(at + 10);
}

/// Coordinates of joints come before points: those of a run say more than the points of bodies.
std::vector<std::string> followedColumns(const Recording& table, const Model& model) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (hasColumn(table, name)) names.push_back(name);
  };
  for (const std::string& name : followableNames(model)) {
    const bool isVector = name.ends_with(".position") || name.ends_with(".rotation");
    if (!isVector) add(name);
    if (isVector)
      for (const char* component : {".x", ".y", ".z"}) add(name + component);
  }
  return names;
}

}  // namespace

bool tellsWholeMotion(const Recording& recording, const Model& model) {
  return std::all_of(model.bodies.begin(), model.bodies.end(), [&](const Body& body) {
    return std::all_of(std::begin(bodyColumns), std::end(bodyColumns),
                       [&](const char* quantity) { return hasColumn(recording, body.name + quantity); });
  });
}

std::vector<FollowedQuantity> motionOfTable(const Recording& table, const Model& model,
                                            const std::vector<std::string>& names) {
  if (!hasColumn(table, "time")) throw InputError("the table has no column 'time'; give it one");
  const std::vector<std::string> followed = names.empty() ? followedColumns(table, model) : names;
  if (followed.empty())
    throw InputError(fmt::format("the table has no column that could be followed; known are {} and others",
                                 quoted(followableNames(model).front())));
  const std::vector<double> times = table.column("time");
  std::vector<FollowedQuantity> motion;
  for (const std::string& name : followed) {
    if (!hasColumn(table, name))
      throw InputError(fmt::format("the table has no column {}; {}", quoted(name), suggestion(name, table.columns)));
    const std::string rate = rateColumn(name);
    motion.push_back({name, smoothTable(times, table.column(name),
                                        hasColumn(table, rate) ? table.column(rate) : std::vector<double>{})});
  }
  return motion;
}

Model withEfforts(const Model& model, const Recording& efforts) {
  if (!hasColumn(efforts, "time") || efforts.rows() < 2)
    throw InputError("a table of efforts needs a column 'time' and two rows or more");
  const std::vector<double> times = efforts.column("time");
  const std::string ending = ".effort";
  std::vector<InverseMotor> motors;
  for (const std::string& column : efforts.columns) {
    if (!column.ends_with(ending)) continue;
    const std::string name = column.substr(0, column.size() - ending.size());
    const bool isSpring = std::any_of(model.forces.begin(), model.forces.end(), [&](const Force& force) {
      return force.name == name && (force.type == "joint-spring" || force.type == "joint-damper");
    });
    if (isSpring) continue;  // a run records the efforts of these as well
    for (InverseMotor& motor : motorsNamed(model, name)) {
      motor.force.scale = smoothTable(times, efforts.column(column));
      motors.push_back(std::move(motor));
    }
  }
  if (motors.empty())
    throw InputError(
        "a table of efforts has no column of a motor, as 'joint.crank.angle.effort'; `polhode inverse` writes one");
  Model driven = withoutMotors(model, motors);
  for (const InverseMotor& motor : motors) driven.forces.push_back(motor.force);

  // as the first row stands and moves
  std::vector<Body> start = driven.bodies;
  bool isMoved = false;
  for (Body& body : start) {
    const auto first = [&](const char* quantity, std::size_t count) {
      VectorX values(static_cast<Eigen::Index>(count));
      const auto at = static_cast<std::size_t>(
          std::find(efforts.columns.begin(), efforts.columns.end(), body.name + quantity) - efforts.columns.begin());
      if (at + count > efforts.columns.size()) return VectorX();
      for (std::size_t k = 0; k < count; ++k) values[static_cast<Eigen::Index>(k)] = efforts.at(0, at + k);
      return values;
    };
    const VectorX position = first(".position.x", 3), quaternion = first(".quaternion.w", 4);
    const VectorX velocity = first(".velocity.x", 3), turning = first(".angular_velocity.x", 3);
    if (position.size() == 0 || quaternion.size() == 0 || velocity.size() == 0 || turning.size() == 0) continue;
    const Body before = body;
    body.position = position;
    body.orientation = Quaternion(quaternion[0], quaternion[1], quaternion[2], quaternion[3]).normalized();
    body.velocity = velocity;
    body.angularVelocity = turning;
    const Matrix3 turn = rotationMatrix(body.orientation) - rotationMatrix(before.orientation);
    isMoved |= (body.position - before.position).norm() > 1e-9 || turn.norm() > 1e-9;
  }
  if (isMoved) {
    for (const Joint& joint : driven.joints)
      if (!joint.drives.empty())
        throw InputError(
            fmt::format("the efforts begin elsewhere than the model, and the drive of joint {} counts from where the "
                        "model starts; let the motion begin there",
                        quoted(joint.name)));
    startElsewhere(driven, start);
  }
  for (std::size_t b = 0; b < start.size(); ++b) {
    driven.bodies[b].velocity = start[b].velocity;
    driven.bodies[b].angularVelocity = start[b].angularVelocity;
  }
  if (times.front() != 0.0)
    throw InputError(
        fmt::format("the efforts begin at t = {:g}, a run at t = 0; let the motion begin there", times.front()));
  return driven;
}

}  // namespace polhode
