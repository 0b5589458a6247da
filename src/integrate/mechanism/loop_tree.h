#pragma once

#include "integrate/mechanism/contraction.h"
#include "integrate/mechanism/mechanism_state.h"
#include "integrate/mechanism/step_prediction.h"
#include "integrate/mechanism/tree_forces.h"
#include "integrate/step_report.h"
#include "system/body_load.h"

#include <vector>

/// The director scheme (director_engine.h) for mechanisms whose spanning tree is made of ball joints and hinges, with joints
/// that close loops (tree_loops.h), forces (tree_forces.h) and pulls from outside: as fast as trees (hinge_tree.h), but for
/// these.
///
/// Unknown are the turns of the bodies and the multipliers of the joints that close loops. **A step vouches for itself**: where
/// the iteration has come to rest the step counts only if all joints are closed (rows that repeat others: up to the
/// roundings of the model), and if what is left of the balance of momentum does no work beyond round-off. Where it does not
/// count the general engine takes the step.
namespace polhode {

class Archive;

class LoopTree {
 public:
  static bool fits(const Mechanism& mechanism);

  /// `sequences` as for DirectorEngine.
  LoopTree(const Mechanism& mechanism, int sequences);
  LoopTree(const Mechanism& mechanism, int sequences, const TreePieces& pieces);

  /// How many pieces threads can share (tree_kernel.h), and who they are.
  std::size_t pieces() const { return kernel_.pieces(); }
  void shareWith(Crew* crew) { kernel_.shareWith(crew); }

  /// Reads `loads`, of each body; the state is as it was where the step has not converged.
  StepReport step(MechanismState& state, double h, int sequence, std::span<const BodyLoad> loads);

  /// What it has learned of the last steps.
  void persist(Archive& archive);

 private:
  /// Of a sequence: the turns, then the multipliers.
  struct Past {
    StepPrediction steps;
    Contraction contraction;

    template <class Archive>
    void persist(Archive& archive) {
      archive(steps, contraction);
    }
  };

  using Kernel = TreeKernel<double>;

  /// What is left of the balance of momentum, and what it is measured by.
  struct alignas(64) Balance {
    double impulse = 0.0, turning = 0.0, increment = 0.0, terms = 0.0, left = 0.0, largestLeft = 0.0, sheared = 0.0;
    std::size_t worst = 0;
    void operator+=(const Balance& other);
  };

  void limitRanks();
  void predict(const MechanismState& state, double h, Past& past);
  void begin(const MechanismState& state);
  StepReport iterate(const MechanismState& state, double h, Contraction& contraction);
  template <bool factorise>
  void pull(const MechanismState& state, double h);
  template <bool factorise>
  void assemble(const MechanismState& state, double h);
  void takeMultipliers(const MechanismState& state);
  bool vouches(const MechanismState& state, double h, bool isTrusted, StepReport& report);
  void weigh(std::size_t i, const Vector3& force, const Vector3& torque, const MechanismState& state, double h);
  void finish(MechanismState& state, double h, Past& past);

  const Mechanism& mechanism_;
  double size_;
  std::vector<int> nodeOf_;
  Kernel kernel_;
  TreeLoops loops_;
  bool rankIsKnown_ = true;  // of the border; where not, rows may turn out to be independent later
  std::vector<Past> pasts_;
  VectorX increments_;               // of the step at hand, as they are predicted and kept
  std::span<const BodyLoad> loads_;  // of this step
  TreeForces forces_;
  std::vector<Vector3> impulses_, turningImpulses_;  // what each node asks of its joint, times the step
  std::vector<Balance> balances_;                    // of each piece
};

}  // namespace polhode
