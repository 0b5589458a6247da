#pragma once

#include "polhode/model/model.h"
#include "polhode/model/simulation.h"

#include <string>
#include <vector>

/// The examples and formulations that Lang 2010 compares.
namespace polhode::lang {

/// A right-hand side of the paper: its equation and how polhode names it.
struct Formulation {
  std::string label;     // "quaternion null space (42)"
  std::string equation;  // "42"
  std::string coordinates;
  std::string formulation;
};

/// (42), (25), (40), (23) and (66).
const std::vector<Formulation>& formulations();

/// Example A, the gyro top, spinning at Omega_3(0).
Model exampleA(double spin = 20.0);

/// Example B, the tennis racket, with Omega_2(0) = Omega_3(0) = disturbance.
Model exampleB(double disturbance);

/// The settings of one run.
SimulationSettings settings(const Formulation& formulation, const std::string& integrator, double tolerance,
                            double end);

}  // namespace polhode::lang
