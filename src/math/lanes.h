#pragma once

#include "polhode/math/types.h"

#include <utility>

#ifdef __FMA__
#include <immintrin.h>
#endif

/// W numbers that go through the same operations side by side, in the lanes of vector registers: a scalar for functions that
/// are templates on theirs. Each lane has the bits that it would have alone, with any W, where the compiler does not fuse
/// products and sums as it likes (-ffp-contract=off, which cmake/lanes.cmake gives to the sources that need it);
/// `multiplyAdd` says where it shall.
namespace polhode {

namespace detail {

template <int W>
struct Register;
template <>
struct Register<1> {
  typedef double Numbers __attribute__((vector_size(8)));
  typedef Numbers Anywhere __attribute__((aligned(8), may_alias));  // as numbers lie in memory
};
template <>
struct Register<2> {
  typedef double Numbers __attribute__((vector_size(16)));
  typedef Numbers Anywhere __attribute__((aligned(8), may_alias));
};
template <>
struct Register<4> {
  typedef double Numbers __attribute__((vector_size(32)));
  typedef Numbers Anywhere __attribute__((aligned(8), may_alias));
};
template <>
struct Register<8> {
  typedef double Numbers __attribute__((vector_size(64)));
  typedef Numbers Anywhere __attribute__((aligned(8), may_alias));
};

}  // namespace detail

template <int W>
struct Lanes {
  using Numbers = typename detail::Register<W>::Numbers;
  using Anywhere = typename detail::Register<W>::Anywhere;
  Numbers numbers;

  Lanes() = default;
  Lanes(double all) : Lanes(all, std::make_integer_sequence<int, W>()) {}  // NOLINT: a number is one in all lanes
  explicit Lanes(const Numbers& each) : numbers(each) {}

  // A register is copied at once. What the compiler copies by itself it copies in pieces where it was told to
  // (cmake/wide_constants.cmake), and waits for them when they are read as a whole.
  Lanes(const Lanes& other) : numbers(other.numbers) {}
  Lanes& operator=(const Lanes& other) {
    numbers = other.numbers;
    return *this;
  }
  ~Lanes() = default;

  static Lanes from(const double* first) {
    Lanes lanes;
    lanes.numbers = *reinterpret_cast<const Anywhere*>(first);  // as a value: no reference to Numbers may lie anywhere
    return lanes;
  }
  void to(double* first) const { *reinterpret_cast<Anywhere*>(first) = numbers; }
  double operator[](int lane) const { return numbers[lane]; }

  friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.numbers + b.numbers); }
  friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.numbers - b.numbers); }
  friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.numbers * b.numbers); }
  friend Lanes operator/(Lanes a, Lanes b) { return Lanes(a.numbers / b.numbers); }
  Lanes operator-() const { return Lanes(-numbers); }
  Lanes& operator+=(Lanes b) { return *this = *this + b; }
  Lanes& operator-=(Lanes b) { return *this = *this - b; }
  Lanes& operator*=(Lanes b) { return *this = *this * b; }

  friend Lanes abs(Lanes a) { return Lanes(a.numbers < 0.0 ? -a.numbers : a.numbers); }

  /// Lane by lane as math/largest.h says: not a number as soon as one of the two is not.
  friend Lanes largestOrNaN(Lanes a, Lanes b) {
    return Lanes(((a.numbers >= b.numbers) | (a.numbers != a.numbers)) ? a.numbers : b.numbers);
  }

 private:
  template <int... lane>
  Lanes(double all, std::integer_sequence<int, lane...>) : numbers{((void)lane, all)...} {}
};

/// How many numbers a register of the processor that is compiled for holds.
#if defined(__AVX512F__)
inline constexpr int lanesOfRegister = 8;
#elif defined(__AVX__)
inline constexpr int lanesOfRegister = 4;
#else
inline constexpr int lanesOfRegister = 2;
#endif

/// a b + c, in one rounding where the processor that is compiled for does that, for every W alike.
template <int W>
Lanes<W> multiplyAdd(Lanes<W> a, Lanes<W> b, Lanes<W> c) {
#ifdef __FMA__
  if constexpr (W == 1) {
    return Lanes<W>(__builtin_fma(a[0], b[0], c[0]));
  } else if constexpr (W == 2) {
    return Lanes<W>(typename Lanes<W>::Numbers(_mm_fmadd_pd(a.numbers, b.numbers, c.numbers)));
  } else if constexpr (W == 4) {
    return Lanes<W>(typename Lanes<W>::Numbers(_mm256_fmadd_pd(a.numbers, b.numbers, c.numbers)));
#ifdef __AVX512F__
  } else if constexpr (W == 8) {
    return Lanes<W>(typename Lanes<W>::Numbers(_mm512_fmadd_pd(a.numbers, b.numbers, c.numbers)));
#endif
  } else {
    Lanes<W> sum;
    for (int lane = 0; lane < W; ++lane)
      sum.numbers[lane] = __builtin_fma(a.numbers[lane], b.numbers[lane], c.numbers[lane]);
    return sum;
  }
#else
  return a * b + c;
#endif
}

}  // namespace polhode

namespace Eigen {

template <int W>
struct NumTraits<polhode::Lanes<W>> : NumTraits<double> {
  using Real = polhode::Lanes<W>;
  using NonInteger = polhode::Lanes<W>;
  using Nested = polhode::Lanes<W>;
  using Literal = polhode::Lanes<W>;
  enum { RequireInitialization = 0 };
};

}  // namespace Eigen
