#pragma once

#include "integrate/step_breaks.h"
#include "math/block_sparse_lu.h"
#include "system/mechanism.h"
#include "system/mechanism_observation.h"
#include "system/redundancy.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

/// The partitioned linear-implicit Euler scheme of Lipovac 2020, (3.3) and (3.4), for mechanisms in real time: one linear
/// system a step, a fixed cost, no iteration and no allocation.
///
///     x_k+1 = x_k + h v_k,    q_k+1 = exp(h omega_k) o q_k                                                  (3.3)
///
///     [ M - h f_v   -h G^T ] [ v_k+1 - v_k ]   [ h f(x_k+1, v_k)                     ]
///     [ G             r I  ] [ rho         ] = [ -G v_k - (epsilon/h) Phi(x_k+1)     ]                       (3.4)
///
/// with v = (velocity, angular velocity in space) of each body. Gyroscopic torques are part of f, and linearised. Force
/// elements act with their mean over the way that follows, from x_k+1 to x_k+1 + h v_k+1, linearised about v_k: springs
/// and dampers of any stiffness are stable. What depends on time has the value of the middle of the step, so that the
/// impulse of a load is right where no step goes across a kink (endStepsAt). r is a compliance near rounding, for singular
/// positions; rows that repeat others are left out (redundancy.h). A body without mass is given a millionth of the heaviest
/// one's, without weight, as every body is divided by its mass.
///
/// Joints open by what Baumgarte's term (2.29) leaves, O(h^2); nothing is conserved. Bodies are eliminated first, which
/// couples the joints of each; then the joints with the fewest neighbours first, so that a tree is eliminated from its
/// leaves to its root without fill (1.4.1), and loops fill in little.
namespace polhode {

/// A force and a torque of the caller's that acts on a body, in space; the torque about the centre of mass.
struct BodyWrench {
  int body = 0;
  Wrench wrench;
};

/// Adds it to what acts on each body; the ground takes everything.
inline void addTo(std::vector<Wrench>& wrenches, const BodyWrench& part) {
  if (part.body == groundIndex) return;
  wrenches[static_cast<std::size_t>(part.body)].force += part.wrench.force;
  wrenches[static_cast<std::size_t>(part.body)].torque += part.wrench.torque;
}

class LinearImplicitEuler {
 public:
  /// Of a step's acceleration that moves a body in the same step, for laws that look ahead (control/receding_horizon.h).
  static constexpr double shareOfStep = 0.0;

  /// `epsilon` is the share of Baumgarte's optimal term, from 0 to 1.
  LinearImplicitEuler(const Mechanism& mechanism, double step, double epsilon = 0.2);

  /// From now on steps end where something happens.
  void endStepsAt(StepBreaks breaks) { grid_ = StepGrid(grid_.length(), std::move(breaks)); }

  /// From now on what is longer than this is gone in several steps; for ever again where it is the length of the grid.
  void divideSteps(double longest) { longest_ = std::min(longest, grid_.length()); }
  double longestStep() const { return longest_; }
  double undividedStep() const { return grid_.length(); }
  double undividedEnd() const { return grid_.from(time_).end; }  // of the step that may be divided

  /// By how much the joints would open over a step of this length from here, of the mechanism's size or in radians: as bodies
  /// go straight on and turn about their centres, what a joint holds leaves its place by length^2/2 times its curvature.
  double opening(double length);

  double time() const { return time_; }
  double nextTime() const { return next().end; }                       // where the next step will end
  double step() const { return step_; }                                // how long the present or the last one is
  std::span<const MovingPlacement> bodies() const { return bodies_; }  // principal axes
  const Vector3& velocity(int body) const { return velocities_[index(body)]; }
  const Vector3& angularVelocity(int body) const { return angularVelocities_[index(body)]; }  // in space
  const Redundancy& redundancy() const { return redundancy_; }

  /// Looks at the choice of the rows that are left out, where bodies have moved on; to be called between steps. Spatial
  /// loops need it.
  void reviewRedundancy() { redundancy_.review(time(), bodies_); }
  const Quaternion& orientation(int body) const { return orientations_[index(body)]; }  // of the principal axes

  // A step has three parts.

  /// (3.3), and factorises (3.4). The velocities are still those before the step.
  void move();

  /// How velocities at the step's end would answer to wrenches, and what they are without. Between `move` and `finish`. A
  /// response is a vector of all unknowns; `velocityIn` takes a body's out of it.
  void respond(std::span<const BodyWrench> wrenches, Eigen::Ref<VectorX> response) const;

  /// The mobility of a body alone: its mean acceleration and angular acceleration over the step, by force and torque on it.
  Eigen::Matrix<double, 6, 6> mobility(int body) { return system_.inverseBlock(bodyNode_[index(body)]); }

  const VectorX& freeChange() const { return change_; }
  Vector3 velocityIn(const VectorX& response, int body) const;
  Vector3 angularVelocityIn(const VectorX& response, int body) const;
  int unknowns() const { return system_.size(); }

  /// Adds a response, times a factor, to the change of the velocities; or that to wrenches.
  void apply(const VectorX& response, double factor) { change_ += factor * response; }
  void apply(std::span<const BodyWrench> wrenches);
  void apply(const BodyWrench& wrench) { apply({&wrench, 1}); }

  /// Takes the velocities over.
  void finish();

  /// What all rows of joints pulled with along their gradients in the last step; `all` has a number for each.
  void pulls(VectorX& all) const;

  /// A whole step, under given wrenches.
  void advance(std::span<const BodyWrench> wrenches = {});

  /// Begins anew from a motion (principal axes).
  void reset(double time, std::span<const MovingPlacement> bodies);

  /// Where it is; between steps nothing else is remembered (archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(grid_, time_, step_, longest_, bodies_, orientations_, velocities_, angularVelocities_, redundancy_);
  }

 private:
  struct EndBlocks {
    int body = groundIndex, row = -1, column = -1;  // blocks of the system
  };
  struct JointBlocks {
    int node, diagonal;
    std::array<EndBlocks, 4> ends{};  // of a joint two, of a coupling up to four
  };
  struct ForceBlocks {
    int first = -1, second = -1, across = -1, back = -1;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static BlockSparseLu makeSystem(const Mechanism& mechanism, std::vector<int>& bodyNode, std::vector<int>& jointNode);
  void findInertias();
  void findBlocks();
  void addBodies();
  void addForces();
  void addJoints();
  Placement advanced(int body, double length) const;
  StepGrid::Step next() const;

  const Mechanism& mechanism_;
  Redundancy redundancy_;
  StepGrid grid_;
  double time_ = 0.0, step_, longest_, epsilon_;
  double size_;  // of the mechanism

  std::vector<MovingPlacement> bodies_;
  std::vector<Quaternion> orientations_;
  std::vector<Vector3> velocities_, angularVelocities_;

  std::vector<double> masses_;     // that step: none is zero
  std::vector<Vector3> inertias_;  // the same
  std::vector<int> bodyNode_, jointNode_;
  BlockSparseLu system_;
  std::vector<int> bodyBlocks_;
  std::vector<JointBlocks> jointBlocks_;
  std::vector<ForceBlocks> forceBlocks_;
  VectorX change_;  // right-hand side, then v_k+1 - v_k and the multipliers
  VectorX response_;
  std::vector<MovingPlacement> ahead_;
};

}  // namespace polhode
