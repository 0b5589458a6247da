#pragma once

#include "integrate/mechanism/general_engine.h"
#include "integrate/mechanism/hinge_tree.h"
#include "integrate/mechanism/loop_tree.h"

#include <memory>

namespace polhode {

/// The director scheme for a mechanism: trees of ball joints and hinges by hinge_tree.h, such trees with loops and pulls from
/// outside by loop_tree.h, everything else by general_engine.h, and steps that are too hard for the faster two. All solve the
/// same equations.
class DirectorEngine {
 public:
  /// `sequences`: how many steps make up one step of a composition; each has a memory of its own to predict from.
  explicit DirectorEngine(const Mechanism& mechanism, int sequences = 1);

  /// So many threads share the steps of a large mechanism from now on, at least one; the bits stay the same. Where there is nothing to
  /// share none is started.
  void workWith(int threads);
  int threads() const { return crew_ ? crew_->threads() : 1; }

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
  LoopTree& loopTree();

  const Mechanism& mechanism_;
  int sequences_;
  std::unique_ptr<Crew> crew_;
  std::unique_ptr<HingeTree> tree_;
  std::unique_ptr<LoopTree> loops_;  // made when they are needed
  std::unique_ptr<GeneralEngine> general_;
  bool treeWithLoops_;
  std::vector<BodyLoad> loads_;  // of each body; empty where nothing pulls
};

}  // namespace polhode
