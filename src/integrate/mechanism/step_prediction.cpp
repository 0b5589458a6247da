#include "integrate/mechanism/step_prediction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

StepPrediction::StepPrediction(Eigen::Index numbers, Eigen::Index judged) : judged_(judged) {
  for (VectorX& x : past_) x = VectorX::Zero(numbers);
  misses_.setConstant(never);
}

void StepPrediction::begin(double h) {
  if (std::abs(h - h_) > 1e-9 * std::abs(h)) known = 0;
}

void StepPrediction::add(double h, VectorX& own) {
  h_ = h;
  own.swap(past_[remembered - 1]);
  for (int j = remembered - 1; j > 0; --j) past_[j].swap(past_[j - 1]);
  known = std::min(known + 1, remembered);
  if (known < remembered) age_ = 0;
  if (age_ == 0) measure();
  age_ = (age_ + 1) % between;
}

/// The products of the polynomial, one factor after the other.
void StepPrediction::predict(const Order& order, Eigen::Index first, Eigen::Index count, VectorX& next) const {
  std::array<double, remembered + 1> w{1.0};
  const auto times = [&](double factor) {
    for (int j = remembered; j > 0; --j) w[j] += factor * w[j - 1];
  };
  for (int i = 0; i < order.smooth; ++i) times(-1.0);
  for (int i = 0; i < order.alternating; ++i) times(1.0);
  next.segment(first, count) = -w[1] * past_[0].segment(first, count);
  for (int j = 1; j < order.steps(); ++j) next.segment(first, count) -= w[j + 1] * past_[j].segment(first, count);
}

StepPrediction::Order StepPrediction::best() const {
  Order best;
  double least = never;
  for (int m = 0; m <= mostAlternating; ++m)
    for (int k = 1; k + m < known; ++k)
      if (misses_(m, k) < least) best = {k, m}, least = misses_(m, k);
  return best;
}

StepPrediction::Order StepPrediction::noBetterThan(double miss) const {
  Order order;
  double least = never;
  for (int k = 1; k < known; ++k)
    if (misses_(0, k) >= miss && misses_(0, k) < least) order.smooth = k, least = misses_(0, k);
  return order;
}

/// What each k and m would have missed the last step by, eight numbers at a time.
void StepPrediction::measure() {
  constexpr int atOnce = 8;
  using Eight = std::array<double, atOnce>;
  std::array<std::array<Eight, remembered>, mostAlternating + 1> largest{};
  for (Eigen::Index first = 0; first < judged_; first += atOnce) {
    const auto count = static_cast<int>(std::min<Eigen::Index>(atOnce, judged_ - first));
    std::array<Eight, remembered> summed{}, x;
    for (int j = 0; j < remembered; ++j)
      for (int i = 0; i < count; ++i) summed[j][i] = past_[j][first + i];
    for (int m = 0; m <= mostAlternating; ++m) {
      x = summed;
      for (int k = 0; k + m < remembered; ++k) {
        for (int i = 0; i < atOnce; ++i) largest[m][k][i] = std::max(largest[m][k][i], std::abs(x[0][i]));
        for (int j = 0; j + k + m + 1 < remembered; ++j)
          for (int i = 0; i < atOnce; ++i) x[j][i] -= x[j + 1][i];
      }
      for (int j = 0; j + m + 1 < remembered; ++j)
        for (int i = 0; i < atOnce; ++i) summed[j][i] += summed[j + 1][i];
    }
  }
  for (int m = 0; m <= mostAlternating; ++m)
    for (int k = 0; k < remembered; ++k)
      misses_(m, k) = k + m < known ? *std::max_element(largest[m][k].begin(), largest[m][k].end()) : never;
}

}  // namespace polhode
