#pragma once

#include "model/problem.h"
#include "polhode/model/model.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

/// What a model must fulfil:
///
///     mass >= 0;  J = J^T, eigenvalues 0 <= J1 <= J2 <= J3 <= J1 + J2;  |q| = 1;  everything finite
///
/// Equality in the triangle inequality is a flat plate, J1 = 0 a thin rod, J = 0 a point mass: all allowed. A body without
/// mass is a frame that a joint carries. Names are unique, joints and forces connect two different bodies that exist, and
/// axes have a length. Whether joints fit together is judged in system/assembly.h.
namespace polhode {

/// Numbers that people write carry six digits or so: what violates a condition by no more than this, relative
/// to the numbers in it, is a rounding.
constexpr double writtenRounding = 1e-6;

/// Judges the parts of a model one after the other: all bodies, then joints, then forces. It remembers their names, so
/// that a model of a hundred thousand parts is judged in one go.
class ModelChecker {
 public:
  // What is wrong with one part, if anything.
  std::optional<Problem> body(const Body& body);
  std::optional<Problem> joint(const Joint& joint);
  std::optional<Problem> coupling(const Coupling& coupling);
  std::optional<Problem> force(const Force& force);
  std::optional<Problem> sensor(const Sensor& sensor);

  /// What is wrong with a body once all joints are known.
  std::optional<Problem> loneBody(const Body& body) const;

 private:
  std::optional<Problem> endsProblem(const std::string& first, const std::string& second) const;

  std::optional<Problem> coordinateProblem(const Force& force) const;
  std::optional<Problem> coupledProblem(const std::string& joint, const char* coordinate) const;

  std::unordered_set<std::string> bodies_{"ground"}, joints_, forces_, sensors_, jointed_;
  std::unordered_map<std::string, const JointType*> jointTypes_;  // by the joint's name
};

/// Throws an InputError, "body 'top' ...", for the first thing that is wrong with a model.
void validate(const Model& model);

}  // namespace polhode
