#pragma once

#include "polhode/math/types.h"

#include <algorithm>

/// What a step will bring, from what the steps of the same length before it have brought: numbers x such as turns. With B, one
/// step back, what is smooth is made small by each 1 - B, and what changes its sign from step to step, as stiff directions do
/// in the director scheme (v1 = 2 dx/h - v0), is taken away by each 1 + B. So the next step is the one with
///
///     (1 - B)^k (1 + B)^m x = 0,   that is   x_n = sum_j w_j x_(n-j),   j = 1, ..., k + m
///
/// What stands on the left is what k and m would have missed the last step by; those that would have missed it least are taken.
/// They are measured every few steps, and hang on nothing but these numbers.
namespace polhode {

class StepPrediction {
 public:
  /// Of so many numbers; the first `judged` of them say which k and m are the best.
  explicit StepPrediction(Eigen::Index numbers = 0, Eigen::Index judged = 0);

  /// How many steps are known, up to `remembered`; nothing can be predicted where it is 0.
  int known = 0;

  /// Forgets steps of another length.
  void begin(double h);

  /// The exponents k and m.
  struct Order {
    int smooth = 1, alternating = 0;
    int steps() const { return smooth + alternating; }
  };

  /// The next step: as well as can be, or deliberately no better than `miss`, in the units of x, so that an iteration from there
  /// shows how it contracts.
  void predict(VectorX& next) const { predict(best(), next); }
  void predictNoBetterThan(double miss, VectorX& next) const { predict(noBetterThan(miss), next); }

  /// The same in pieces: so many numbers of it from `first` on, by what is the best for all.
  Order best() const;
  Order noBetterThan(double miss) const;
  void predict(const Order& order, Eigen::Index first, Eigen::Index count, VectorX& next) const;

  /// A step as it has been made; `own` is swapped with what is forgotten.
  void add(double h, VectorX& own);

  template <class Archive>
  void persist(Archive& archive) {
    archive(h_, known, age_, past_, misses_);
    known = std::clamp(known, 0, remembered);
  }

 private:
  static constexpr int remembered = 10, mostAlternating = 2, between = 8;

  void predict(const Order& order, VectorX& next) const {
    next.resize(past_[0].size());
    predict(order, 0, next.size(), next);
  }
  void measure();

  Eigen::Index judged_;
  double h_ = 0.0;
  int age_ = 0;                                                    // steps since they were measured
  VectorX past_[remembered];                                       // newest first
  Eigen::Matrix<double, mostAlternating + 1, remembered> misses_;  // by m and k
};

}  // namespace polhode
