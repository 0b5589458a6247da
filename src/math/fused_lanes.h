#pragma once

#include "math/lanes.h"

#include <type_traits>

/// Lanes (lanes.h) in whose formulas every product is rounded together with the sum that it goes into, where the processor can:
/// a b + c is one operation and not two. So templates that are written for any scalar become fused as they stand, in the same way
/// for every W, which a compiler that fuses as it likes does not promise.
///
///     a b + c d   is   fused(a, b, c d),   a b - c d   is   fused(-c, d, a b)
///     sum_i a_i b_i of Eigen's products, dot() and squaredNorm()   is   fused(a_n, b_n, ... fused(a_2, b_2, a_1 b_1))
namespace polhode {

namespace detail {

#ifdef __FMA__
inline __m128d lessProduct(__m128d a, __m128d b, __m128d c) {
  return _mm_fnmadd_pd(a, b, c);
}
inline __m256d lessProduct(__m256d a, __m256d b, __m256d c) {
  return _mm256_fnmadd_pd(a, b, c);
}
#ifdef __AVX512F__
inline __m512d lessProduct(__m512d a, __m512d b, __m512d c) {
  return _mm512_fnmadd_pd(a, b, c);
}
#endif
#endif

}  // namespace detail

/// c - a b, rounded as multiplyAdd is.
template <int W>
Lanes<W> subtractProduct(Lanes<W> a, Lanes<W> b, Lanes<W> c) {
#ifdef __FMA__
  if constexpr (W > 1 && W <= lanesOfRegister)
    return Lanes<W>(typename Lanes<W>::Numbers(detail::lessProduct(a.numbers, b.numbers, c.numbers)));
#endif
  return multiplyAdd(-a, b, c);
}

template <int W>
struct FusedLanes : Lanes<W> {
  using Base = Lanes<W>;

  FusedLanes() = default;
  FusedLanes(double all) : Base(all) {}           // NOLINT: a number is one in all lanes
  FusedLanes(const Base& lanes) : Base(lanes) {}  // NOLINT: they are the same numbers

  /// A product that is not rounded yet.
  struct Product {
    Base a, b;
    operator FusedLanes() const { return a * b; }  // NOLINT: whoever takes it as a number has it rounded
  };

  friend Product operator*(FusedLanes a, FusedLanes b) { return {a, b}; }
  friend FusedLanes operator/(FusedLanes a, FusedLanes b) { return Base(a) / Base(b); }
  friend FusedLanes operator+(FusedLanes a, FusedLanes b) { return Base(a) + Base(b); }
  friend FusedLanes operator-(FusedLanes a, FusedLanes b) { return Base(a) - Base(b); }
  friend FusedLanes operator+(Product p, FusedLanes c) { return multiplyAdd<W>(p.a, p.b, c); }
  friend FusedLanes operator+(FusedLanes c, Product p) { return multiplyAdd<W>(p.a, p.b, c); }
  friend FusedLanes operator+(Product p, Product q) { return multiplyAdd<W>(p.a, p.b, q.a * q.b); }
  friend FusedLanes operator-(Product p, FusedLanes c) { return multiplyAdd<W>(p.a, p.b, -Base(c)); }
  friend FusedLanes operator-(FusedLanes c, Product p) { return subtractProduct<W>(p.a, p.b, c); }
  friend FusedLanes operator-(Product p, Product q) { return subtractProduct<W>(q.a, q.b, p.a * p.b); }
  friend Product operator-(Product p) { return {-p.a, p.b}; }
  FusedLanes operator-() const { return Base::operator-(); }
  template <class Other>
  FusedLanes& operator+=(const Other& other) {
    return *this = *this + other;
  }
  template <class Other>
  FusedLanes& operator-=(const Other& other) {
    return *this = *this - other;
  }
  FusedLanes& operator*=(FusedLanes b) { return *this = *this * b; }

  friend FusedLanes abs(FusedLanes a) { return abs(Base(a)); }
  friend FusedLanes largestOrNaN(FusedLanes a, FusedLanes b) { return largestOrNaN(Base(a), Base(b)); }
};

}  // namespace polhode

namespace Eigen {

template <int W>
struct NumTraits<polhode::FusedLanes<W>> : NumTraits<double> {
  using Real = polhode::FusedLanes<W>;
  using NonInteger = polhode::FusedLanes<W>;
  using Nested = polhode::FusedLanes<W>;
  using Literal = polhode::FusedLanes<W>;
  enum { RequireInitialization = 0 };
};

namespace internal {

/// The sum over i = 0, 1, ... of first(i) second(i).
template <int W, int size, class First, class Second>
EIGEN_STRONG_INLINE polhode::FusedLanes<W> sumOfProducts(const First& first, const Second& second) {
  polhode::FusedLanes<W> sum = first(0) * second(0);
  for (int i = 1; i < size; ++i) sum = sum + first(i) * second(i);
  return sum;
}

/// Coefficient i of a row or a column.
template <int W, class Vector>
struct LanesOf {
  evaluator<Vector> each;
  explicit LanesOf(const Vector& vector) : each(vector) {}
  EIGEN_STRONG_INLINE polhode::FusedLanes<W> operator()(Index i) const {
    return Vector::RowsAtCompileTime == 1 ? each.coeff(0, i) : each.coeff(i, 0);
  }
};

/// How Eigen adds up the products of a row and a column, ...
template <int W, class Product, class First, class Second>
struct SumOfLanesProducts {
  using Each = polhode::FusedLanes<W>;
  using Expression = CwiseBinaryOp<Product, First, Second>;
  template <class Evaluator, class Sum>
  static EIGEN_STRONG_INLINE Each run(const Evaluator&, const Sum&, const Expression& products) {
    return sumOfProducts<W, Expression::SizeAtCompileTime>(LanesOf<W, std::decay_t<First>>(products.lhs()),
                                                           LanesOf<W, std::decay_t<Second>>(products.rhs()));
  }
};
template <int W, class First, class Second>
using LanesProducts = CwiseBinaryOp<scalar_product_op<polhode::FusedLanes<W>, polhode::FusedLanes<W>>, First, Second>;
template <int W, class First, class Second>
struct redux_impl<scalar_sum_op<polhode::FusedLanes<W>, polhode::FusedLanes<W>>,
                  redux_evaluator<LanesProducts<W, First, Second>>, DefaultTraversal, CompleteUnrolling>
    : SumOfLanesProducts<W, scalar_product_op<polhode::FusedLanes<W>, polhode::FusedLanes<W>>, First, Second> {};

/// ... those of dot(), ...
template <int W, class First, class Second>
struct redux_impl<scalar_sum_op<polhode::FusedLanes<W>, polhode::FusedLanes<W>>,
                  redux_evaluator<CwiseBinaryOp<scalar_conj_product_op<polhode::FusedLanes<W>, polhode::FusedLanes<W>>,
                                                First, Second>>,
                  DefaultTraversal, CompleteUnrolling>
    : SumOfLanesProducts<W, scalar_conj_product_op<polhode::FusedLanes<W>, polhode::FusedLanes<W>>, First, Second> {};

/// ... and squares.
template <int W, class Vector>
struct redux_impl<scalar_sum_op<polhode::FusedLanes<W>, polhode::FusedLanes<W>>,
                  redux_evaluator<CwiseUnaryOp<scalar_abs2_op<polhode::FusedLanes<W>>, Vector>>, DefaultTraversal,
                  CompleteUnrolling> {
  using Expression = CwiseUnaryOp<scalar_abs2_op<polhode::FusedLanes<W>>, Vector>;
  template <class Evaluator, class Sum>
  static EIGEN_STRONG_INLINE polhode::FusedLanes<W> run(const Evaluator&, const Sum&, const Expression& squares) {
    const LanesOf<W, std::decay_t<Vector>> each(squares.nestedExpression());
    return sumOfProducts<W, Expression::SizeAtCompileTime>(each, each);
  }
};

}  // namespace internal
}  // namespace Eigen
