#pragma once

#include "integrate/gauss_newton.h"
#include "integrate/mechanism/driven_angles.h"
#include "integrate/mechanism/engine_border.h"
#include "integrate/mechanism/mechanism_state.h"
#include "integrate/mechanism/stage_drives.h"
#include "integrate/mechanism/stage_lanes.h"
#include "integrate/mechanism/stage_tree.h"
#include "integrate/step_report.h"
#include "system/body_load.h"
#include "system/redundancy.h"

#include <complex>
#include <limits>
#include <span>
#include <vector>

/// Gauss collocation with s stages for mechanisms of any kind in directors, order 2s: `director-gauss-4` to
/// `director-gauss-16`. With q = (x, D) of all bodies and joints g(q) = 0 the stages i = 1 .. s of a step from (q0, q0') solve
///
///     q_i  = q0  + h sum_j a_ij q'_j,     q'_i = q0' + h sum_j a_ij q''_j,     D'_i = omega_i^ D_i                       (1)
///     m x''_i = force_i,                  sum_k E_k d_k,i cross d''_k,i = torque_i                                       (2)
///     grad g(q_i) . q'_i = -g(q0)/h                                                                                     (3)
///     q1 = q0 + h sum_i b_i q'_i,         q1' = q0' + h sum_i b_i q''_i                                                  (4)
///
/// with forces and torques of gravity, force elements, loads and joints (sum lambda grad g) at the stages. Unknown are the
/// velocities v_i, omega_i and the multipliers. Kinetic energy, momenta, orthonormality and joints are quadratic, so that (4) keeps
/// exactly what (2) and (3) keep at the stages: energy under gravity, linear and angular momentum, D1^T D1 = I, g(q1) = 0;
/// for loops as well. For s = 1 this is director-em (general_engine.h). A step has no part that goes backwards.
///
/// **Drives.** A driven row g(q, t) = 0 has, instead of (3),
///
///     g'_i = grad g(q_i, t_i) . q'_i + g_t(q_i, t_i) = -miss/h,   miss = g(q1, t1) - h sum_i b_i g'_i,   so that g(q1, t1) = 0
///
/// For a quadratic row the miss is that of the quadrature of its signal; an angle's row turns with time, is none, and has a little
/// more. It is found in the iteration, and of the order of the method. The work of a drive is h sum b_i lambda_i grad g . q'_i,
/// with which the balance of energy is as exact as without.
///
/// **Potentials that are not quadratic.** The wrench of a conservative element is multiplied by 1 + kappa p_i, where p_i is its
/// power at the stage and kappa such that h sum b_i p_i (1 + kappa p_i) = V(q0) - V(q1): so its work is exact, and its momenta
/// stay balanced. kappa p is of the order of the method. Where it would be more than a hundredth nothing is corrected.
///
/// **Iterations by stages**, where the motion is not stiff. With the slopes w_i of the changes, y_i = h sum_j a_ij w_j, inertia and
/// joints alone are left of the equations' derivatives, those of each stage (stage_tree.h, all stages in lanes):
///
///     M w_i - G_i^T dl_i = -r_i,    G_i w_i = -1/h sum_j (A^-1)_ij s_j
///
/// with what (2) and (3) leave, r and s. What is neglected is h |lambda| times the rates at which things turn. Rows that repeat
/// others (system/redundancy.h) are left out and pull with nothing.
///
/// **Simplified Newton iterations**, where these converge too slowly, with the equations' derivatives at mid step. In the
/// eigenvectors of A (gauss_newton.h) each conjugate pair of modes is one complex system with the shape of the spanning tree
/// (math/tree_system.h), p = 1/(h lambda):
///
///     (p M + C + K/p) y - G^T dl = -r,     (G + G'/p) y = -s,      y = dv, D^T domega,   y/p = dx, D^T dtheta
///
/// with turns and torques along the axes of the bodies, where a thin rod is thin at all stages.
///
/// Stages begin on the polynomial of the last step. As every step's, its equations are looked at where it ends, all of them.
///
/// Reference: Hairer, Lubich & Roche 1989, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods; Gross,
/// Betsch & Steinmann 2005 for the correction.
namespace polhode {

class Archive;

class GaussEngine {
 public:
  GaussEngine(const Mechanism& mechanism, int stages);

  /// One step; if it does not converge, or to nothing that it can vouch for, the state is as it was. Throws SimulationError
  /// where no inertia resists a body.
  /// A step is refused where its error is above `most`, and not brought to an end where this shows before.
  StepReport step(MechanismState& state, double h, double most = std::numeric_limits<double>::infinity());

  /// The motion at a part theta of the last step, from that at its begin.
  void within(double theta, std::span<MovingPlacement> bodies) const;

  /// About the error of the last step, relative to the size of the mechanism or in radians: the square of the last Legendre
  /// coefficient of the displacements, as in gauss.h.
  double estimate() const { return estimate(kept_, lastLength_); }

  /// Whether the last step was too long for some spring to be corrected, so that energy is as exact as the method alone.
  bool missesWork() const { return left_.missesWork; }

  /// The last step is no prediction for the next one.
  void forget() { known_ = 0; }

  /// The last step was not taken; a shorter one begins where it did, and most likely goes the same way.
  void refuse() { known_ = known_ > 0 ? refused : 0; }

  void setLoad(std::size_t body, const BodyLoad& load) { loads_[body] = load; }
  void takeLoads(const GaussEngine& other) { loads_ = other.loads_; }

  void persist(Archive& archive);

 private:
  static constexpr int most = GaussCoefficients::most;
  using Complex = std::complex<double>;
  using StageRows = stages::ManyRows;
  using StageSquare = stages::Square;

  /// A body at the stages, a column each: x and the columns of D.
  struct alignas(64) BodyStages {
    stages::Rows<12> displacement = stages::Rows<12>::Zero();  // q_i - q0
    stages::Rows<12> place = stages::Rows<12>::Zero();         // q_i
    stages::Rows<12> rate = stages::Rows<12>::Zero();          // q'_i
    stages::Rows<12> slope = stages::Rows<12>::Zero();         // h q''_i
    stages::Rows<6> twist = stages::Rows<6>::Zero();           // v_i and omega_i
  };

  struct Mode : GaussMode {
    TreeSystemOf<Complex> system;
    Complex p = 0.0;
  };

  /// What is left of the equations where they were formed last, relative to what may be left.
  struct Remainder {
    double gap = 0.0;
    int joint = -1;
    double opening = 0.0;
    double force = 0.0, torque = 0.0;  // the largest terms
    bool missesWork = false;           // of a spring, whose work is not that of its potential
  };

  // gauss_engine.cpp
  void limitBorderRanks();
  void predict(const MechanismState& state, double h);
  void stretch(double ratio);
  StepReport iterate(const MechanismState& state, double h, double most);
  bool vouches(const MechanismState& state, double h, StepReport& report);
  double estimate(const std::vector<BodyStages>& bodies, double h) const;
  double largestIncrement(double h) const;
  double largestOverStep(stages::Lane moves, stages::Lane turns, double h) const;
  void finish(MechanismState& state, double h);

  // gauss_engine_assembly.cpp
  void findClosing(const MechanismState& state, double h);
  enum class Look {
    quick,
    fine,
    close
  };  // fine: to the last digits; close: it is noted how large forces and torques are
  void evaluate(const MechanismState& state, double h, Look look = Look::fine);
  void moveBody(const MechanismState& state, std::size_t body, double h, Look look);
  void findEnd(const MechanismState& state, double h);
  void evaluateBody(std::size_t body, double h);
  void noteBody(std::size_t body, double h);
  void evaluateBall(std::size_t joint, Look look);
  void evaluateJoint(std::size_t joint, Look look);
  void evaluateForce(const MechanismState& state, std::size_t force, double h);
  void noteGaps(double time);
  MovingPlacement atStage(int stage, int body) const;

  /// A body at as many stages as there are lanes, seen from where another one was at the start; the ground rests.
  stages::MovingBody atStages(int first, int body, int origin) const {
    using namespace stages;
    const Vector3& from = start_[static_cast<std::size_t>(origin)].at.x;
    if (body < 0) return {inAllLanes(Vector3(-from)), Vec::Zero(), Mat::Identity(), Mat::Zero()};
    const BodyStages& all = bodies_[static_cast<std::size_t>(body)];
    return {inAllLanes(Vector3(start_[static_cast<std::size_t>(body)].at.x - from)) +
                vectorAt(all.displacement.data(), first),
            vectorAt(all.rate.data(), first), matrixAt(all.place.row(3).data(), first),
            matrixAt(all.rate.row(3).data(), first)};
  }
  MovingPlacement seenFrom(int origin, const MovingPlacement& motion) const;
  Vector3 gapOfBall(const MechanismJoint& joint, const MechanismMotion& bodies) const;
  double powerAt(int stage, int body, const Wrench& wrench) const;

  // gauss_engine_drives.cpp
  void aimAtEnds(const MechanismState& state, double h);
  double scaleOf(const JointEquation& equation, double time) const;
  double drivenGap(const StageDrives::Row& row, double time) const;
  double workOfDrives(const MechanismState& state, double h) const;

  // gauss_engine_stages.cpp
  void settleTrees();
  bool formStages();
  void formBallAt(int begin, std::size_t joint, StageTree& tree);
  void formJointAt(int begin, std::size_t joint, StageTree& tree);
  void solveStages(double h);
  double takeChanges(double h, bool byModes);

  // gauss_engine_modes.cpp
  void findMiddle(const MechanismState& state, double h);
  void formModes(const MechanismState& state, double h);
  void formBody(std::size_t body, double h);
  void formJoint(const MechanismState& state, std::size_t joint, double h);
  void turnIntoBodies(int first, int second, ElementJacobian& jacobian) const;
  void formForce(const MechanismState& state, std::size_t force, double h);
  void solveModes();

  TreeNodeOf<Complex>& nodeOf(Mode& mode, int body) {
    return mode.system.node(nodeOf_[static_cast<std::size_t>(body)]);
  }
  int firstMultiplier() const { return 6 * static_cast<int>(bodies_.size()); }

  /// How many rows of a joint hold a point of its second body on one of its first, in x, y and z: three, or none.
  std::size_t ballRows(std::size_t joint) const { return beginsAsBall_[joint] ? 3 : 0; }

  const Mechanism& mechanism_;
  const GaussCoefficients& coefficients_;
  int stages_;
  double size_;
  double looseness_ = 0.0;    // how far rows that repeat others may be open, relative to the size or in radians
  bool rankIsKnown_ = true;   // of the border; where not, rows may turn out to be independent later
  std::vector<int> nodeOf_;   // of each body
  std::vector<int> childOf_;  // of each joint: the node that it holds, or -1 where it closes a loop
  std::vector<char>
      beginsAsBall_;  // of each joint: whether it holds a point, as balls and hinges do, by its first three rows
  EngineBorder border_;
  Redundancy redundancy_;
  std::vector<Mode> modes_;
  std::vector<StageTree> trees_;  // of the stages, as many at a time as there are lanes; none where they would be large
  std::vector<int> unknownOf_;    // of each multiplier in the borders of these, or -1
  bool placesMatter_;  // whether forces or joints hang on where bodies are, not on their directors and rates alone
  Eigen::Matrix<double, most, 1> b_;
  GaussCoefficients::Weights sum_, last_;  // b, and what gives the last Legendre coefficient, for sums over all columns
  StageSquare throughA_, throughInverse_;  // x A^T and x A^-T for stages x in columns
  std::vector<BodyLoad> loads_;
  StageDrives drives_;
  DrivenAngles drivenAngles_;

  std::vector<BodyStages> bodies_;
  StageRows multipliers_;  // a row each, a column a stage
  StageRows residuals_;    // force and torque along the body's axes, then one row a multiplier
  StageRows changes_;      // of the same unknowns, as y above
  StageRows slopes_;       // y' of the same, without the multipliers
  StageRows rowSlopes_;
  StageRows turns_;                 // D^T dtheta, three rows a body
  VectorX closing_;                 // g(q0)/h
  MechanismMotion start_, middle_;  // where the step begins, and mid way
  MechanismMotion end_;
  std::vector<double> meanMultipliers_;
  double work_ = 0.0;  // of what is not conservative over the step
  Remainder left_;

  int stiff_ = 0;  // for how many steps more modes are iterated from the start on

  static constexpr int taken = 1, refused = 2;
  int known_ = 0;  // whether there is a last step: 0 where there is none
  double lastLength_ = 0.0;
  std::vector<BodyStages> kept_;
  StageRows keptMultipliers_;
};

}  // namespace polhode
