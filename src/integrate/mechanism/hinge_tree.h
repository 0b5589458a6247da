#pragma once

#include "integrate/mechanism/articulated.h"
#include "integrate/mechanism/contraction.h"
#include "integrate/mechanism/mechanism_state.h"
#include "integrate/step_report.h"

#include <vector>

/// The director scheme (director_engine.h) for trees of ball joints and hinges that hang on the ground and carry nothing
/// but their weight: long chains, in a small part of the time.
///
/// Only the turns c are unknown, three a body. Positions follow from the root outwards, as the joints close exactly; the
/// forces of the points and the torques of the hinges follow from the leaves inwards, as sums of what lies beyond:
///
///     dx_b = dx_p + (D1 - D0)_p rho_p - (D1 - D0)_b rho_b - gap0
///     Lambda_b = (2m/h) dx_b - 2 m v0_b - h m g + sum_children Lambda_c          (h times the force of the parent joint)
///     turningTorque_b - a_b cross Lambda_b + sum_children (a_c cross Lambda_c + T_c) = T_b     (a = Dm rho)
///
/// where T_b, h times the torque of the parent joint, is zero for a ball and orthogonal to the axis for a hinge; what is
/// left over is the residual. Each Newton step goes once from the leaves to the root (articulated bodies, 3 x 3 blocks)
/// and once back. The matrix is factorised in the first of them; the next ones are so close that it serves again.
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

  StepReport step(MechanismState& state, double h, int sequence);

  /// What it has learned of the last steps.
  void persist(Archive& archive);

 private:
  static constexpr int pastSteps = 4;

  /// What does not change: geometry and mass of a body and of the joint to its parent.
  struct Link {
    Vector3 arm, parentArm;  // the joint in the body and in its parent
    Vector3 secondMoments;
    double mass;
    int body, parent;  // number in the mechanism; node of the parent, where the last node is the ground
    bool isHinge;
    int joint;                         // number among the balls or among the hinges
    int beyond = 0, parentBeyond = 0;  // which of `beyond_` collects what hangs on it, and on its parent
    int firstRow;
    double sign;  // 1 where the body is the joint's second
  };

  /// What changes in every iteration.
  struct Node {
    Vector3 c, dx, gap;
    Matrix3 D1, Dm;
    Vector3 motion, turn;  // the last correction: of the place and of the directors at the end
  };

  /// Sums of what hangs on a body.
  struct Beyond {
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();  // of the joints, times the step
    Vector3 onPlace = Vector3::Zero(),
            onTurn = Vector3::Zero();  // what the elimination leaves for the body's residuals
    Articulated matrix;

    void clear(bool matrixToo) {
      force.setZero(), torque.setZero(), onPlace.setZero(), onTurn.setZero();
      if (matrixToo) matrix = Articulated();
    }
  };

  struct Correction {
    double largest, largestTurn;  // of all bodies: the change of c, and c
  };

  struct Past {
    double h = 0.0;
    int known = 0;
    std::vector<Vector3> c[pastSteps];

    template <class Archive>
    void persist(Archive& archive) {
      archive(h, known, c);
    }
  };

  enum class Matrix { made, kept };

  int ground() const { return static_cast<int>(links_.size()); }
  void allotBeyond();
  void predict(const MechanismState& state, double h, Past& past);
  void place(const Link& link, Node& node, const Matrix3& D0);
  StepReport iterate(const MechanismState& state, double h);
  HingeAxes hingeAxes(const Link& link, const Node& node, Matrix3 Node::*directors) const;
  Remainder askedOfJoint(const Link& link, const Node& node, const MovingPlacement& start, double h) const;
  Vector3 hingeResidual(const Link& link, const Node& node, const Vector3& asked) const;
  template <Matrix matrix>
  void inward(const MechanismState& state, double h);
  Correction correct(const MechanismState& state);
  bool hingesClose(StepReport& report) const;
  void finish(MechanismState& state, double h, Past& past);

  const Mechanism& mechanism_;
  Vector3 gravity_;
  std::vector<Link> links_;
  std::vector<Node> nodes_;  // one more than links: the ground
  std::vector<Beyond> beyond_;
  int groundBeyond_ = 0;
  std::vector<BallElimination> balls_;
  std::vector<HingeElimination> hinges_;
  std::vector<HingeAxes> hingeAxes_;  // fixed in the bodies
  std::vector<Past> pasts_;
  Contraction contraction_;
};

}  // namespace polhode
