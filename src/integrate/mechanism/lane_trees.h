#pragma once

#include "integrate/mechanism/mechanism_state.h"
#include "system/mechanism.h"

#include <memory>
#include <string>
#include <vector>

/// Many mechanisms of one structure, stepped side by side in the lanes of vector registers by director-em with a fixed
/// step: trees of ball joints and hinges under their weight (tree_kernel.h), each with masses, lengths, axes, gravity and a
/// start of its own.
///
/// Each member is iterated until it has converged itself, and then waits for the others: what becomes of it does not hang on
/// its neighbours, nor on how many there are. All bits are the same for every width.
///
/// A member whose step does not converge here is stepped by itself as `director-em` steps a mechanism, with all its means
/// for hard steps, and joins the others again. One that does not even so stays where it is, with a sentence.
namespace polhode {

class LaneTrees {
 public:
  virtual ~LaneTrees() = default;

  /// Whether members can go side by side: all trees that fit, with the same bodies hanging on each other by the same joints.
  static bool fit(const Mechanism& first, const Mechanism& other);

  /// `h` is the usual length of a step; at most `width` members, which must all fit. Widths are 1, 2, 4 and 8.
  static std::unique_ptr<LaneTrees> make(std::vector<std::shared_ptr<const Mechanism>> members, double h, int width);

  /// How many go side by side on this processor.
  static int usualWidth();

  /// One step of that length.
  virtual void step(double length) = 0;
  void step() { step(h_); }
  double time() const { return time_; }

  /// Where a member's bodies are, into what may have been used before.
  virtual void motion(std::size_t member, MechanismMotion& bodies) const = 0;
  MechanismMotion motion(std::size_t member) const {
    MechanismMotion bodies;
    motion(member, bodies);
    return bodies;
  }

  /// Puts a member elsewhere, where it goes on; one that had stopped moves again.
  virtual void place(std::size_t member, const MechanismMotion& bodies) = 0;

  /// A pull on a body of a member from the next step on, until it is set anew: at its centre of mass, in space.
  virtual void setLoad(std::size_t member, std::size_t body, const Vector3& force, const Vector3& torque) = 0;

  /// Why a member has stopped; empty where it moves.
  const std::string& failure(std::size_t member) const { return failures_[member]; }

 protected:
  LaneTrees(std::vector<std::shared_ptr<const Mechanism>> members, double h)
      : members_(std::move(members)), failures_(members_.size()), h_(h) {}

  void passed(double length) { time_ = length == h_ ? static_cast<double>(++steps_) * h_ : time_ + length; }

  std::vector<std::shared_ptr<const Mechanism>> members_;
  std::vector<std::string> failures_;

 private:
  double h_, time_ = 0.0;
  long steps_ = 0;
};

}  // namespace polhode
