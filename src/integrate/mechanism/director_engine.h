#pragma once

#include "integrate/mechanism/general_engine.h"
#include "integrate/mechanism/hinge_tree.h"

#include <memory>

namespace polhode {

/// The director scheme for a mechanism: trees of ball joints and hinges by hinge_tree.h, everything else, and whatever is
/// pulled at from outside, by general_engine.h. Both solve the same equations.
class DirectorEngine {
 public:
  /// `sequences`: how many steps make up one step of a composition; each has a memory of its own to predict from.
  explicit DirectorEngine(const Mechanism& mechanism, int sequences = 1);

  MechanismState start() const;

  /// One step; if it does not converge the state is as it was. Throws SimulationError where no inertia resists a body.
  StepReport step(MechanismState& state, double h, int sequence = 0);

  /// Gives rows that follow a signal the rate that it has at the state's time (GeneralEngine).
  void followDrives(MechanismState& state);

  /// GeneralEngine::fitting.
  MechanismMotion fitting(double t, MechanismMotion bodies) { return general().fitting(t, std::move(bodies)); }

  void setLoad(std::size_t body, const BodyLoad& load);
  const Mechanism& mechanism() const { return mechanism_; }

  /// What the engines have learned of the last steps, and what pulls from outside.
  void persist(Archive& archive);

 private:
  GeneralEngine& general();

  const Mechanism& mechanism_;
  int sequences_;
  std::unique_ptr<HingeTree> tree_;
  std::unique_ptr<GeneralEngine> general_;  // made when it is needed
  std::vector<bool> loaded_;
  int loads_ = 0;
};

}  // namespace polhode
