#include "counting_scalar.h"

#include "math/euler_angles.h"
#include "math/euler_map.h"
#include "polhode/error.h"

#include <thread>

#include <gtest/gtest.h>

namespace polhode::counting_scalar_test {
namespace {

using C = CountingScalar;

/// Takes a result of which only the cost is wanted.
template <class T>
void use(const T&) {}

TEST(CountingScalar, countsEachOperation) {
  const C a = 2, b = 3;
  const OperationCounts counts = countOperations([&] {
    use(a + b);
    use(a - b), use(-a);
    use(a * b), use(2 * b), use(a * 0.5);
    use(a / b);
    use(square(a));
    use(sin(a)), use(cos(a)), use(sqrt(a));
    use(abs(a)), use(a < b), use(a == b);
  });
  const OperationCounts expected{.additions = 1,
                                 .subtractions = 2,
                                 .multiplications = 3,
                                 .divisions = 1,
                                 .squares = 1,
                                 .sines = 1,
                                 .cosines = 1,
                                 .squareRoots = 1,
                                 .fused = 0};
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(counts.total(), 11);
}

TEST(CountingScalar, computesLikeADouble) {
  C a = 2;
  a += 3, a *= 4, a -= 1, a /= 2;
  EXPECT_EQ(a.value(), 9.5);
  EXPECT_EQ(square(a).value(), square(9.5));
  EXPECT_EQ(sin(a).value(), std::sin(9.5));
  EXPECT_EQ(cos(a).value(), std::cos(9.5));
  EXPECT_EQ(sqrt(a).value(), std::sqrt(9.5));
  EXPECT_EQ(abs(-a).value(), 9.5);
  EXPECT_TRUE(a > C(9) && a <= C(9.5) && a != C(9));
}

TEST(CountingScalar, fusesAProductIntoASum) {
  const C a = 1, b = 2, c = 3, d = 4;
  EXPECT_EQ(countOperations([&] { use(a * b + c); }).fused, 1);
  EXPECT_EQ(countOperations([&] { use(c - a * b); }).fused, 1);
  EXPECT_EQ(countOperations([&] { use(square(a) + c); }).fused, 1);
  EXPECT_EQ(countOperations([&] { use(a * b + c); }).fusedTotal(), 1);
  // one sum takes in one product
  EXPECT_EQ(countOperations([&] { use(a * b + c * d); }).fused, 1);
  EXPECT_EQ(countOperations([&] { use(a * b + c * d + a * c); }).fused, 2);
  // neither of these is a product in a sum
  EXPECT_EQ(countOperations([&] { use((a + b) * c); }).fused, 0);
  EXPECT_EQ(countOperations([&] { use(a / b + c); }).fused, 0);
}

TEST(CountingScalar, fusesAProductOnlyIfItIsNotNeededElsewhere) {
  const C a = 1, b = 2, c = 3;
  const auto twoSums = [&] {
    const C product = a * b;
    use(product + c), use(product - c);
  };
  const auto sumAndFactor = [&] {
    const C product = a * b;
    use(product + c), use(product * c);
  };
  EXPECT_EQ(countOperations(twoSums).fused, 1);  // two fused operations instead of three
  EXPECT_EQ(countOperations(sumAndFactor).fused, 0);
}

TEST(CountingScalar, countsInsideEigen) {
  const Eigen::Matrix<C, 3, 3> A = Matrix3::Identity().cast<C>();
  const Vector<C, 3> x(1, 2, 3);
  Vector<C, 3> y;
  const OperationCounts product = countOperations([&] { y = A * x; });
  EXPECT_EQ(product.multiplications, 9);
  EXPECT_EQ(product.additions, 6);
  EXPECT_EQ(product.fusedTotal(), 9);  // three products and six multiply-adds
  EXPECT_EQ(y[2].value(), 3);
  EXPECT_EQ(countOperations([&] { use(x.cross(y).eval()); }).total(), 9);
  EXPECT_EQ(countOperations([&] { use(x.dot(y)); }).total(), 5);
}

// By hand: four squared components, six times two products and their doubling; three times three and six
// sums.
TEST(CountingScalar, countsTheEulerMap) {
  const Vector<C, 4> p(1, 2, 3, 4);
  const OperationCounts counts = countOperations([&] { use(rotationMatrix(p)); });
  EXPECT_EQ(counts.multiplications + counts.squares, 22);
  EXPECT_EQ(counts.additions + counts.subtractions, 15);
}

TEST(CountingScalar, nestsAndForgets) {
  const C a = 1, b = 2;
  OperationCounts inner;
  C earlier;
  const OperationCounts outer = countOperations([&] {
    use(a + b);
    inner = countOperations([&] { earlier = a * b; });
    use(earlier + a);
  });
  EXPECT_EQ(inner.total(), 1);
  EXPECT_EQ(outer.total(), 3);
  EXPECT_EQ(outer.fused, 1);
  // a product of an earlier count is an ordinary number in the next
  EXPECT_EQ(countOperations([&] { use(earlier + a); }).fused, 0);
}

TEST(CountingScalar, endsTheCountWhenTheWorkThrows) {
  const C a = 1, b = 2;
  C product;
  EXPECT_THROW(countOperations([] { throw InputError("no"); }), InputError);
  product = a * b;  // nobody counts, so that this is an ordinary number
  EXPECT_EQ(countOperations([&] { use(product + a); }).fused, 0);
}

TEST(CountingScalar, countsPerThread) {
  const C a = 1, b = 2;
  const OperationCounts counts = countOperations([&] { std::thread([&] { use(a * b + a); }).join(); });
  EXPECT_EQ(counts.total(), 0);
}

}  // namespace
}  // namespace polhode::counting_scalar_test
