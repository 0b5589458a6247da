#pragma once

#include "integrate/mechanism/contraction.h"
#include "integrate/mechanism/mechanism_state.h"
#include "integrate/mechanism/step_prediction.h"
#include "integrate/mechanism/tree_kernel.h"
#include "integrate/step_report.h"

#include <vector>

/// The director scheme (director_engine.h) for trees of ball joints and hinges that hang on the ground and carry nothing
/// but their weight: long chains, in a small part of the time. The equations and their elimination are in tree_kernel.h;
/// the matrix is factorised in the first iteration, and the next ones are so close that it serves again.
///
/// Points of joints are closed by construction, and no row is ever left out. When the iteration has come to rest the axes of
/// the hinges are looked at; a step that does not close them does not count.
namespace polhode {

class Archive;

class HingeTree {
 public:
  /// Whether the mechanism is such a tree.
  static bool fits(const Mechanism& mechanism);

  /// `sequences` as for DirectorEngine.
  HingeTree(const Mechanism& mechanism, int sequences);
  HingeTree(const Mechanism& mechanism, int sequences, const TreePieces& pieces);

  /// How many pieces threads can share (tree_kernel.h), and who they are.
  std::size_t pieces() const { return kernel_.pieces(); }
  void shareWith(Crew* crew) { kernel_.shareWith(crew); }

  StepReport step(MechanismState& state, double h, int sequence);

  /// What it has learned of the last steps.
  void persist(Archive& archive);

 private:
  /// Of a sequence.
  struct Past {
    StepPrediction turns;
    Contraction contraction;

    template <class Archive>
    void persist(Archive& archive) {
      archive(turns, contraction);
    }
  };

  using Kernel = TreeKernel<double>;

  void predict(const MechanismState& state, double h, Past& past);
  StepReport iterate(const MechanismState& state, double h, Contraction& contraction);
  void finish(MechanismState& state, double h, Past& past);

  const Mechanism& mechanism_;
  Kernel kernel_;
  std::vector<Past> pasts_;
  VectorX turns_;  // of the step at hand, as they are predicted and kept
};

}  // namespace polhode
