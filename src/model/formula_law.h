#pragma once

#include "model/formula.h"

#include <array>
#include <cmath>
#include <mutex>
#include <vector>

/// The tension T(e) of a spring as a formula of its stretch, integrated to rounding:
///
///     U(e) = int_z^e T,      mean(a, b) = 1/(b - a) int_a^b T
///
/// Both come from one partition of the stretches into cells, on each of which the formula of Gauss with eight points is
/// exact to rounding, and with it on each part of a cell. So mean (b - a) is U(b) - U(a) to rounding whatever a and b, and
/// no error of integration adds up over many steps. Kinks and jumps are borders of cells: where the formula passes from one
/// case to another these are found by its bounds (Formula::breakTimes), otherwise by halving. A peak that is narrower than
/// about 1/500 of its stretch and no case of its own may be passed over.
///
/// Cells are made once, when a stretch in their octave (2^k < |e| <= 2^(k+1) m or rad) is first asked for; this is safe
/// from several threads and does not depend on who asks first. Where the formula is not finite, where its integral is not,
/// beyond 2^60 and where it swings more than some thousand times within an octave the results are not numbers: the step
/// that came there is refused.
///
/// U is zero at z = 0; where the formula is not finite there, at infinity if T falls faster than 1/e (an inverse square),
/// else at e = 1 and e = -1, on either side.
namespace polhode {

class FormulaLaw {
 public:
  explicit FormulaLaw(Formula formula);

  const Formula& formula() const { return formula_; }
  double tension(double e) const { return formula_.value(e); }
  double slope(double e) const { return formula_.rate(e); }
  double potential(double e) const;
  double mean(double a, double b) const;
  double meanSlope(double a, double b) const;  // the derivative of the mean by b

 private:
  struct Cell {
    double begin = 0.0, integral = 0.0;
  };
  /// All cells of an octave. The innermost holds zero and both signs.
  struct Octave {
    std::once_flag made;
    std::vector<Cell> cells;
    double integral = 0.0;
  };
  class CellMaker;

  static constexpr int innermost = -30, outermost = 60;  // |e| up to 2^-30 is one octave; none is larger than 2^60
  static constexpr int octavesOfASign = outermost - innermost;

  static bool isInside(double e) { return std::abs(e) < 0x1p60; }
  static int octaveOf(double e);  // by number: 0 is the innermost, negative ones are those of negative stretches
  static double beginOf(int octave);
  const Octave& octave(int number) const;

  /// Of T from a to b > a: in one octave, and anywhere.
  double integralWithin(const Octave& octave, double a, double b) const;
  double integral(double a, double b) const;

  /// By the formula of Gauss, within one cell.
  double gaussMean(double a, double b) const;

  Formula formula_;
  double zero_ = 0.0;  // |z|
  mutable std::array<Octave, 2 * octavesOfASign + 1> octaves_;
};

}  // namespace polhode
