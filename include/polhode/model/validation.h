#pragma once

#include "polhode/model/model.h"

#include <optional>
#include <string>

/// What a model must fulfil:
///
///     mass > 0;  J = J^T, eigenvalues 0 <= J1 <= J2 <= J3 <= J1 + J2;  |q| = 1;  everything finite
///
/// Equality in the triangle inequality is a flat plate, J1 = 0 a thin rod, J = 0 a point mass: all allowed.
/// Names are unique, and a body that a joint holds to the ground moves about the joint's point.
namespace polhode {

/// Numbers that people write carry six digits or so: what violates a condition by no more than this, relative
/// to the numbers in it, is a rounding.
constexpr double writtenRounding = 1e-6;

/// What is wrong: the key of the model file that is to blame, and a sentence whose subject is the body,
/// joint or spring: {"bodies", "connects 'thigh' to itself; give two different bodies"}.
struct Problem {
  const char* key;  // a literal
  std::string sentence;
};

// What is wrong with one part of a model, if anything. Parts behind it in the model are not looked at.
std::optional<Problem> bodyProblem(const Model& model, std::size_t index);
std::optional<Problem> jointProblem(const Model& model, std::size_t index);
std::optional<Problem> springProblem(const Model& model, std::size_t index);

/// Whether the body that a joint holds moves about the joint's point.
std::optional<Problem> velocityProblem(const Model& model, const Joint& joint);

/// Throws an InputError, "body 'top' ...", for the first thing that is wrong with a model.
void validate(const Model& model);

}  // namespace polhode
