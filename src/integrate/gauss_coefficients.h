#pragma once

#include <Eigen/Dense>

/// The coefficients of Gauss collocation with s stages, order 2s: the nodes c_i = (1 + x_i)/2 are the zeros of Legendre's
/// polynomial P_s(x), and the rest follows from Legendre's polynomials at them,
///
///     b_i      = 1 / ((1 - x_i^2) P_s'(x_i)^2)
///     a_ij/b_j = c_i + 1/2 sum_{n=1}^{s-1} P_n(x_j) (P_{n+1}(x_i) - P_{n-1}(x_i))                                     (1)
///
/// The same sum at any theta in place of c_i is what the slope of stage j contributes to the collocation polynomial there,
/// divided by b_j: dense output. The polynomial of the slopes themselves has at theta the weights
///
///     l_j(theta)/b_j = sum_{n=0}^{s-1} (2n + 1) P_n(x_j) P_n(2 theta - 1)                                             (2)
///
/// Quadratic invariants are kept because b_i a_ij + b_j a_ji = b_i b_j, that is m_ij + m_ji = 1 for m_ij = a_ij/b_j. This
/// holds exactly for the rounded numbers too: m_ij is rounded for i > j, where it is near 1, and m_ji = 1 - m_ij is then
/// exact, m_ii = 1/2. So the rounded method conserves as the true one does, with any b.
///
/// Reference: Hairer & Wanner, Solving Ordinary Differential Equations II, section IV.5; Antonana, Makazaga & Murua,
/// Numerical Algorithms 76 (2017), 861-880, for m_ij.
namespace polhode {

class GaussCoefficients {
 public:
  static constexpr int most = 8;  // stages
  using Weights = Eigen::Matrix<double, most, 1>;
  using Square = Eigen::Matrix<double, most, most>;

  /// There are 2 to 8 stages. Beyond them everything is as for the last one, but nothing depends on it.
  explicit GaussCoefficients(int stages);

  /// Those that were made once for all.
  static const GaussCoefficients& of(int stages);

  int stages() const { return stages_; }
  const Weights& c() const { return c_; }
  const Weights& b() const { return b_; }

  /// m_ij = a_ij/b_j.
  const Square& m() const { return m_; }

  /// What stage j contributes to the collocation polynomial at theta, divided by b_j.
  Weights polynomialAt(double theta) const;

  /// Row i: by what the stages h b_j f_j of a step make up those of the next one, `ratio` times as long, where the slopes go
  /// on along (2); or of one that begins at another part of the step.
  Square continuation(double ratio, double begin = 1.0) const;

  /// P_{s-1}(x_j): with these weights the stages give the last Legendre coefficient of the slopes.
  Weights lastCoefficient() const;

 private:
  int stages_;
  Weights x_, c_, b_;
  Square m_;
};

}  // namespace polhode
