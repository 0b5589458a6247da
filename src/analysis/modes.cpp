#include "analysis/modes.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace polhode {

namespace {

using Complex = std::complex<double>;

constexpr double noEigenvalue = 1e-11;  // of the largest one
constexpr double noGrowth = 1e-13;      // the same, of a real part

/// An eigenvalue with its shape in coordinates s.
struct ModeShape {
  Complex eigenvalue;
  Eigen::VectorXcd s;
};

/// By size. A pair, whose sizes are the same to the last bit, comes with the positive imaginary part first and stays so.
bool comesBefore(const ModeShape& a, const ModeShape& b) {
  return std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
}

/// K phi = omega^2 M phi; the `neutral` smallest ones are zero.
std::vector<ModeShape> undampedShapes(const MatrixX& mass, const MatrixX& stiffness, int neutral) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> eigen(stiffness, mass);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(stiffness.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  const VectorX& squares = eigen.eigenvalues();
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return std::abs(squares[a]) < std::abs(squares[b]); });
  std::vector<ModeShape> shapes;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Eigen::VectorXcd s = eigen.eigenvectors().col(order[i]).cast<Complex>();
    const double square = static_cast<int>(i) < neutral ? 0.0 : squares[order[i]], root = std::sqrt(std::abs(square));
    const Complex mu = square < 0.0 ? Complex(root, 0.0) : Complex(0.0, root);
    shapes.push_back({mu, s});
    if (square != 0.0) shapes.push_back({Complex(0.0 - mu.real(), 0.0 - mu.imag()), s});
  }
  for (std::size_t i = 0; i < order.size(); ++i)  // a neutral motion has two that are zero
    if (const ModeShape shape = shapes[i]; shape.eigenvalue == 0.0) shapes.push_back(shape);
  return shapes;
}

/// The coordinates s = L^-T y, where M = L L^T.
Eigen::VectorXcd unscaled(const Eigen::LLT<MatrixX>& root, const Eigen::VectorXcd& y) {
  VectorX real = y.real(), imaginary = y.imag();
  root.matrixU().solveInPlace(real);
  root.matrixU().solveInPlace(imaginary);
  Eigen::VectorXcd s(y.size());
  s.real() = real;
  s.imag() = imaginary;
  return s;
}

/// The system of first order, x' = A x, in coordinates in which the mass is one and neutral motions stand apart: how far
/// these have gone has no effect on anything.
std::vector<ModeShape> dampedShapes(const MatrixX& mass, const MatrixX& damping, const MatrixX& stiffness,
                                    int neutral) {
  const Eigen::Index f = mass.rows(), k = neutral;
  const Eigen::LLT<MatrixX> root(mass);  // M = L L^T, s = L^-T y
  const auto reduced = [&](const MatrixX& matrix) {
    const MatrixX left = root.matrixL().solve(matrix);
    return MatrixX(root.matrixL().solve(left.transpose()).transpose());
  };
  const MatrixX K = reduced(stiffness), C = reduced(damping);
  const MatrixX V = Eigen::BDCSVD<MatrixX>(K, Eigen::ComputeFullV).matrixV();  // the last k columns are neutral
  MatrixX ownK = V.transpose() * K * V;
  const MatrixX ownC = V.transpose() * C * V;
  ownK.rightCols(k).setZero();
  const Eigen::Index stiff = f - k;
  // x = (stiff coordinates; rates of all over a frequency, so that all entries are of one size)
  const double fastest = stiff > 0 ? std::sqrt(ownK.norm()) : 1.0;
  MatrixX A = MatrixX::Zero(stiff + f, stiff + f);
  A.block(0, stiff, stiff, stiff).diagonal().setConstant(fastest);
  A.block(stiff, 0, f, stiff) = -ownK.leftCols(stiff) / fastest;
  A.block(stiff, stiff, f, f) = -ownC;
  const Eigen::EigenSolver<MatrixX> eigen(A);
  const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();

  std::vector<ModeShape> shapes;
  const auto add = [&](Complex mu, const Eigen::VectorXcd& y) {
    shapes.push_back({mu, unscaled(root, V.cast<Complex>() * y)});
  };
  for (Eigen::Index i = 0; i < k; ++i) add(0.0, Eigen::VectorXcd::Unit(f, stiff + i));
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    Complex mu = eigen.eigenvalues()[i];
    if (std::abs(mu) <= noEigenvalue * largest) mu = 0.0;
    if (std::abs(mu.real()) <= std::max(noEigenvalue * std::abs(mu), noGrowth * largest)) mu.real(0.0);
    Eigen::VectorXcd y = eigen.eigenvectors().col(i).tail(f);  // rates: mu times the coordinates
    add(mu, y);
  }
  return shapes;
}

Mode modeOf(const ModeShape& shape, const MatrixX& basis, double size) {
  Mode mode;
  mode.eigenvalue = shape.eigenvalue;
  mode.frequency = std::abs(shape.eigenvalue.imag()) / (2.0 * std::numbers::pi);
  if (shape.eigenvalue.real() != 0.0) mode.damping = -shape.eigenvalue.real() / std::abs(shape.eigenvalue);
  const Eigen::VectorXcd motion = basis.cast<Complex>() * shape.s;
  Complex largest = 0.0;
  for (Eigen::Index i = 0; i < motion.size(); ++i) {
    const Complex part = motion[i] / (i % 6 < 3 ? size : 1.0);
    if (std::abs(part) > 1.000001 * std::abs(largest)) largest = part;
  }
  for (Eigen::Index i = 0; i < motion.size(); i += 6)
    mode.bodies.push_back({motion.segment<3>(i) / largest, motion.segment<3>(i + 3) / largest});
  return mode;
}

/// A matrix A with its eigenvalues that are zero taken out one after the other: Q^T A Q = (U B; 0 rest), where U, of as many rows
/// as there are zeros, has nothing on and below its diagonal.
struct WithoutZeros {
  MatrixX Q, T;
  Eigen::Index zeros = 0, first = 0;  // all of them, and those of vectors with A x = 0

  WithoutZeros(const MatrixX& A, double least) : Q(MatrixX::Identity(A.rows(), A.cols())), T(A) {
    while (zeros < T.rows()) {
      const Eigen::Index n = T.rows() - zeros;
      const Eigen::BDCSVD<MatrixX> svd(T.bottomRightCorner(n, n), Eigen::ComputeFullV);
      const auto& values = svd.singularValues();
      const auto count = std::count_if(values.begin(), values.end(), [&](double value) { return !(value > least); });
      if (count == 0) return;
      const MatrixX V = svd.matrixV().rowwise().reverse();  // the smallest first
      T.rightCols(n) = (T.rightCols(n) * V).eval();
      T.bottomRows(n) = (V.transpose() * T.bottomRows(n)).eval();
      T.block(zeros, zeros, n, count).setZero();
      Q.rightCols(n) = (Q.rightCols(n) * V).eval();
      if (zeros == 0) first = count;
      zeros += count;
    }
  }
};

/// Eigenvalues that stand together, as the pair of a displacement that grows with time does in a turning frame, are known to the
/// root of roundings only; their mean is known as well as others are, and so their real parts become that of the mean.
void mergeRealParts(Eigen::VectorXcd& values) {
  constexpr double together = 3e-6;
  const double reach = together * values.cwiseAbs().maxCoeff();
  std::vector<bool> done(static_cast<std::size_t>(values.size()), false);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (done[static_cast<std::size_t>(i)]) continue;
    std::vector<Eigen::Index> group;
    double sum = 0.0;
    for (Eigen::Index j = i; j < values.size(); ++j)
      if (!done[static_cast<std::size_t>(j)] && std::abs(values[i] - values[j]) <= reach) {
        done[static_cast<std::size_t>(j)] = true;
        group.push_back(j);
        sum += values[j].real();
      }
    for (const Eigen::Index j : group) values[j].real(sum / static_cast<double>(group.size()));
  }
}

/// Takes modes from shapes.
void collect(std::vector<ModeShape> shapes, const MatrixX& basis, double size, Modes& result) {
  std::stable_sort(shapes.begin(), shapes.end(), comesBefore);
  int zeros = 0;
  for (const ModeShape& shape : shapes) {
    result.eigenvalues.push_back(shape.eigenvalue);
    if (shape.eigenvalue == 0.0) {
      if (zeros++ >= result.zeroModes) continue;  // the second one of a neutral motion
    } else if (shape.eigenvalue.imag() < 0.0) {
      continue;
    }
    result.modes.push_back(modeOf(shape, basis, size));
  }
}

}  // namespace

bool Modes::isUnstable() const {
  return std::any_of(eigenvalues.begin(), eigenvalues.end(), [](Complex mu) { return mu.real() > 0.0; });
}

bool Modes::isAsymptoticallyStable() const {
  return std::all_of(eigenvalues.begin(), eigenvalues.end(), [](Complex mu) { return mu.real() < 0.0; });
}

Modes modesAbout(const Equilibrium& equilibrium, double size) {
  const ReducedMotion& reduced = equilibrium.reduced;
  Modes result;
  result.zeroModes = equilibrium.neutral;
  result.rigidBodyModes = equilibrium.rigid;
  if (reduced.freedoms() == 0) return result;

  const MatrixX& K = reduced.stiffness;
  const bool symmetric = reduced.isSymmetric();
  const MatrixX stiffness = symmetric ? MatrixX(0.5 * (K + K.transpose())) : K;
  std::vector<ModeShape> shapes = symmetric && reduced.damping.isZero(0.0)
                                      ? undampedShapes(reduced.mass, stiffness, equilibrium.neutral)
                                      : dampedShapes(reduced.mass, reduced.damping, stiffness, equilibrium.neutral);
  collect(std::move(shapes), reduced.basis, size, result);
  return result;
}

Modes modesOf(const LinearMotion& motion, double size) {
  Modes result;
  const Eigen::Index f = motion.freedoms();
  if (f == 0) return result;
  const Eigen::LLT<MatrixX> root(motion.mass);  // M = L L^T, s = L^-T y
  const auto reduced = [&](const MatrixX& matrix) {
    const MatrixX left = root.matrixL().solve(matrix);
    return MatrixX(root.matrixL().solve(left.transpose()).transpose());
  };
  const MatrixX K = reduced(motion.stiffness), C = reduced(motion.damping);
  // x = (y, y' over a frequency), so that all entries are of one size
  const double fastest = std::max(std::sqrt(K.norm()), C.norm());
  if (!(fastest > 0.0)) {
    result.zeroModes = static_cast<int>(f);
    result.rigidBodyModes = rigidMotions(motion.basis, motion.bodies, size);
    std::vector<ModeShape> shapes;
    for (Eigen::Index i = 0; i < 2 * f; ++i) shapes.push_back({0.0, Eigen::VectorXcd::Unit(f, i % f)});
    collect(std::move(shapes), motion.basis, size, result);
    return result;
  }
  MatrixX A = MatrixX::Zero(2 * f, 2 * f);
  A.topRightCorner(f, f).diagonal().setConstant(fastest);
  A.bottomLeftCorner(f, f) = -K / fastest;
  A.bottomRightCorner(f, f) = -C;

  const double least = std::max(noEigenvalue, motion.isSteady ? motion.unsteadiness : 0.0);
  const WithoutZeros parts(A, least * fastest);
  const Eigen::Index k = parts.zeros, n = 2 * f - k;
  result.zeroModes = static_cast<int>(parts.first);
  std::vector<ModeShape> shapes;
  const auto add = [&](Complex mu, const Eigen::VectorXcd& y) { shapes.push_back({mu, unscaled(root, y)}); };
  for (Eigen::Index i = 0; i < k; ++i) add(0.0, parts.Q.col(i).head(f).cast<Complex>());
  MatrixX neutral(f, parts.first);
  for (Eigen::Index i = 0; i < parts.first; ++i) neutral.col(i) = shapes[static_cast<std::size_t>(i)].s.real();
  result.rigidBodyModes = rigidMotions(motion.basis * neutral, motion.bodies, size);
  if (n > 0) {
    const Eigen::EigenSolver<MatrixX> eigen(MatrixX(parts.T.bottomRightCorner(n, n)));
    const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();
    Eigen::VectorXcd values = eigen.eigenvalues();
    mergeRealParts(values);
    for (Eigen::Index i = 0; i < n; ++i) {
      Complex mu = values[i];
      const Eigen::VectorXcd v = eigen.eigenvectors().col(i);
      Eigen::VectorXcd x(2 * f);
      x.tail(n) = v;
      if (k > 0) {
        const Eigen::MatrixXcd U = mu * Eigen::MatrixXcd::Identity(k, k) - parts.T.topLeftCorner(k, k).cast<Complex>();
        x.head(k) = U.triangularView<Eigen::Upper>().solve(parts.T.topRightCorner(k, n).cast<Complex>() * v);
      }
      if (std::abs(mu.real()) <= std::max(least * std::abs(mu), 0.01 * least * largest)) mu.real(0.0);
      add(mu, Eigen::VectorXcd(parts.Q.cast<Complex>() * x).head(f));
    }
  }
  collect(std::move(shapes), motion.basis, size, result);
  return result;
}

}  // namespace polhode
