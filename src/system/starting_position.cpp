#include "system/starting_position.h"

#include "math/euler_map.h"
#include "math/rotation_maps.h"
#include "model/force_type.h"
#include "system/closing.h"
#include "system/force_site.h"
#include "system/joint_opening.h"
#include "system/joint_state.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double pieceOfTheWay = 0.1;  // rad, or part of the mechanism's size, between two closings of loops

bool isUniversalType(const JointType& type) {
  return type.needs == JointNeeds::pointAndTwoAxes;
}

double given(const std::vector<std::optional<double>>& numbers, std::size_t k) {
  return k < numbers.size() ? numbers[k].value_or(0.0) : 0.0;
}

/// A rigid motion of space, x -> R x + p.
struct Move {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();

  Move after(const Move& first) const { return {R * first.R, R * first.p + p}; }
  Move inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// The motion that belongs to a coordinate of a joint; null where the type does not tell.
const JointMotion* motionOfCoordinate(const JointType& type, std::size_t k) {
  if (isUniversalType(type)) return &type.motions[k];
  const JointCoordinateInfo& info = type.coordinates[k];
  for (const JointMotion& motion : type.motions)
    if (motion.kind == info.kind && motion.axis == info.axis && !motion.fixedInSecond) return &motion;
  return nullptr;
}

Vector3 axisInSpace(const MechanismJoint& joint, const JointMotion& motion, const Placement& first,
                    const Placement& second) {
  return motion.fixedInSecond ? Vector3(second.D * joint.geometry.second.axes.col(motion.axis))
                              : Vector3(first.D * joint.geometry.first.axes.col(motion.axis));
}

/// How the second body of a joint moves against the first where its coordinates grow by `amounts`.
Move moveOf(const MechanismJoint& joint, const std::vector<std::optional<double>>& amounts, double share,
            const Placement& first, const Placement& second) {
  const Vector3 point = second.point(joint.geometry.second.point);
  Move all;
  for (const JointMotion& motion : joint.type->motions) {
    double amount = 0.0;
    for (std::size_t k = 0; k < amounts.size(); ++k)
      if (motionOfCoordinate(*joint.type, k) == &motion) amount = share * given(amounts, k);
    const Vector3 way = amount * axisInSpace(joint, motion, first, second);
    Move one;
    if (motion.kind == MotionKind::translation)
      one.p = way;
    else
      one.R = expSO3(way), one.p = point - one.R * point;
    all = all.after(one);
  }
  return all;
}

/// Moves what hangs on a joint of the tree, so that its coordinates grow by a share of `values`.
void moveBranch(const Mechanism& mechanism, const JointStart& start, double share, MechanismMotion& bodies) {
  const Topology& tree = mechanism.topology();
  const auto child = std::find(tree.parentJoint.begin(), tree.parentJoint.end(), static_cast<int>(start.joint));
  if (child == tree.parentJoint.end()) return;  // it closes a loop
  const MechanismJoint& joint = mechanism.joints()[start.joint];
  const auto root = static_cast<int>(child - tree.parentJoint.begin());
  Move move = moveOf(joint, start.values, share, motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at);
  if (root == joint.first) move = move.inverse();
  std::vector<bool> goesAlong(bodies.size(), false);
  for (const int b : tree.order) {
    const auto body = static_cast<std::size_t>(b);
    const int parent = tree.parent[body];
    goesAlong[body] = b == root || (parent != groundIndex && goesAlong[static_cast<std::size_t>(parent)]);
    if (!goesAlong[body]) continue;
    Placement& at = bodies[body].at;
    at = {move.R * at.x + move.p, move.R * at.D};
  }
}

std::vector<double> coordinatesAt(const MechanismJoint& joint, const MechanismMotion& bodies) {
  const MovingPlacement &first = motionOf(bodies, joint.first), &second = motionOf(bodies, joint.second);
  if (isUniversalType(*joint.type)) {
    const auto angles = universalAngles(joint, first, second);
    return {angles[0].value, angles[1].value};
  }
  std::vector<double> values;
  for (const JointCoordinateInfo& info : joint.type->coordinates)
    values.push_back(jointCoordinate(joint, info, first.at, second.at));
  return values;
}

/// The same model in which all that follows a signal stands still, and the given coordinates are driven: to `values` by
/// t = 1, or at `rates` from where they start.
Model heldAtStart(Model model, const std::vector<JointStart>& starts, bool byRates) {
  const Mechanism mechanism(model);
  const MechanismMotion bodies = initialMotion(mechanism);
  if (!byRates) model.couplings.clear();  // they hold from where the joints start
  for (Joint& joint : model.joints) {
    if (byRates) break;
    if (joint.length) joint.length = Signal(joint.length->value(0.0));
    for (CoordinateDrive& drive : joint.drives) drive.follow = Signal(drive.follow.value(0.0));
  }
  for (const JointStart& start : starts) {
    Joint& joint = model.joints[start.joint];
    const std::vector<JointCoordinateInfo>& coordinates = typeOf(joint)->coordinates;
    const auto& numbers = byRates ? start.rates : start.values;
    const std::vector<double> now = coordinatesAt(mechanism.joints()[start.joint], bodies);
    for (std::size_t k = 0; k < std::min(numbers.size(), coordinates.size()); ++k) {
      const auto isDriven = [&](const CoordinateDrive& drive) { return drive.coordinate == coordinates[k].name; };
      if (!numbers[k] || std::any_of(joint.drives.begin(), joint.drives.end(), isDriven)) continue;
      const double rate = *numbers[k], from = byRates ? now[k] : 0.0;
      joint.drives.push_back({coordinates[k].name, Signal::function([=](double t) { return from + rate * t; },
                                                                    [=](double) { return rate; })});
    }
  }
  return model;
}

bool isTurn(const JointType& type, std::size_t k) {
  return isUniversalType(type) || type.coordinates[k].kind == MotionKind::rotation;
}

bool closesLoops(const Mechanism& mechanism) {
  const auto& cut = mechanism.topology().cutJoints;
  return std::any_of(cut.begin(), cut.end(),
                     [&](int j) { return !mechanism.joints()[static_cast<std::size_t>(j)].drives; });
}

/// Moves the bodies piece by piece, and says what is left open.
std::optional<JointProblem> move(const Mechanism& held, const std::vector<JointStart>& starts,
                                 MechanismMotion& bodies) {
  double way = 0.0;
  for (const JointStart& start : starts)
    for (std::size_t k = 0; k < start.values.size(); ++k)
      way = std::max(way, std::abs(given(start.values, k)) /
                              (isTurn(*held.joints()[start.joint].type, k) ? 1.0 : mechanismSize(held)));
  const bool loops = closesLoops(held);
  const int pieces = loops ? std::max(1, static_cast<int>(std::ceil(way / pieceOfTheWay))) : 1;
  for (int piece = 1; piece <= pieces; ++piece) {
    for (const JointStart& start : starts) moveBranch(held, start, 1.0 / pieces, bodies);
    if (loops) bodies = closedMotion(held, std::move(bodies), 0.0, static_cast<double>(piece) / pieces);
  }
  const std::vector<JointOpening> gaps = jointOpenings(held, bodies, 1.0);
  std::size_t worst = 0;
  for (std::size_t j = 0; j < gaps.size(); ++j)
    if (!(gaps[j].relativePosition <= gaps[worst].relativePosition)) worst = j;
  if (gaps.empty() || gaps[worst].relativePosition <= writtenRounding) return std::nullopt;
  return JointProblem{held.joints()[worst].ofModel,
                      {"start", fmt::format("cannot be closed where the joints are to start: a gap of {:.3g} m and "
                                            "{:.3g} rad is left; its loop does not reach the given coordinates, so "
                                            "leave one out or choose values nearer to 0",
                                            gaps[worst].distance, std::asin(std::min(gaps[worst].angle, 1.0)))}};
}

/// What the joints' coordinates are after the move, counted from where the bodies are written.
std::optional<JointProblem> writeStarts(const Mechanism& reference, const MechanismMotion& before,
                                        const MechanismMotion& after, const std::vector<JointStart>& starts,
                                        Model& model) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const MechanismJoint& joint = reference.joints()[j];
    std::vector<double> values = coordinatesAt(joint, after);
    const std::vector<double> zeros = coordinatesAt(joint, before);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (isTurn(*joint.type, k)) values[k] = std::remainder(values[k] - zeros[k], 2.0 * std::numbers::pi);
    model.joints[j].start = values;
  }
  for (const JointStart& start : starts) {
    Joint& joint = model.joints[start.joint];
    const std::vector<std::string> names = startingCoordinates(*typeOf(joint));
    for (std::size_t k = 0; k < start.values.size(); ++k) {
      if (!start.values[k]) continue;
      const double wanted = *start.values[k];
      double off = joint.start[k] - wanted;
      if (isTurn(*typeOf(joint), k)) off = std::remainder(off, 2.0 * std::numbers::pi);
      if (!(std::abs(off) <= writtenRounding * std::max(1.0, std::abs(wanted))))
        return JointProblem{start.joint,
                            {"start", fmt::format("cannot start with {} = {:.6g}: its loop leaves it at {:.6g}",
                                                  names[k], wanted, joint.start[k])}};
      joint.start[k] = wanted;
    }
  }
  return std::nullopt;
}

}  // namespace

bool JointStart::hasRates() const {
  return std::any_of(rates.begin(), rates.end(), [](const auto& rate) { return rate.has_value(); });
}

std::vector<std::string> startingCoordinates(const JointType& type) {
  if (isUniversalType(type)) return {"first_angle", "second_angle"};
  std::vector<std::string> names;
  for (const JointCoordinateInfo& info : type.coordinates) names.push_back(info.name);
  return names;
}

std::optional<JointProblem> moveToStart(Model& model, const std::vector<JointStart>& starts, bool assemble,
                                        AssemblyReport* report, const std::function<void()>& asWritten) {
  // the bodies as written, where what is to be moved is not driven yet
  std::vector<std::vector<CoordinateDrive>> drives;
  for (Joint& joint : model.joints) {
    drives.push_back(joint.drives);
    joint.start.clear();
  }
  for (const JointStart& start : starts) {
    Joint& joint = model.joints[start.joint];
    const std::vector<std::string> names = startingCoordinates(*typeOf(joint));
    std::erase_if(joint.drives, [&](const CoordinateDrive& drive) {
      const auto k = static_cast<std::size_t>(std::find(names.begin(), names.end(), drive.coordinate) - names.begin());
      return k < start.values.size() && start.values[k];
    });
  }
  if (auto problem = closeJoints(model, assemble, report)) return problem;
  if (asWritten) asWritten();

  // from there to where it starts
  const Mechanism reference(model), held(heldAtStart(model, starts, false));
  const MechanismMotion before = initialMotion(reference);
  MechanismMotion after = before;
  if (auto problem = move(held, starts, after)) return problem;
  const ForceSite site(reference);
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const ForceType* type = typeOf(model.forces[f]);
    if (!type->startElsewhere || type->actsOn == ActsOn::joint) continue;  // a joint's coordinates count on
    const ForceElement& of = *reference.forces()[f];
    type->startElsewhere(model.forces[f], site, motionOf(after, of.first()).at, motionOf(after, of.second()).at);
  }
  replaceBodies(reference, after, model);
  for (std::size_t j = 0; j < drives.size(); ++j) model.joints[j].drives = drives[j];
  return writeStarts(reference, before, after, starts, model);
}

std::optional<JointProblem> setStartingRates(Model& model, const std::vector<JointStart>& starts,
                                             const std::vector<GivenVelocities>& given, bool assemble) {
  Model held = heldAtStart(model, starts, true);
  const Mechanism mechanism(held);
  const Topology& tree = mechanism.topology();
  MechanismMotion bodies = initialMotion(mechanism);
  std::vector<bool> carried(bodies.size(), false);
  for (const int b : tree.order) {
    const auto body = static_cast<std::size_t>(b);
    if (tree.parentJoint[body] < 0) continue;
    const auto j = static_cast<std::size_t>(tree.parentJoint[body]);
    const auto start = std::find_if(starts.begin(), starts.end(),
                                    [&](const JointStart& each) { return each.joint == j && each.hasRates(); });
    const int parent = tree.parent[body];
    const bool isBelow = parent != groundIndex && carried[static_cast<std::size_t>(parent)];
    if (given[body].velocity || given[body].angularVelocity || (start == starts.end() && !isBelow)) continue;
    carried[body] = true;

    // as the body before it carries it, and at the joint's rates against that
    const MechanismJoint& joint = mechanism.joints()[j];
    const MovingPlacement &first = motionOf(bodies, joint.first), &second = motionOf(bodies, joint.second);
    const MovingPlacement& before = motionOf(bodies, parent);
    const Matrix3 W = before.rate.W * before.at.D.transpose();
    Vector3 omega(W(2, 1), W(0, 2), W(1, 0));
    Vector3 velocity = before.rate.v + omega.cross(bodies[body].at.x - before.at.x);
    const double sign = b == joint.second ? 1.0 : -1.0;
    const Vector3 point = second.at.point(joint.geometry.second.point);
    for (std::size_t k = 0; start != starts.end() && k < start->rates.size(); ++k) {
      const JointMotion* motion = motionOfCoordinate(*joint.type, k);
      if (!motion || !start->rates[k]) continue;
      const Vector3 rate = sign * *start->rates[k] * axisInSpace(joint, *motion, first.at, second.at);
      if (motion->kind == MotionKind::rotation) omega += rate;
      velocity += motion->kind == MotionKind::rotation ? rate.cross(bodies[body].at.x - point) : rate;
    }
    bodies[body] = movingPlacement(bodies[body].at, velocity, bodies[body].at.D.transpose() * omega);
    held.bodies[body].velocity = velocity;
    held.bodies[body].angularVelocity = rotationMatrix(held.bodies[body].orientation).transpose() * omega;
  }
  if (auto problem = completeVelocities(held, given, assemble)) {
    problem->problem.sentence += " (rates that joints start with count as drives)";
    return problem;
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    model.bodies[b].velocity = held.bodies[b].velocity;
    model.bodies[b].angularVelocity = held.bodies[b].angularVelocity;
  }
  return std::nullopt;
}

}  // namespace polhode
