#include "model/formula_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode {
namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double unitRoundOff = std::numeric_limits<double>::epsilon();

struct GaussPoint {
  double place, weight;  // between 0 and 1
};
/// Exact for polynomials up to the 15th degree.
constexpr std::array<GaussPoint, 8> gaussPoints = {{{0.01985507175123188415821957, 0.05061426814518812957626567},
                                                    {0.10166676129318663020422303, 0.11119051722668723527217800},
                                                    {0.23723379504183550709113047, 0.15685332293894364366898110},
                                                    {0.40828267875217509753026193, 0.18134189168918099148257522},
                                                    {0.59171732124782490246973807, 0.18134189168918099148257522},
                                                    {0.76276620495816449290886953, 0.15685332293894364366898110},
                                                    {0.89833323870681336979577697, 0.11119051722668723527217800},
                                                    {0.98014492824876811584178043, 0.05061426814518812957626567}}};

}  // namespace

/// Divides an octave into cells.
class FormulaLaw::CellMaker {
 public:
  CellMaker(const Formula& formula, double begin, double end)
      : formula_(formula), shortest_((end - begin) * 0x1p-50), begin_(begin), end_(end) {}

  std::vector<Cell> cells() {
    std::vector<double> borders = formula_.breakTimes(begin_, end_);
    for (int i = 0; i <= firstCells; ++i) borders.push_back(begin_ + (end_ - begin_) * i / firstCells);
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) divide(borders[i], borders[i + 1]);
    if (cells_.size() > mostCells) return {{begin_, notANumber}};

    // a shortest cell holds nothing to speak of, unless the integral has no bound there
    double sum = 0.0;
    for (const Cell& cell : cells_)
      if (std::isfinite(cell.integral)) sum += std::abs(cell.integral);
    for (const auto& [cell, most] : rough_)
      if (!(most <= 1e-6 * sum)) cells_[cell].integral = notANumber;
    return std::move(cells_);
  }

 private:
  static constexpr int firstCells = 32;
  static constexpr std::size_t mostCells = 16384;

  struct Sum {
    double integral = 0.0, largest = 0.0;
    int finite = 0;
  };
  Sum gauss(double a, double b) const {
    Sum sum;
    for (const auto& [place, weight] : gaussPoints) {
      const double tension = formula_.value(a + place * (b - a));
      sum.integral += weight * tension * (b - a);
      if (!std::isfinite(tension)) continue;
      ++sum.finite;
      sum.largest = std::max(sum.largest, std::abs(tension));
    }
    return sum;
  }

  /// By how much the roundings of the stretch and of the formula itself may change its value.
  double roundingAt(double e) const {
    const Interval range = formula_.range(std::nextafter(e, begin_), std::nextafter(e, end_));
    const double width = range.greatest() - range.least();
    return std::isfinite(width) ? width : 0.0;
  }

  /// Halves until the whole and its halves agree.
  void divide(double a, double b) {
    if (cells_.size() > mostCells) return;
    const double middle = a + 0.5 * (b - a);
    const Sum whole = gauss(a, b), left = gauss(a, middle), right = gauss(middle, b);
    const int finite = whole.finite + left.finite + right.finite, all = 3 * static_cast<int>(gaussPoints.size());
    if (finite == 0) {
      cells_.push_back({a, notANumber});
      return;
    }
    const double largest = std::max({whole.largest, left.largest, right.largest});
    const double roundings =
        4.0 * unitRoundOff * largest + roundingAt(a + 0.3 * (b - a)) + roundingAt(a + 0.7 * (b - a));
    const double integral = left.integral + right.integral;
    const bool exact = finite == all && std::abs(whole.integral - integral) <= (b - a) * (roundings + 1e-300);
    if (!exact && b - a > shortest_ && a < middle && middle < b) {
      divide(a, middle);
      divide(middle, b);
      return;
    }
    if (!exact) rough_.push_back({cells_.size(), finite == all ? largest * (b - a) : notANumber});
    cells_.push_back({a, integral});
  }

  struct Rough {
    std::size_t cell;
    double most;
  };
  const Formula& formula_;
  double shortest_, begin_, end_;
  std::vector<Cell> cells_;
  std::vector<Rough> rough_;  // those that could not be halved any more
};

FormulaLaw::FormulaLaw(Formula formula) : formula_(std::move(formula)) {
  if (std::isfinite(tension(0.0))) return;
  const double far = 0x1p50, atFar = std::abs(far * tension(far)), near = std::abs(tension(1.0));
  zero_ = std::isfinite(atFar) && atFar < 1e-3 * near ? std::ldexp(1.0, outermost) : 1.0;
}

int FormulaLaw::octaveOf(double e) {
  if (std::abs(e) < std::ldexp(1.0, innermost)) return 0;
  int exponent = 0;
  std::frexp(e, &exponent);  // 2^(exponent - 1) <= |e| < 2^exponent
  const int number = std::clamp(exponent - innermost, 1, octavesOfASign);
  return std::signbit(e) ? -number : number;
}

double FormulaLaw::beginOf(int octave) {
  if (octave > 0) return std::ldexp(1.0, innermost + octave - 1);
  return -std::ldexp(1.0, innermost - octave);
}

const FormulaLaw::Octave& FormulaLaw::octave(int number) const {
  Octave& octave = octaves_[static_cast<std::size_t>(number + octavesOfASign)];
  std::call_once(octave.made, [&] {
    octave.cells = CellMaker(formula_, beginOf(number), beginOf(number + 1)).cells();
    for (const Cell& cell : octave.cells) octave.integral += cell.integral;
  });
  return octave;
}

double FormulaLaw::gaussMean(double a, double b) const {
  double mean = 0.0;
  for (const auto& [place, weight] : gaussPoints) mean += weight * tension(a + place * (b - a));
  return mean;
}

namespace {

template <class Cells>
auto cellAt(const Cells& cells, double e) {
  return std::upper_bound(cells.begin() + 1, cells.end(), e,
                          [](double x, const auto& cell) { return x < cell.begin; }) -
         1;
}

}  // namespace

double FormulaLaw::integralWithin(const Octave& octave, double a, double b) const {
  const auto last = cellAt(octave.cells, b);
  double sum = 0.0;
  for (auto cell = cellAt(octave.cells, a); cell != last; ++cell) {
    const double end = (cell + 1)->begin;
    sum += a == cell->begin || std::isnan(cell->integral) ? cell->integral : (end - a) * gaussMean(a, end);
    a = end;
  }
  if (a == b) return sum;
  return std::isnan(last->integral) ? notANumber : sum + (b - a) * gaussMean(a, b);
}

double FormulaLaw::integral(double a, double b) const {
  const int last = octaveOf(b);
  double sum = 0.0;
  for (int number = octaveOf(a); number <= last && a < b; ++number) {
    const double end = std::min(b, beginOf(number + 1));
    const Octave& here = octave(number);
    sum += a == beginOf(number) && end == beginOf(number + 1) ? here.integral : integralWithin(here, a, end);
    a = end;
  }
  return sum;
}

double FormulaLaw::potential(double e) const {
  if (!isInside(e)) return notANumber;
  const double zero = std::copysign(zero_, e);
  return e < zero ? -integral(e, zero) : integral(zero, e);
}

double FormulaLaw::mean(double a, double b) const {
  if (!isInside(a) || !isInside(b)) return notANumber;
  if (a == b) return tension(a);
  if (b < a) std::swap(a, b);
  const int number = octaveOf(a);
  if (number == octaveOf(b)) {
    const std::vector<Cell>& cells = octave(number).cells;
    const auto cell = cellAt(cells, a);
    if (cell == cellAt(cells, b)) return std::isnan(cell->integral) ? notANumber : gaussMean(a, b);
  }
  return integral(a, b) / (b - a);
}

double FormulaLaw::meanSlope(double a, double b) const {
  if (!isInside(a) || !isInside(b)) return notANumber;
  if (a == b) return 0.5 * slope(b);
  const int number = octaveOf(a);
  if (number == octaveOf(b)) {
    const std::vector<Cell>& cells = octave(number).cells;
    if (cellAt(cells, a) == cellAt(cells, b)) {
      double sum = 0.0;
      for (const auto& [place, weight] : gaussPoints) sum += weight * place * slope(a + place * (b - a));
      return sum;
    }
  }
  return (tension(b) - mean(a, b)) / (b - a);
}

}  // namespace polhode
