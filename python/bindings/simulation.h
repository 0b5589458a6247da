#pragma once

#include "polhode/analysis/simulation.h"

#include <atomic>
#include <stdexcept>

namespace polhode::python {

/// A simulation that several threads of Python may hold. Since the lock is released while it works, another thread could
/// call it meanwhile; that one is told so.
struct PythonSimulation {
  PythonSimulation(const Model& model, const SimulationSettings& settings) : simulation(model, settings) {}

  Simulation simulation;
  mutable std::atomic<bool> busy = false;
};

/// While it lives, one thread uses the simulation.
class Busy {
 public:
  explicit Busy(const PythonSimulation& whose) : whose_(whose) {
    if (whose_.busy.exchange(true, std::memory_order_acquire))
      throw std::runtime_error(
          "the simulation is at work, in another thread or in the call that this function was called from; wait until "
          "it is "
          "done, or give each thread its own");
  }
  ~Busy() { whose_.busy.store(false, std::memory_order_release); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  const PythonSimulation& whose_;
};

}  // namespace polhode::python
