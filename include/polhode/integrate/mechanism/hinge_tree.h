#pragma once

#include "polhode/integrate/mechanism/contraction.h"
#include "polhode/integrate/mechanism/mechanism_state.h"
#include "polhode/integrate/step_report.h"

#include <vector>

/// The director scheme (director_engine.h) for trees of ball joints and hinges that hang on the ground and carry nothing
/// but their weight: long chains, in a small part of the time.
///
/// Only the turns c are unknown, three a body, and two multipliers a hinge. Positions follow from the root outwards, as
/// the joints close exactly; the forces of the points follow from the leaves inwards, as sums of what lies beyond:
///
///     dx_b = dx_p + (D1 - D0)_p rho_p - (D1 - D0)_b rho_b - gap0
///     Lambda_b = (2m/h) dx_b - 2 m v0_b - h m g + sum_children Lambda_c          (h times the force of the parent joint)
///     sum_i E_i dm_i cross ((2/h) c cross dm_i - 2 w0_i) - a_b cross Lambda_b + sum_children a_c cross Lambda_c = 0
///
/// with a = Dm rho. With E_m = sum_i E_i dm_i dm_i^T, J_m = tr(E_m) I - E_m and Z = sum_i E_i dm_i w0_i^T the inertia is
///
///     (2/h) J_m c - 2 axial(Z),   its derivative wrt the turn of D1:
///     (2/h) J_m C^-1 + (U - tr(U) I)/2 - (c (J_m c)^T / 2 - w^) / h,
///     U = -(I + c^/2) ((2/h) E_m c^ + 2 Z),   w = (I + c^/2) E_m c
///
/// Each Newton step goes once from the leaves to the root (articulated bodies, 3 x 3 blocks) and once back.
namespace polhode {

class HingeTree {
 public:
  /// Whether the mechanism is such a tree.
  static bool fits(const Mechanism& mechanism);

  /// `sequences` as for DirectorEngine.
  HingeTree(const Mechanism& mechanism, int sequences);

  StepReport step(MechanismState& state, double h, int sequence);

 private:
  static constexpr int pastSteps = 4;

  /// What does not change: geometry and mass of a body and of the joint to its parent.
  struct Link {
    Vector3 arm, parentArm;  // the joint in the body and in its parent
    Vector3 secondMoments;
    double mass;
    int body, parent, hinge;  // number in the mechanism, node of the parent or -1, number of the hinge or -1
    int firstRow;
    double sign;  // 1 where the body is the joint's second
  };

  /// What changes in every iteration.
  struct Node {
    Vector3 c, dx;
    Matrix3 D1, Dm;
    Vector3 Lambda;          // h times the force of the parent joint on the body
    Matrix3 xx, xt, tx, tt;  // the matrix of the body and of all that hangs on it: force and torque by place and turn
    Vector3 fx, ft;
    Vector3 turn;     // solution without the parent's motion ...
    Matrix3 byPlace;  // ... and what the motion of the joint's point takes away from it
  };

  /// A hinge: two axes of the body are orthogonal to two of the parent.
  struct Hinge {
    Vector3 axis[2], parentAxis[2];
    double mu[2] = {0.0, 0.0};  // multipliers

    // kept for the way back
    Vector3 n, nLeft, offset, rowPlace, rowTurn, ft;
    Matrix3 P, SLeft, Btx, Btt, C;  // SLeft: two columns
    double s0 = 0.0;
  };

  struct Past {
    double h = 0.0;
    int known = 0;
    std::vector<Vector3> c[pastSteps];
    std::vector<double> mu[pastSteps];
  };

  void predict(const MechanismState& state, double h, Past& past);
  void outward(const MechanismState& state);
  void inward(const MechanismState& state, double h);
  double correct(double h);
  void sumForces(const MechanismState& state, double h);
  void bodyEquations(const Link& link, Node& node, const MovingPlacement& start, double h);
  void eliminateBall(const Link& link, Node& node);
  void eliminateHinge(const Link& link, Node& node, double h);
  void passToParent(const Link& link, const Matrix3& XX, const Matrix3& XT, const Matrix3& TX, const Matrix3& TT,
                    const Vector3& fx, const Vector3& ft);
  StepReport iterate(const MechanismState& state, double h);
  void finish(MechanismState& state, double h, Past& past);

  Vector3 gravity_;
  std::vector<Link> links_;
  std::vector<Node> nodes_;
  std::vector<Hinge> hinges_;
  std::vector<Past> pasts_;
  Contraction contraction_;
};

}  // namespace polhode
