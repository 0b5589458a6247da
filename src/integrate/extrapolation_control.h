#pragma once

#include <algorithm>
#include <array>

/// The choice of order and step size of an extrapolation method.
///
/// A basic step of size H fills a triangular tableau row by row. Row j repeats a simple method n_j times with
/// step H/n_j; its error expands in powers of (H/n_j)^p, so that the rows above eliminate one power each:
///
///     T_{j,l+1} = T_{j,l} + (T_{j,l} - T_{j-1,l}) / ((n_j/n_{j-l})^p - 1)                             (1)
///     err_j     = || T_{j,j} - T_{j,j-1} ||        error of row j in units of the tolerance            (2)
///     H_j       = H s2 (s1/err_j)^e,  e = 1/(p(j-1) + 1)     the step for which row j just suffices    (3)
///     W_j       = A_j / H_j        work per unit of time, with A_j the cost of rows 1 to j             (4)
///
/// Row k is expected to suffice. The step is accepted in the first of the rows k-1, k, k+1 with err_j <= 1, and
/// given up as soon as row k+1 cannot get there any more. The next k has the least W_j among the neighbours of
/// the accepted row; its step is H_k.
///
/// Reference: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, section II.9, and Hairer &
/// Wanner II, section IV.9. Rows are numbered from 1 as there, and entry 0 of an array of rows is not used.
namespace polhode {

/// What distinguishes one extrapolation method from another.
struct ExtrapolationRules {
  static constexpr int mostRows = 12;
  using PerRow = std::array<double, mostRows + 1>;

  int rows;                                // of a complete tableau
  int power;                               // p of (1)
  std::array<int, mostRows + 1> substeps;  // n_j
  PerRow work;                             // A_j
  double firstRowWork;                     // W_1, which (3) leaves open
  double strongestGrowth;                  // H_j/H <= (1/strongestGrowth)^e and
  double strongestReduction;               // H_j/H >= strongestGrowth^e / strongestReduction
  double errorSafety, stepSafety;          // s1, s2
  double lowerOrder, higherOrder;          // W_j must fall below these fractions for the order to change
  double expectedGain;                     // row j is expected to divide the error by (expectedGain n_j)^p
};

class ExtrapolationControl {
 public:
  enum class Outcome {
    accepted,  // the last row computed is accurate enough
    rejected,  // its error is too large
    unstable   // the tableau diverges, or the simple method does
  };

  ExtrapolationControl(const ExtrapolationRules& rules, int expectedRow, double largestStep);

  /// Computes rows for a step of size h until one is accepted or there is no hope. `computeRow(j)` returns err_j,
  /// zero for j = 1, and infinity where the simple method is unstable. Where h was not chosen by this control (in
  /// the first and the last step) `anyRow` lets the first row that suffices be accepted.
  template <class ComputeRow>
  Outcome attempt(double h, bool anyRow, ComputeRow&& computeRow);

  int row() const { return row_; }                         // the last one computed
  bool afterRejection() const { return afterRejection_; }  // the last attempt was not accepted

  /// The step size to go on with after an attempt; also chooses the order.
  double afterAccepted();
  double afterRejected();
  double afterUnstable();

  /// What it remembers (archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(expectedRow_, row_, step_, afterRejection_, optimalStep_, workRate_);
  }

 private:
  void recordRow(int row, double error);
  double hopeless(int row) const;
  int bestRow() const;

  const ExtrapolationRules& rules_;
  double largestStep_;
  int expectedRow_;  // k
  int row_ = 0;
  double step_ = 0.0;  // H of the last attempt
  bool afterRejection_ = false;
  ExtrapolationRules::PerRow optimalStep_{};  // H_j
  ExtrapolationRules::PerRow workRate_{};     // W_j
};

template <class ComputeRow>
ExtrapolationControl::Outcome ExtrapolationControl::attempt(double h, bool anyRow, ComputeRow&& computeRow) {
  const int k = expectedRow_;
  const int firstMonitored = anyRow || k == 2 || afterRejection_ ? k : k - 1;
  const int firstAcceptable = anyRow ? 2 : firstMonitored;
  step_ = h;

  double divergence = 1e15;
  for (row_ = 1;; ++row_) {
    const double error = computeRow(row_);
    if (!(error < divergence)) return Outcome::unstable;
    if (row_ > 1) {
      recordRow(row_, error);
      divergence = std::max(4.0 * error, 1.0);
    }
    if (row_ >= firstAcceptable && error <= 1.0) return Outcome::accepted;
    if (row_ >= firstMonitored && error > hopeless(row_)) return Outcome::rejected;
  }
}

}  // namespace polhode
