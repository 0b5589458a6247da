#pragma once

#include <Eigen/Dense>
#include <array>

/// Second-order B-splines on the knots of Lipovac 2020, (B.8), and the element matrices of (B.16) and (4.39):
///
///     B_ij = int S_i' S_j' dt,     C_ij = int S_i S_j dt,     d_i = int (5/4 - t) S_i dt,      over [1/4, 5/4]
///
/// The integrands are polynomials of degree 4 at most between two knots, which Boole's rule integrates exactly. The scalar
/// T may be a type of exact fractions.
namespace polhode {

template <class T = double>
class SplineElements {
 public:
  static constexpr int count = 6;
  using Square = Eigen::Matrix<T, count, count>;
  using Column = Eigen::Matrix<T, count, 1>;

  Square stiffness = Square::Constant(T(0));  // B
  Square mass = Square::Constant(T(0));       // C
  Column load = Column::Constant(T(0));       // d
  Column atBegin, atEnd;                      // values at t = 1/4 and t = 5/4

  SplineElements() {
    for (int interval = 2; interval < 6; ++interval) addInterval(interval);
    for (int i = 0; i < count; ++i) {
      atBegin[i] = value(i, 2, 2, knot(2));
      atEnd[i] = value(i, 2, 5, knot(6));
    }
  }

 private:
  static T knot(int i) {
    constexpr std::array<int, 9> eighths = {0, 1, 2, 4, 6, 8, 10, 11, 12};
    return T(eighths[static_cast<std::size_t>(i)]) / T(8);
  }

  /// S_i of an order at t, on the polynomial piece between two knots: the recursion (B.6).
  static T value(int i, int order, int interval, const T& t) {
    if (order == 0) return T(i == interval ? 1 : 0);
    return (t - knot(i)) / (knot(i + order) - knot(i)) * value(i, order - 1, interval, t) +
           (knot(i + order + 1) - t) / (knot(i + order + 1) - knot(i + 1)) * value(i + 1, order - 1, interval, t);
  }

  /// The derivative, (B.7).
  static T slope(int i, int interval, const T& t) {
    return T(2) / (knot(i + 2) - knot(i)) * value(i, 1, interval, t) -
           T(2) / (knot(i + 3) - knot(i + 1)) * value(i + 1, 1, interval, t);
  }

  void addInterval(int interval) {
    constexpr std::array<int, 5> weights = {7, 32, 12, 32, 7};  // Boole's rule, in 90ths of the interval
    const T begin = knot(interval), width = knot(interval + 1) - begin;
    for (int node = 0; node < 5; ++node) {
      const T t = begin + width * T(node) / T(4);
      const T weight = width * T(weights[static_cast<std::size_t>(node)]) / T(90);
      Column values, slopes;
      for (int i = 0; i < count; ++i) {
        values[i] = value(i, 2, interval, t);
        slopes[i] = slope(i, interval, t);
      }
      for (int i = 0; i < count; ++i) {
        load[i] = load[i] + weight * (T(5) / T(4) - t) * values[i];
        for (int j = 0; j < count; ++j) {
          stiffness(i, j) = stiffness(i, j) + weight * slopes[i] * slopes[j];
          mass(i, j) = mass(i, j) + weight * values[i] * values[j];
        }
      }
    }
  }
};

}  // namespace polhode
