#pragma once

#include "analysis/inverse_kinematics.h"
#include "polhode/analysis/observation.h"
#include "polhode/analysis/recording.h"

#include <memory>
#include <optional>

/// The efforts tau of motors that make a mechanism move as it is asked to. Along its true degrees of freedom, N a basis of the
/// velocities that its joints allow (system/free_directions.h), the joints drop out of the equations of motion:
///
///     N^T B tau = N^T ( M u' - f(t, z, u) ),
///
/// column k of B being the wrenches of motor k with an effort of one, f all other forces, weight and gyroscopic torques
/// included. Where there are more motors than needed tau is the smallest, sum tau_k^2 -> min; where they cannot make the motion
/// it is refused.
///
/// The motion is one of these:
///   - what follows signals determines it: inverse kinematics (inverse_kinematics.h), exact to rounding at each time by itself;
///   - freedoms are left that nothing asks of: they follow the dynamics. The mechanism is run with what follows signals as
///     drives, and the motors must be able to do what these drives do;
///   - a recorded run, with the accelerations that it recorded.
namespace polhode {

/// At a time: efforts, and how fast each motor goes, so that their product is its power.
struct InverseRow {
  double time = 0.0;
  VectorX efforts, speeds;
  double missing = 0.0;  // what the motors cannot do, relative to all that acts

  /// The mechanism with these efforts: bodies, joints with their coordinates and reactions, forces of the model that are
  /// left.
  Observation observation;
};

struct InverseResult {
  std::vector<InverseMotor> motors;
  std::vector<InverseRow> rows;
  int freedoms = 0;      // of the mechanism without motors and drives that they stand for
  int freedomsLeft = 0;  // that the motion says nothing of
  bool isRecorded = false;

  /// Rows of a recording: time, the efforts ("NAME.effort") and powers ("NAME.power"), and all that a run records.
  Recording recording() const;
};

class InverseDynamics {
 public:
  /// Throws InputError where there is no motor.
  InverseDynamics(const Model& model, std::vector<InverseMotor> motors);
  ~InverseDynamics();

  /// Along quantities that follow signals, at increasing times. Throws InputError where names are wrong or there are too few
  /// motors, and SimulationError with the time where the motion cannot be reached or the motors have no grip.
  InverseResult along(const std::vector<FollowedQuantity>& motion, const std::vector<double>& times);

  /// Along a recorded run of the model. Throws InputError where it does not fit.
  InverseResult along(const Recording& run);

 private:
  InverseRow effortsAt(const InverseInstant& instant, double tolerance, InverseResult& result);
  [[noreturn]] void refuse(double t, const VectorX& missing, const MatrixX& basis, Eigen::Index rank, bool isPassive);
  std::vector<InverseInstant> run(const std::vector<FollowedQuantity>& motion, const std::vector<double>& times) const;

  Model original_, model_;  // as given, and without what the motors stand for
  std::vector<InverseMotor> motors_;
  std::shared_ptr<const Mechanism> mechanism_;
  std::vector<std::shared_ptr<const ForceElement>> elements_;  // the motors with an effort of one
  std::unique_ptr<Redundancy> redundancy_;
  std::unique_ptr<class InstantWatch> watch_;
  double size_;
};

/// Whether a recording tells all that along(run) needs: positions, velocities and accelerations of all bodies.
bool tellsWholeMotion(const Recording& recording, const Model& model);

/// The quantities that the columns of a table give over its time, smoothly (model/smooth_table.h), with their rates where these
/// are columns as well ("joint.crank.angle_rate", "arm.velocity.x"); of some columns, or of all that can be followed. Throws
/// InputError where there is none, or one that is named is not there.
std::vector<FollowedQuantity> motionOfTable(const Recording& table, const Model& model,
                                            const std::vector<std::string>& names = {});

/// The model with motors whose efforts are the columns "NAME.effort" of a recording over its time, smoothly, in place of those
/// that they stand for; it starts as the bodies of the first row do, where it has them. Throws InputError.
Model withEfforts(const Model& model, const Recording& efforts);

}  // namespace polhode
