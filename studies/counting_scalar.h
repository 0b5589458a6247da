#pragma once

#include "polhode/math/types.h"

#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// A number that counts the operations it takes part in, as in Table 1 of Lang 2010.
///
///     const OperationCounts counts = countOperations([&] { rightHandSide(state); });
///
/// where rightHandSide is a template on its scalar, called with CountingScalar. What is counted:
///   - every +, -, *, / once, also by constants; a unary minus is a subtraction (from zero);
///   - square(x) as a square and not as a product; sin, cos, sqrt each as one;
///   - comparisons, abs and assignments not at all.
///
/// A processor evaluates a*b + c in one instruction. A multiplication is `fused` when its product is used in
/// sums and nowhere else; a sum takes in one product, the left one first. fusedTotal() is what remains to be
/// executed.
///
/// Counts belong to the thread. Reference: Lang 2010, Table 1.
namespace polhode {

/// Numbers of operations; `fused` of the products and squares need no instruction of their own.
struct OperationCounts {
  std::int64_t additions = 0, subtractions = 0, multiplications = 0, divisions = 0, squares = 0;
  std::int64_t sines = 0, cosines = 0, squareRoots = 0;
  std::int64_t fused = 0;

  std::int64_t total() const {
    return additions + subtractions + multiplications + divisions + squares + sines + cosines + squareRoots;
  }
  std::int64_t fusedTotal() const { return total() - fused; }

  bool operator==(const OperationCounts&) const = default;
  OperationCounts operator-(const OperationCounts& before) const {
    return {additions - before.additions, subtractions - before.subtractions, multiplications - before.multiplications,
            divisions - before.divisions, squares - before.squares,           sines - before.sines,
            cosines - before.cosines,     squareRoots - before.squareRoots,   fused - before.fused};
  }
};

namespace detail {

/// The counts of a thread, and for each product made while somebody counts what became of it.
class OperationTally {
 public:
  static OperationTally& ofThisThread() {
    thread_local OperationTally tally;
    return tally;
  }

  OperationCounts counts;

  void begin() { ++depth_; }
  void end() {
    if (--depth_ > 0) return;
    firstProduct_ += products_.size();
    products_.clear();
  }

  /// The number of a new product; 0 stands for a value that is none.
  std::size_t newProduct() {
    if (depth_ == 0) return 0;
    products_.push_back(Product::unused);
    return firstProduct_ + products_.size() - 1;
  }

  /// A product is used otherwise than in a sum: its multiplication has to be executed after all.
  void keep(std::size_t product) {
    if (!known(product)) return;
    if (state(product) == Product::fused) --counts.fused;
    state(product) = Product::kept;
  }

  /// A sum of two values takes in the left product or, failing that, the right one.
  void sum(std::size_t left, std::size_t right) {
    if (fuse(left))
      keep(right);
    else
      fuse(right);
  }

 private:
  enum class Product : std::uint8_t { unused, fused, kept };

  bool known(std::size_t product) const { return product >= firstProduct_ && depth_ > 0; }
  Product& state(std::size_t product) { return products_[product - firstProduct_]; }

  bool fuse(std::size_t product) {
    if (!known(product) || state(product) == Product::kept) return false;
    if (state(product) == Product::unused) ++counts.fused;
    state(product) = Product::fused;
    return true;
  }

  int depth_ = 0;
  std::size_t firstProduct_ = 1;
  std::vector<Product> products_;
};

}  // namespace detail

/// Works like a double, in Eigen's fixed-size matrices too, and counts.
class CountingScalar {
 public:
  CountingScalar() = default;
  CountingScalar(double value) : value_(value) {}  // implicit, so that constants read as in any formula
  double value() const { return value_; }
  explicit operator double() const { return value_; }

  friend CountingScalar operator+(const CountingScalar& a, const CountingScalar& b) {
    ++counts().additions;
    tally().sum(a.product_, b.product_);
    return a.value_ + b.value_;
  }
  friend CountingScalar operator-(const CountingScalar& a, const CountingScalar& b) {
    ++counts().subtractions;
    tally().sum(a.product_, b.product_);
    return a.value_ - b.value_;
  }
  friend CountingScalar operator-(const CountingScalar& a) {
    ++counts().subtractions;
    return -a.used();
  }
  friend CountingScalar operator*(const CountingScalar& a, const CountingScalar& b) {
    ++counts().multiplications;
    return product(a.used() * b.used());
  }
  friend CountingScalar operator/(const CountingScalar& a, const CountingScalar& b) {
    ++counts().divisions;
    return a.used() / b.used();
  }
  friend CountingScalar square(const CountingScalar& a) {
    ++counts().squares;
    return product(a.used() * a.value_);
  }
  friend CountingScalar sin(const CountingScalar& a) {
    ++counts().sines;
    return std::sin(a.used());
  }
  friend CountingScalar cos(const CountingScalar& a) {
    ++counts().cosines;
    return std::cos(a.used());
  }
  friend CountingScalar sqrt(const CountingScalar& a) {
    ++counts().squareRoots;
    return std::sqrt(a.used());
  }
  friend CountingScalar abs(const CountingScalar& a) { return std::abs(a.used()); }

  CountingScalar& operator+=(const CountingScalar& b) { return *this = *this + b; }
  CountingScalar& operator-=(const CountingScalar& b) { return *this = *this - b; }
  CountingScalar& operator*=(const CountingScalar& b) { return *this = *this * b; }
  CountingScalar& operator/=(const CountingScalar& b) { return *this = *this / b; }

  friend bool operator==(const CountingScalar& a, const CountingScalar& b) { return a.used() == b.used(); }
  friend auto operator<=>(const CountingScalar& a, const CountingScalar& b) { return a.used() <=> b.used(); }

 private:
  static detail::OperationTally& tally() { return detail::OperationTally::ofThisThread(); }
  static OperationCounts& counts() { return tally().counts; }

  static CountingScalar product(double value) {
    CountingScalar result(value);
    result.product_ = tally().newProduct();
    return result;
  }

  /// The value, for any use but a sum.
  double used() const {
    tally().keep(product_);
    return value_;
  }

  double value_ = 0;
  std::size_t product_ = 0;
};

/// What `work()` costs in operations on CountingScalar. Calls may be nested.
template <class Callable>
OperationCounts countOperations(Callable&& work) {
  struct Scope {
    detail::OperationTally& tally = detail::OperationTally::ofThisThread();
    Scope() { tally.begin(); }
    ~Scope() { tally.end(); }
  } scope;
  const OperationCounts before = scope.tally.counts;
  std::forward<Callable>(work)();
  return scope.tally.counts - before;
}

}  // namespace polhode

template <>
struct Eigen::NumTraits<polhode::CountingScalar> : Eigen::NumTraits<double> {
  using Real = polhode::CountingScalar;
  using NonInteger = polhode::CountingScalar;
  using Nested = polhode::CountingScalar;
  using Literal = polhode::CountingScalar;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
