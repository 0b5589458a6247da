#include "analysis/equilibrium.h"

#include "analysis/instant_watch.h"
#include "analysis/mechanism_observation.h"
#include "math/rotation_maps.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double longestStep = 0.3;       // rad, or sizes of the mechanism
constexpr double noStiffness = 1e-10;     // of the largest one, or of the loads
constexpr double balancedForce = 1e-10;   // of the loads
constexpr double nearEquilibrium = 1e-6;  // the step that is left, in rad or sizes
constexpr int mostSearchSteps = 400, mostFallingSteps = 60, mostPushes = 8, mostPolishingSteps = 40;

Signal heldSignal(const Signal& signal) {
  return signal.isConstant() ? signal : Signal(signal.value(0.0));
}

double leastStiffness(const ReducedMotion& reduced, double largest) {
  return noStiffness * std::max(largest, reduced.load);
}

/// The motions that nothing resists, as columns of coordinates s.
MatrixX neutralMotions(const ReducedMotion& reduced) {
  if (reduced.freedoms() == 0) return {};
  const Eigen::BDCSVD<MatrixX> svd(reduced.stiffness, Eigen::ComputeFullV);
  const VectorX& values = svd.singularValues();
  const double least = leastStiffness(reduced, values[0]);
  const auto count = std::count_if(values.begin(), values.end(), [&](double value) { return !(value > least); });
  return svd.matrixV().rightCols(count);
}

}  // namespace

int rigidMotions(MatrixX moves, const MechanismMotion& bodies, double size) {
  if (moves.cols() == 0) return 0;
  MatrixX rigid = MatrixX::Zero(moves.rows(), 6);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto at = 6 * static_cast<Eigen::Index>(b);
    rigid.block<3, 3>(at, 0).setIdentity();
    rigid.block<3, 3>(at, 3) = -hat(Vector3((bodies[b].at.x - bodies.front().at.x) / size));
    rigid.block<3, 3>(at + 3, 3) = Matrix3::Identity() / size;
    moves.middleRows<3>(at + 3) *= size;
    rigid.block<3, 6>(at + 3, 0) *= size;
  }
  const MatrixX first = Eigen::HouseholderQR<MatrixX>(rigid).householderQ() * MatrixX::Identity(rigid.rows(), 6);
  const MatrixX second =
      Eigen::HouseholderQR<MatrixX>(moves).householderQ() * MatrixX::Identity(moves.rows(), moves.cols());
  const VectorX cosines = Eigen::BDCSVD<MatrixX>(first.transpose() * second).singularValues();
  return static_cast<int>(std::count_if(cosines.begin(), cosines.end(), [](double c) { return c > 1.0 - 1e-9; }));
}

double springReach(const Model& model) {
  double reach = 0.0;
  for (const Force& force : model.forces)
    if (force.law && force.joint.empty()) reach = std::max(reach, (force.secondPoint - force.firstPoint).norm());
  return reach;
}

Model heldModel(const Model& model) {
  Model held = model;
  for (Body& body : held.bodies) body.velocity = body.angularVelocity = Vector3::Zero();
  for (Joint& joint : held.joints) {
    if (joint.length) joint.length = heldSignal(*joint.length);
    for (CoordinateDrive& drive : joint.drives) drive.follow = heldSignal(drive.follow);
  }
  for (Force& force : held.forces) {
    force.scale = heldSignal(force.scale);
    if (force.vectorOverTime) force.vectorOverTime = VectorSignal(force.vectorOverTime->value(0.0));
  }
  held.actuators.clear();
  return held;
}

std::vector<std::string> heldWords(const Model& model) {
  std::vector<std::string> words;
  bool moves = false, drives = false, loads = false;
  for (const Body& body : model.bodies) moves |= !body.velocity.isZero(0.0) || !body.angularVelocity.isZero(0.0);
  for (const Joint& joint : model.joints) {
    drives |= joint.length && !joint.length->isConstant();
    for (const CoordinateDrive& drive : joint.drives) drives |= !drive.follow.isConstant();
  }
  for (const Force& force : model.forces) loads |= !force.scale.isConstant() || force.vectorOverTime.has_value();
  if (moves) words.emplace_back("the velocities of the start are left aside");
  if (drives) words.emplace_back("driven joints are held as at t = 0");
  if (loads) words.emplace_back("forces over time are as at t = 0");
  if (!model.actuators.empty()) words.emplace_back("actuators do not pull");
  return words;
}

EquilibriumSearch::EquilibriumSearch(const Model& model)
    : model_(heldModel(model)),
      mechanism_(std::make_shared<const Mechanism>(model_)),
      reducer_(mechanism_, springReach(model_)) {}

/// By how much the potential energy grows from one placement to another near by, less the work of forces that have none.
double EquilibriumSearch::energyGain(const MechanismMotion& from, const MechanismMotion& to) const {
  double gain = 0.0;
  for (std::size_t b = 0; b < from.size(); ++b)
    gain -= mechanism_->bodies()[b].mass * mechanism_->gravity().dot(to[b].at.x - from[b].at.x);
  for (const auto& element : mechanism_->forces()) {
    const MovingPlacement &first0 = motionOf(from, element->first()), &second0 = motionOf(from, element->second());
    const MovingPlacement &first1 = motionOf(to, element->first()), &second1 = motionOf(to, element->second());
    if (element->conservative()) {
      gain += element->potential(first1.at, second1.at) - element->potential(first0.at, second0.at);
      continue;
    }
    const ElementWrenches before = element->wrenches(0.0, first0, second0),
                          after = element->wrenches(0.0, first1, second1);
    const auto work = [](const Wrench& w0, const Wrench& w1, const Placement& a, const Placement& b) {
      const Vector3 rotation = logSO3(Matrix3(b.D * a.D.transpose()));
      return 0.5 * ((w0.force + w1.force).dot(b.x - a.x) + (w0.torque + w1.torque).dot(rotation));
    };
    gain -= work(before.first, after.first, first0.at, first1.at) +
            work(before.second, after.second, second0.at, second1.at);
  }
  return gain;
}

/// "'body' accelerates at 9.81 m/s^2".
std::string EquilibriumSearch::accelerationWords(const ReducedMotion& reduced) const {
  const VectorX acceleration = reduced.basis * reduced.mass.ldlt().solve(reduced.force);
  std::size_t fastest = 0;
  double most = -1.0;
  for (std::size_t b = 0; b < mechanism_->bodies().size(); ++b) {
    const auto at = 6 * static_cast<Eigen::Index>(b);
    const double size =
        std::max(acceleration.segment<3>(at).norm(), reducer_.size() * acceleration.segment<3>(at + 3).norm());
    if (size > most) most = size, fastest = b;
  }
  const auto at = 6 * static_cast<Eigen::Index>(fastest);
  const double linear = acceleration.segment<3>(at).norm(), angular = acceleration.segment<3>(at + 3).norm();
  const bool turns = reducer_.size() * angular > linear;
  return fmt::format("{} accelerates at {:.3g} {}", quoted(mechanism_->bodies()[fastest].name),
                     turns ? angular : linear, turns ? "rad/s^2" : "m/s^2");
}

Equilibrium EquilibriumSearch::descend(MechanismMotion bodies, bool isStart) {
  int falling = 0, pushes = 0;
  ReducedMotion reduced;
  for (int step = 0; step < mostSearchSteps; ++step) {
    reduced = reducer_.at(bodies);
    if (reduced.freedoms() == 0) return described(std::move(bodies));
    const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(0.5 * (reduced.stiffness + reduced.stiffness.transpose()));
    const VectorX& values = eigen.eigenvalues();
    const VectorX forces = eigen.eigenvectors().transpose() * reduced.force;
    const double least = leastStiffness(reduced, values.cwiseAbs().maxCoeff());
    VectorX change = VectorX::Zero(values.size());
    bool falls = false;
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      const double stiffness = std::abs(values[i]), force = std::abs(forces[i]);
      if (stiffness > least && force < longestStep * stiffness) {
        change[i] = forces[i] / stiffness;
      } else if (force > balancedForce * reduced.load) {
        change[i] = std::copysign(longestStep, forces[i]);
        falls |= !(stiffness > least);
      }
    }
    VectorX motion = reduced.basis * (eigen.eigenvectors() * change);
    double way = reducer_.largest(motion);
    if (way < nearEquilibrium) {
      Equilibrium found = described(polished(bodies));
      found.steps = step;
      found.atStart = isStart && step == 0;
      // where it did not start it goes on from a summit or a pass
      if (found.atStart || values[0] > -least || pushes++ == mostPushes) return found;
      const VectorX down = reduced.basis * eigen.eigenvectors().col(0);
      const auto next = reducer_.moved(found.bodies, 0.1 / reducer_.largest(down) * down);
      if (!next) return found;
      bodies = *next;
      continue;
    }
    falling = falls ? falling + 1 : 0;
    if (falling > mostFallingSteps) break;
    if (way > longestStep) motion *= longestStep / way, way = longestStep;

    // shortened until the forces do work on the way
    const VectorX unloaded = reduced.basis * (eigen.eigenvectors() * change);
    const double slope = forces.dot(change) * (reducer_.largest(motion) / reducer_.largest(unloaded));
    bool advanced = false;
    for (double part = 1.0; part > 1e-7 && !advanced; part *= 0.5) {
      const auto next = reducer_.moved(bodies, part * motion);
      if (!next || !(energyGain(bodies, *next) <= -1e-4 * part * slope + 1e-14 * reduced.load)) continue;
      bodies = *next;
      advanced = true;
    }
    if (!advanced) {
      bodies = polished(std::move(bodies));
      const ReducedMotion there = reducer_.at(bodies);
      if (there.force.norm() <= balancedForce * there.load) return described(std::move(bodies));
      throw SimulationError(0.0, fmt::format("{}: the search for an equilibrium cannot go on, since {} and the joints "
                                             "do not close further that way (a singular "
                                             "position, or an end of the motion); start elsewhere, or give --starts",
                                             model_.name, accelerationWords(there)));
    }
  }
  const bool driven = falling > 0;
  throw SimulationError(
      0.0, fmt::format("{}: {}: {}{}", model_.name, driven ? "there is no equilibrium" : "no equilibrium was found",
                       accelerationWords(reduced),
                       driven ? " in a direction in which nothing resists; hold it by a joint or a spring"
                              : fmt::format(" after {} steps of the search; start elsewhere, or give --starts",
                                            mostSearchSteps)));
}

/// Newton's steps, down to rounding; neutral motions are left alone.
MechanismMotion EquilibriumSearch::polished(MechanismMotion bodies) {
  MechanismMotion best = bodies;
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < mostPolishingSteps; ++step) {
    const ReducedMotion reduced = reducer_.at(bodies);
    Eigen::BDCSVD<MatrixX> svd(reduced.stiffness, Eigen::ComputeThinU | Eigen::ComputeThinV);
    if (!(svd.singularValues()[0] > 0.0)) return bodies;
    svd.setThreshold(leastStiffness(reduced, svd.singularValues()[0]) / svd.singularValues()[0]);
    const VectorX change = svd.solve(reduced.force), motion = reduced.basis * change;
    const double left = (reduced.stiffness * change).norm();  // the force without what neutral motions feel
    if (left < least) best = bodies;
    const double way = reducer_.largest(motion);
    if (!(left < 0.9 * least) || !(way > 1e-16) || !(way < longestStep)) break;  // at rounding
    least = left;
    const auto next = reducer_.moved(bodies, motion);
    if (!next) break;
    bodies = *next;
  }
  return best;
}

Equilibrium EquilibriumSearch::described(MechanismMotion bodies) {
  Equilibrium result;
  for (MovingPlacement& body : bodies) body.rate = {};
  result.reduced = reducer_.at(bodies);
  const ReducedMotion& reduced = result.reduced;
  if (reduced.freedoms() > 0) {
    const MatrixX neutral = neutralMotions(reduced);
    result.neutral = static_cast<int>(neutral.cols());
    result.rigid = rigidMotions(reduced.basis * neutral, bodies, reducer_.size());
    const MatrixX& K = reduced.stiffness;
    if (reduced.isSymmetric()) {
      const MatrixX mean = 0.5 * (K + K.transpose());
      const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> eigen(mean, reduced.mass, Eigen::EigenvaluesOnly);
      result.stiffness.assign(eigen.eigenvalues().begin(), eigen.eigenvalues().end());
    } else {
      const MatrixX relative = reduced.mass.ldlt().solve(K);
      const Eigen::VectorXcd values = relative.eigenvalues();
      const VectorX real = values.real(), imaginary = values.imag();
      result.stiffness.assign(real.begin(), real.end());
      result.flutter = imaginary.cwiseAbs().maxCoeff() > 1e-8 * real.cwiseAbs().maxCoeff();
    }
    // those of neutral motions are the smallest, and exactly zero
    std::sort(result.stiffness.begin(), result.stiffness.end(),
              [](double a, double b) { return std::abs(a) < std::abs(b); });
    std::fill_n(result.stiffness.begin(), result.neutral, 0.0);
    std::sort(result.stiffness.begin(), result.stiffness.end());
  }
  result.observation = observeMechanism(*mechanism_, 0.0, bodies);
  InstantWatch watch(mechanism_);
  watch.tell(result.observation, bodies, Detail::forces);
  result.bodies = std::move(bodies);
  return result;
}

Equilibrium EquilibriumSearch::fromStart() {
  return descend(initialMotion(*mechanism_), true);
}

Equilibrium EquilibriumSearch::atStart() {
  MechanismMotion bodies = initialMotion(*mechanism_);
  const ReducedMotion reduced = reducer_.at(bodies);
  if (!(reduced.force.norm() <= 1e-8 * reduced.load))
    throw SimulationError(
        0.0, fmt::format("{}: the start is no equilibrium: {} when it is let go at rest; leave out --at-start, "
                         "so that the equilibrium is looked for",
                         model_.name, accelerationWords(reduced)));
  Equilibrium result = described(std::move(bodies));
  result.atStart = true;
  return result;
}

/// Some way off the start, along directions that the joints leave free.
MechanismMotion EquilibriumSearch::somewhere(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  MechanismMotion bodies = initialMotion(*mechanism_);
  const double way = 2.0 * std::numbers::pi * uniform();
  VectorX direction = VectorX::Zero(6 * static_cast<Eigen::Index>(bodies.size()));
  for (Eigen::Index i = 0; i < direction.size(); ++i)
    direction[i] = (i % 6 < 3 ? reducer_.size() : 1.0) * (2.0 * uniform() - 1.0);
  for (double gone = 0.0; gone < way; gone += 0.2) {
    const ReducedMotion reduced = reducer_.at(bodies);
    if (reduced.freedoms() == 0) break;
    // the part of the direction that the joints allow, which the next step goes on with
    const VectorX along = reduced.basis * reduced.basis.colPivHouseholderQr().solve(direction);
    const double size = reducer_.largest(along);
    if (!(size > 0.0)) break;
    const auto next = reducer_.moved(bodies, 0.2 / size * along);
    if (!next) break;
    bodies = *next;
    direction = along;
  }
  return bodies;
}

bool EquilibriumSearch::isSame(const Equilibrium& a, const Equilibrium& b) const {
  if (a.neutral > 0 || b.neutral > 0)
    return a.neutral == b.neutral && std::abs(a.observation.potentialEnergy - b.observation.potentialEnergy) <=
                                         1e-8 * std::max(a.reduced.load, b.reduced.load);
  double apart = 0.0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i)
    apart = std::max({apart, (a.bodies[i].at.x - b.bodies[i].at.x).norm() / reducer_.size(),
                      (a.bodies[i].at.D - b.bodies[i].at.D).norm()});
  return apart < 1e-6;
}

std::vector<Equilibrium> EquilibriumSearch::fromStarts(int starts, std::uint64_t seed) {
  std::vector<Equilibrium> found;
  std::string failure;
  for (int i = 0; i < starts; ++i) {
    try {
      Equilibrium next = i == 0 ? fromStart() : descend(somewhere(seed + static_cast<std::uint64_t>(i)), false);
      const bool known =
          std::any_of(found.begin(), found.end(), [&](const Equilibrium& other) { return isSame(other, next); });
      if (!known) found.push_back(std::move(next));
    } catch (const SimulationError& error) {
      if (failure.empty()) failure = error.what();
    }
  }
  if (found.empty()) throw SimulationError(0.0, failure);
  std::stable_sort(found.begin(), found.end(), [](const Equilibrium& a, const Equilibrium& b) {
    return a.observation.potentialEnergy < b.observation.potentialEnergy;
  });
  return found;
}

}  // namespace polhode
