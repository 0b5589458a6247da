#include "integrate/linear_implicit_euler.h"

#include "math/quaternion.h"
#include "math/rotation_maps.h"
#include "polhode/error.h"
#include "system/coordinates.h"
#include "system/joint_row.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

/// Of a joint, relative to how it moves: near rounding.
constexpr double relativeCompliance = 1e-11;
/// Of a body that has no inertia about an axis, relative to its others: with less, what holds it would be found from the last
/// digits, and a point that cannot move would seem to.
constexpr double smallestInertia = 1e-6;
/// Squared, in m^2, of a body for which a joint's compliance is found.
constexpr double smallestGyration = 1e-10;
/// Of a body that has no mass, relative to the heaviest, and of the inertia of a point, relative to its mass far out: what the step is off by is more than that, and half of the digits
/// are left when it is eliminated before what holds it.
constexpr double smallestMass = 1e-6;

}  // namespace

BlockSparseLu LinearImplicitEuler::makeSystem(const Mechanism& mechanism, std::vector<int>& bodyNode,
                                              std::vector<int>& jointNode) {
  const Topology& topology = mechanism.topology();
  bodyNode.assign(mechanism.bodies().size(), -1);
  jointNode.assign(mechanism.joints().size(), -1);

  // bodies before joints, so that every pivot is regular; leaves first where there is a choice
  std::vector<int> phases, sizes;
  const auto addNode = [&](int& node, int phase, int size) {
    node = static_cast<int>(phases.size());
    phases.push_back(phase);
    sizes.push_back(size);
  };
  for (auto body = topology.order.rbegin(); body != topology.order.rend(); ++body) {
    addNode(bodyNode[index(*body)], 0, 6);
    const int joint = topology.parentJoint[index(*body)];
    if (joint >= 0) addNode(jointNode[index(joint)], 1, mechanism.joints()[index(joint)].rows());
  }
  for (const int joint : topology.cutJoints)
    addNode(jointNode[index(joint)], 1, mechanism.joints()[index(joint)].rows());

  const auto couplings = [&] {
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
      for (const int body : bodiesOf(mechanism.joints()[j])) pairs.emplace_back(jointNode[j], bodyNode[index(body)]);
    for (const auto& force : mechanism.forces())
      if (force->first() != groundIndex && force->second() != groundIndex)
        pairs.emplace_back(bodyNode[index(force->first())], bodyNode[index(force->second())]);
    return pairs;
  };
  const std::vector<int> order = minimumDegreeOrder(phases, couplings());

  std::vector<int> place(order.size()), orderedSizes;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[index(order[i])] = static_cast<int>(i);
    orderedSizes.push_back(sizes[index(order[i])]);
  }
  for (int& node : bodyNode) node = place[index(node)];
  for (int& node : jointNode) node = place[index(node)];
  return {std::move(orderedSizes), couplings()};
}

LinearImplicitEuler::LinearImplicitEuler(const Mechanism& mechanism, double step, double epsilon)
    : mechanism_(mechanism),
      redundancy_(mechanism),
      grid_(step),
      step_(step),
      longest_(step),
      epsilon_(epsilon),
      size_(mechanismSize(mechanism)),
      system_(makeSystem(mechanism, bodyNode_, jointNode_)) {
  if (!(step > 0.0))
    throw InputError(fmt::format("the step is {:g}; linear-implicit-euler needs one above zero", step));
  if (!(epsilon >= 0.0 && epsilon <= 1.0))
    throw InputError(fmt::format("the share of Baumgarte's term is {:g}; give one from 0 to 1", epsilon));
  findInertias();
  change_.setZero(system_.size());
  response_.setZero(system_.size());
  findBlocks();
  reset(0.0, initialMotion(mechanism));
}

void LinearImplicitEuler::findInertias() {
  double heaviest = 0.0;
  for (const MechanismBody& body : mechanism_.bodies()) heaviest = std::max(heaviest, body.mass);
  for (const MechanismBody& body : mechanism_.bodies()) {
    const bool isMassless = body.mass == 0.0, isPoint = body.inertia.isZero(0.0);
    masses_.push_back(isMassless ? smallestMass * heaviest : body.mass);
    const double least = isMassless ? masses_.back() * size_ * size_
                         : isPoint  ? smallestMass * body.mass * size_ * size_
                                    : smallestInertia * std::max(body.inertia.maxCoeff(), 1e-6 * body.mass);
    inertias_.push_back(body.inertia.cwiseMax(least));
  }
}

void LinearImplicitEuler::findBlocks() {
  for (const int node : bodyNode_) bodyBlocks_.push_back(system_.find(node, node));
  for (std::size_t j = 0; j < jointNode_.size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    JointBlocks blocks{jointNode_[j], system_.find(jointNode_[j], jointNode_[j])};
    auto end = blocks.ends.begin();
    for (const int body : bodiesOf(joint))
      *end++ = {body, system_.find(blocks.node, bodyNode_[index(body)]),
                system_.find(bodyNode_[index(body)], blocks.node)};
    jointBlocks_.push_back(blocks);
  }
  for (const auto& force : mechanism_.forces()) {
    ForceBlocks blocks;
    const int first = force->first(), second = force->second();
    if (first != groundIndex) blocks.first = bodyBlocks_[index(first)];
    if (second != groundIndex) blocks.second = bodyBlocks_[index(second)];
    if (first != groundIndex && second != groundIndex) {
      blocks.across = system_.find(bodyNode_[index(first)], bodyNode_[index(second)]);
      blocks.back = system_.find(bodyNode_[index(second)], bodyNode_[index(first)]);
    }
    forceBlocks_.push_back(blocks);
  }
}

void LinearImplicitEuler::reset(double time, std::span<const MovingPlacement> bodies) {
  time_ = time;
  grid_.beginAt(time);
  bodies_.assign(bodies.begin(), bodies.end());
  orientations_.clear();
  velocities_.clear();
  angularVelocities_.clear();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    orientations_.push_back(quaternionFromRotation(bodies_[b].at.D));
    velocities_.push_back(bodies_[b].rate.v);
    // D' = omega^ D
    const Matrix3 spin = bodies_[b].rate.W * bodies_[b].at.D.transpose();
    angularVelocities_.push_back(0.5 *
                                 Vector3(spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1)));
  }
}

/// The step of the grid, or the next part of it.
StepGrid::Step LinearImplicitEuler::next() const {
  const StepGrid::Step whole = grid_.from(time_);
  if (whole.length > 1.5 * longest_) return {time_ + longest_, longest_, false};
  const bool isPart = std::abs(whole.length - longest_) < 1e-9 * longest_;
  return {whole.end, isPart ? longest_ : whole.length, whole.onGrid};
}

double LinearImplicitEuler::opening(double length) {
  ahead_ = bodies_;
  for (std::size_t b = 0; b < ahead_.size(); ++b) ahead_[b].at = advanced(static_cast<int>(b), length);
  double largest = 0.0;
  forEachRow(mechanism_, [&](const JointRow& row) {
    const JointEquation& equation = row.equation();
    const double opens = row.gap(time_ + length, motionsIn(ahead_)) - row.gap(time_, motionsIn(bodies_)) -
                         length * row.rate(time_, motionsIn(bodies_));
    const bool isSquare = equation.form.kind == FormKind::squaredDistance;
    const double unit = (equation.form.kind == FormKind::axes ? 1.0 : size_) *
                        (isSquare ? 2.0 * std::sqrt(equation.offsetAt(time_)) : 1.0);
    largest = std::max(largest, std::abs(opens) / unit);
  });
  return largest;
}

void LinearImplicitEuler::move() {
  step_ = next().length;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bodies_[b].at.x += step_ * velocities_[b];
    const Vector3 turn = step_ * angularVelocities_[b];
    orientations_[b] = multiply<double>(expS3<double>(turn), orientations_[b]).normalized();
    bodies_[b].at.D = rotationMatrix(orientations_[b]);
    bodies_[b].rate.W = hat<double>(angularVelocities_[b]) * bodies_[b].at.D;
  }
  system_.setZero();
  change_.setZero();
  addBodies();
  addForces();
  addJoints();
  system_.factorise();
  system_.solve(change_);
}

void LinearImplicitEuler::addBodies() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const MechanismBody& body = mechanism_.bodies()[b];
    const Matrix3& D = bodies_[b].at.D;
    const Matrix3 J = D * inertias_[b].asDiagonal() * D.transpose();
    const Vector3& w = angularVelocities_[b];
    const Vector3 momentum = J * w;

    BlockSparseLu::Block block = system_.block(bodyBlocks_[b]);
    block.topLeftCorner<3, 3>().diagonal().setConstant(masses_[b]);
    block.bottomRightCorner<3, 3>() = J + step_ * (hat<double>(w) * J - hat<double>(momentum));
    const int start = system_.start(bodyNode_[b]);
    change_.segment<3>(start) = step_ * body.mass * mechanism_.gravity();
    change_.segment<3>(start + 3) = -step_ * w.cross(momentum);
  }
}

Placement LinearImplicitEuler::advanced(int body, double length) const {
  if (body == groundIndex) return {};
  const Placement& at = bodies_[index(body)].at;
  return {at.x + length * velocities_[index(body)],
          expSO3<double>(Vector3(length * angularVelocities_[index(body)])) * at.D};
}

void LinearImplicitEuler::addForces() {
  const double t = time_ + step_;
  ElementJacobian jacobian;
  for (std::size_t f = 0; f < forceBlocks_.size(); ++f) {
    const ForceElement& force = *mechanism_.forces()[f];
    const ForceBlocks& blocks = forceBlocks_[f];
    const int first = force.first(), second = force.second();
    const ElementStep step{time_,
                           t,
                           motionOf(bodies_, first).at,
                           advanced(first, step_),
                           motionOf(bodies_, second).at,
                           advanced(second, step_)};
    const ElementWrenches wrenches = force.meanWrenches(step);
    force.meanWrenchesJacobian(step, jacobian);

    const auto load = [&](int body, const Wrench& wrench) {
      const int start = system_.start(bodyNode_[index(body)]);
      change_.segment<3>(start) += step_ * wrench.force;
      change_.segment<3>(start + 3) += step_ * wrench.torque;
    };
    // the displacement at the step's end is h times the change of velocity
    const double factor = -step_ * step_;
    if (first != groundIndex) {
      load(first, wrenches.first);
      system_.block(blocks.first) += factor * jacobian.topLeftCorner<6, 6>();
    }
    if (second != groundIndex) {
      load(second, wrenches.second);
      system_.block(blocks.second) += factor * jacobian.bottomRightCorner<6, 6>();
    }
    if (blocks.across >= 0) {
      system_.block(blocks.across) += factor * jacobian.topRightCorner<6, 6>();
      system_.block(blocks.back) += factor * jacobian.bottomLeftCorner<6, 6>();
    }
  }
}

void LinearImplicitEuler::addJoints() {
  const double t = nextTime();
  for (std::size_t j = 0; j < jointBlocks_.size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    const JointBlocks& blocks = jointBlocks_[j];
    const int start = system_.start(blocks.node);
    for (int i = 0; i < joint.rows(); ++i) {
      if (redundancy_.contains(joint.firstRow + i)) {
        system_.block(blocks.diagonal)(i, i) = 1.0;  // pulls with nothing
        continue;
      }
      const JointRow equation(joint, i);
      const auto at = motionsIn(bodies_);
      double velocity = equation.drivenRate(t, at), mobility = 0.0;
      equation.visitGradient(t, at, [&](int body, const EndGradient& of) {
        Eigen::Matrix<double, 1, 6> g;
        g << of.onPosition.transpose(), of.onRotation(bodies_[index(body)].at.D).transpose();
        const EndBlocks* end = blocks.ends.data();
        while (end->body != body) ++end;
        system_.block(end->row).row(i) += g;
        system_.block(end->column).col(i) -= step_ * g.transpose();
        velocity += g.head<3>().dot(velocities_[index(body)]) + g.tail<3>().dot(angularVelocities_[index(body)]);
        const double mass = masses_[index(body)], inertia = inertias_[index(body)].maxCoeff();
        mobility +=
            g.head<3>().squaredNorm() / mass + g.tail<3>().squaredNorm() / std::max(inertia, smallestGyration * mass);
      });
      system_.block(blocks.diagonal)(i, i) = relativeCompliance * step_ * mobility;
      change_[start + i] = -velocity - epsilon_ / longest_ * equation.gap(t, at);
    }
  }
}

void LinearImplicitEuler::respond(std::span<const BodyWrench> wrenches, Eigen::Ref<VectorX> response) const {
  response.setZero();
  for (const BodyWrench& wrench : wrenches) {
    if (wrench.body == groundIndex) continue;
    const int start = system_.start(bodyNode_[index(wrench.body)]);
    response.segment<3>(start) += step_ * wrench.wrench.force;
    response.segment<3>(start + 3) += step_ * wrench.wrench.torque;
  }
  system_.solve(response);
}

void LinearImplicitEuler::apply(std::span<const BodyWrench> wrenches) {
  if (wrenches.empty()) return;
  respond(wrenches, response_);
  apply(response_, 1.0);
}

Vector3 LinearImplicitEuler::velocityIn(const VectorX& response, int body) const {
  return response.segment<3>(system_.start(bodyNode_[index(body)]));
}

Vector3 LinearImplicitEuler::angularVelocityIn(const VectorX& response, int body) const {
  return response.segment<3>(system_.start(bodyNode_[index(body)]) + 3);
}

void LinearImplicitEuler::finish() {
  const StepGrid::Step done = next();
  grid_.take(done);
  time_ = done.end;
  if (!change_.allFinite())
    throw SimulationError(time(),
                          fmt::format("at t = {:g} the step of linear-implicit-euler has no finite solution; give "
                                      "a smaller step or weaker forces",
                                      time()));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    velocities_[b] += velocityIn(change_, static_cast<int>(b));
    angularVelocities_[b] += angularVelocityIn(change_, static_cast<int>(b));
    bodies_[b].rate.v = velocities_[b];
    bodies_[b].rate.W = hat<double>(angularVelocities_[b]) * bodies_[b].at.D;
  }
}

void LinearImplicitEuler::pulls(VectorX& all) const {
  for (std::size_t j = 0; j < jointBlocks_.size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    all.segment(joint.firstRow, joint.rows()) = change_.segment(system_.start(jointBlocks_[j].node), joint.rows());
  }
}

void LinearImplicitEuler::advance(std::span<const BodyWrench> wrenches) {
  move();
  apply(wrenches);
  finish();
}

}  // namespace polhode
