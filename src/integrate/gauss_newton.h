#pragma once

#include "integrate/gauss_coefficients.h"
#include "polhode/math/types.h"

#include <complex>
#include <functional>
#include <vector>

namespace polhode {

class Archive;

/// An eigenvector of the matrix A of Gauss collocation, A T = T diag(lambda), or a conjugate pair of them: stages are
/// sum_m share Re(column_m x_m) of x_m = row_m . stages.
struct GaussMode {
  std::complex<double> lambda;
  double share;                  // 2 for a conjugate pair
  Eigen::VectorXcd column, row;  // of T, and of its inverse
};
std::vector<GaussMode> gaussModes(const GaussCoefficients& coefficients);

/// Simplified Newton iterations for the stages of Gauss collocation (gauss.h), where the motion is stiff. With L_i = h b_i f_i
/// the slopes change by df_i as
///
///     df_i - h sum_j a_ij J df_j = r_i,    r_i = f(Y_i) - f_i                                                          (1)
///
/// In the eigenvectors of A, A T = T diag(lambda), these are s systems of the size of y,
///
///     (1 - h lambda_m J) (T^-1 df)_m = (T^-1 r)_m                                                                       (2)
///
/// of which those with conjugate lambda are conjugate: one complex system a pair. The stages are right where r vanishes, so
/// that roundings of J and T change how fast this converges and not where to.
///
/// Reference: Hairer & Wanner, Solving Ordinary Differential Equations II, section IV.8.
class GaussNewton {
 public:
  using Stages = Eigen::Matrix<double, GaussCoefficients::most, Eigen::Dynamic>;  // a stage a row
  using Slope = std::function<void(const VectorX& y, VectorX& f)>;

  GaussNewton(const GaussCoefficients& coefficients, Eigen::Index unknowns);

  /// J by forward differences, one evaluation a column and one at y. False if it is not finite.
  bool formJacobian(const Slope& slope, const VectorX& y);

  /// The matrices of (2) for steps of size h; false if one is singular.
  bool factorise(double h);
  double factorisedFor() const { return h_; }  // 0 where nothing is

  /// From h b_i r_i to the changes of L_i.
  void correct(Stages& changes);

  /// By how much the errors of fixed-point iteration would shrink each time, from a few powers of J.
  double fixedPointRate(double h) const { return std::abs(h) * stretch_; }

  void persist(Archive& archive);

 private:
  using Complex = std::complex<double>;
  struct Mode : GaussMode {
    Eigen::PartialPivLU<Eigen::MatrixXcd> factors;
  };

  int stages_;
  GaussCoefficients::Weights b_;
  double largestLambda_ = 0.0;
  std::vector<Mode> modes_;
  MatrixX jacobian_;
  double stretch_ = 0.0, h_ = 0.0;
  Eigen::VectorXcd right_, solution_;
  Stages sum_;
};

}  // namespace polhode
