#pragma once

#include "integrate/single_body/top.h"
#include "integrate/stepper.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polhode::single_body {

/// What a stepper of a conserving scheme shows as its state: the body's motion and what the scheme itself says of it.
struct SchemeOutput {
  Quaternion q;
  Vector3 Omega;            // from the momentum
  double energy;            // the one that the scheme conserves (generalised energy for eml and its kin)
  double totalEnergy;       // kinetic and potential, from the velocities at the node
  Vector3 angularMomentum;  // in space, about the reference point
  double velocityDefect;    // q . v

  static constexpr int size = 13;
  VectorX pack() const;
  static SchemeOutput unpack(const VectorX& y);
};

/// How long the steps are: a fixed length, or chosen for a tolerance.
struct SchemeSteps {
  std::optional<double> length = std::nullopt;
  double tolerance = 1e-8;
  std::optional<double> firstStep = std::nullopt;  // of chosen ones; see first_chosen_step.h
  double smallestStep = 0.0;                       // see ConservingStepper::control
};

/// A scheme of AllSchemes, or its composition, at the start of its run. Throws InputError for a name that is none.
std::unique_ptr<Stepper> makeSchemeStepper(const std::string& name, const TopData& top, const TopState& start,
                                           double tEnd, const SchemeSteps& steps);

}  // namespace polhode::single_body
