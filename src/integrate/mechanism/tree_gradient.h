#pragma once

#include "integrate/mechanism/tree_parts.h"

#include <memory>
#include <vector>

/// The motion of a tree of ball joints and hinges by director-em, together with its derivatives by parameters: the step of
/// tree_kernel.h over dual numbers. What comes out are the derivatives of the steps themselves, to round-off, however long
/// the run is; no differences of runs are taken.
namespace polhode {

class TreeGradient {
 public:
  /// `tangents[k]`: the derivatives of all numbers of the parts (numbersOf) by parameter k.
  TreeGradient(const TreeParts<double>& parts, const std::vector<std::vector<double>>& tangents);
  ~TreeGradient();

  /// One step of that length. Throws SimulationError where it does not converge.
  void step(double length);

  MechanismMotion motion() const;

  /// d motion / d parameter k: of places, directors, velocities and the rates of directors.
  MechanismMotion derivative(std::size_t k) const;

 private:
  class Sweep;  // a few parameters at a time
  std::vector<std::unique_ptr<Sweep>> sweeps_;
};

}  // namespace polhode
