#pragma once

#include "polhode/math/types.h"

#include <vector>

namespace polhode {

/// A system of differential-algebraic equations
///
///     F(t, y, y') = 0
///
/// as implicit multistep methods see it. Results handed in have the right size already.
class DaeSystem {
 public:
  virtual ~DaeSystem() = default;

  virtual int size() const = 0;

  /// The differentiation index: how often F has to be differentiated to obtain y' as a function of y.
  virtual int index() const = 0;

  /// r = F(t, y, ydot). Throws SimulationError where F is not defined.
  virtual void residual(double t, const VectorX& y, const VectorX& ydot, VectorX& r) const = 0;

  /// True for the components whose derivative appears in F, false for the algebraic ones.
  virtual std::vector<bool> differential() const = 0;

  /// For each component k = 1, 2 or 3: a perturbation of F shows in it multiplied by h^(1-k), h the step.
  /// Integrators weigh its errors by h^(k-1) (Hairer & Wanner II, section VII.3).
  virtual std::vector<int> componentIndex() const = 0;

  /// From the differential components of y: fills in the algebraic ones and all of ydot, consistently.
  virtual void complete(double t, VectorX& y, VectorX& ydot) const = 0;
};

}  // namespace polhode
