#pragma once

#include "system/instant_forces.h"
#include "system/joint_row.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <memory>
#include <span>
#include <vector>

namespace polhode {

/// What instant_dynamics.h computes, for mechanisms that a spanning tree does not suit: those with bodies without mass,
/// which would move freely where a loop is cut, and those with hundreds of rows that close loops. All bodies and all rows
/// that do not repeat others form one sparse system,
///
///     ( M  -G^T ) ( z''    )   ( f         )
///     ( -G   0  ) ( lambda ) = ( curvature ),
///
/// with accelerations and angular accelerations in space. Of reactions that are not determined the smallest are taken as
/// there, as long as no more than `mostSelfStresses` rows repeat others; beyond that, those rows carry nothing.
///
/// One object must not be used by two threads at a time.
class SparseDynamics {
 public:
  static constexpr std::size_t mostSelfStresses = 300;

  explicit SparseDynamics(std::shared_ptr<const Mechanism> mechanism);

  /// As InstantDynamics::at. Throws SimulationError where accelerations or multipliers are not determined.
  const InstantForces& at(double t, const MechanismMotion& bodies, std::span<const Wrench> loads = {});

 private:
  void assemble(double t, const MechanismMotion& bodies, std::span<const Wrench> loads);
  void addPull(const JointRow& row, double t, const MechanismMotion& bodies, Eigen::Ref<VectorX> wrenches) const;
  VectorX reactionsOf(double t, const MechanismMotion& bodies, const VectorX& multipliers) const;

  std::shared_ptr<const Mechanism> mechanism_;
  double size_;
  std::vector<Matrix3> idle_;  // see idle_turns.h
  std::vector<JointRow> kept_, repeated_;
  Eigen::SparseMatrix<double> matrix_;
  VectorX right_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu_;
  bool analysed_ = false;
  InstantForces result_;
};

}  // namespace polhode
