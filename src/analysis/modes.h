#pragma once

#include "analysis/equilibrium.h"
#include "system/linear_motion.h"

#include <complex>

/// How a mechanism vibrates about an equilibrium, or about a motion (modesOf): small motions along its true degrees of freedom (system/reduced_motion.h)
/// obey
///
///     M s'' + C s' + K s = 0,
///
/// and each mode is s = Re(phi exp(mu t)). Dampers, and loads and motors that turn with bodies, are in C and K; there are no
/// gyroscopic terms, since it rests. Where nothing damps and all forces have a potential, mu = +-i omega comes from the
/// symmetric problem K phi = omega^2 M phi, otherwise from the system of first order. Neutral motions are taken out before,
/// so that their eigenvalues are exactly zero: two for each that nothing damps, one with that of its decay otherwise.
namespace polhode {

/// What a body does in a mode: a displacement of its centre of mass and a turn, in space; complex where parts do not move in
/// phase.
struct ModeOfBody {
  Eigen::Vector3cd displacement, rotation;
};

/// One mode: an eigenvalue, or a pair of conjugate ones (the one with positive imaginary part is given).
struct Mode {
  std::complex<double> eigenvalue;  // 1/s
  double frequency = 0.0;           // of the oscillation, |Im mu| / 2 pi, in Hz
  double damping = 0.0;            // -Re mu / |mu|: 1 where it creeps back, negative where it grows, 0 for neutral ones
  std::vector<ModeOfBody> bodies;  // the largest displacement (in sizes of the mechanism) or turn is one
};

struct Modes {
  std::vector<std::complex<double>> eigenvalues;  // all 2 f, by size; of a pair the positive imaginary part first
  std::vector<Mode> modes;                        // by size of the eigenvalue
  int zeroModes = 0;                              // motions that nothing resists
  int rigidBodyModes = 0;                         // of these, motions of all bodies as one

  /// Whether a motion grows by itself: a positive real part.
  bool isUnstable() const;

  /// Whether every motion dies out.
  bool isAsymptoticallyStable() const;
};

/// `size` is what displacements are measured by beside turns: EquilibriumSearch::size, MotionLineariser::size.
Modes modesAbout(const Equilibrium& equilibrium, double size);

/// About a motion, with its gyroscopic terms (system/linear_motion.h): a steady one, as it is seen from the frame that turns with
/// it, or any other as it is at one instant. Eigenvalues that are zero, those of motions that nothing resists and of a change
/// of their speeds, are taken out one after the other and are exactly zero.
Modes modesOf(const LinearMotion& motion, double size);

}  // namespace polhode
