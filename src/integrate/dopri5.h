#pragma once

#include "integrate/embedded_runge_kutta.h"

/// DOPRI5: the explicit Runge-Kutta pair of order 5(4) of Dormand & Prince, with dense output of order 4.
///
///     k_i = f(t + c_i h, y + h sum_j a_ij k_j),  i = 1..7
///     y1  = y + h sum_j a_7j k_j                 (first same as last: k_7 is the next k_1)
///     err = h sum_j e_j k_j
///
///      0   |
///     1/5  |     1/5
///     3/10 |     3/40          9/40
///     4/5  |    44/45        -56/15       32/9
///     8/9  | 19372/6561  -25360/2187  64448/6561  -212/729
///      1   |  9017/3168      -355/33  46732/5247    49/176  -5103/18656
///      1   |    35/384             0    500/1113   125/192   -2187/6784   11/84
///
/// Six evaluations a step, accepted or not. The step is chosen by a PI controller (beta = 0.04) as in the
/// code of the book, so that counts can be compared with it.
///
/// Reference: Hairer, Norsett & Wanner I, section II.5, table 5.2, and II.6 (dense output).
namespace polhode {

template <OdeType Ode>
class Dopri5 : public EmbeddedRungeKutta<Dopri5<Ode>, Ode> {
  using Base = EmbeddedRungeKutta<Dopri5<Ode>, Ode>;

 public:
  using typename Base::State;

  Dopri5(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options)
      : Base(ode, t0, y0, tEnd, options, {.exponent = 0.2 - 0.75 * 0.04, .beta = 0.04, .least = 0.2, .most = 10.0},
             3.25) {
    for (State* k : {&k1_, &k2_, &k3_, &k4_, &k5_, &k6_, &k7_, &y1_, &yOld_, &k1Old_}) *k = y0;
    evaluate(t_, y_, k1_);
    Base::chooseFirstStep(5, k1_, y1_, k2_);
  }

  /// Order 4 within the last step.
  void interpolate(double t, State& y) const {
    const double h = t_ - tOld_;
    const double s = (t - tOld_) / h, s1 = 1.0 - s;
    const auto difference = y1_ - yOld_;
    const auto bow = h * k1Old_ - difference;
    y = yOld_ + s * (difference +
                     s1 * (bow + s * (difference - h * k7_ - bow +
                                      s1 * h * (d1 * k1Old_ + d3 * k3_ + d4 * k4_ + d5 * k5_ + d6 * k6_ + d7 * k7_))));
  }

  /// After a projection: one evaluation, the step size is kept.
  void replaceState(const State& y) {
    y_ = y;  // y1_ stays: dense output goes on to use the step's own end
    evaluate(t_, y_, k1_);
  }

  void persist(Archive& archive) {
    archive.section("dopri5");
    Base::persistBase(archive);
    archive(k1_, k2_, k3_, k4_, k5_, k6_, k7_, y1_, yOld_, k1Old_);
  }

 private:
  friend Base;
  using Base::evaluate, Base::t_, Base::tOld_, Base::weights_, Base::y_;

  /// Stages and result of a step of size h; returns the mean square of its weighted error. `flatten` brings the
  /// right-hand side into the step.
  [[gnu::flatten]] double attempt(double h) {
    y1_ = y_ + h * (a21 * k1_);  // in this order: everything but h is known early
    evaluate(t_ + c2 * h, y1_, k2_);
    y1_ = y_ + (h * a31) * k1_ + (h * a32) * k2_;
    evaluate(t_ + c3 * h, y1_, k3_);
    y1_ = y_ + (h * a41) * k1_ + (h * a42) * k2_ + (h * a43) * k3_;
    evaluate(t_ + c4 * h, y1_, k4_);
    y1_ = y_ + (h * a51) * k1_ + (h * a52) * k2_ + (h * a53) * k3_ + (h * a54) * k4_;
    evaluate(t_ + c5 * h, y1_, k5_);
    y1_ = y_ + (h * a61) * k1_ + (h * a62) * k2_ + (h * a63) * k3_ + (h * a64) * k4_ + (h * a65) * k5_;
    evaluate(t_ + h, y1_, k6_);
    y1_ = y_ + (h * a71) * k1_ + (h * a73) * k3_ + (h * a74) * k4_ + (h * a75) * k5_ + (h * a76) * k6_;
    // The weights of the error need only y1 and can be ready before the last evaluation is.
    State& weight = k1Old_;
    for (int i = 0; i < y_.size(); ++i) weight[i] = 1.0 / weights_.scale(y_[i], y1_[i]);
    evaluate(t_ + h, y1_, k7_);

    const auto error =
        (h * e1) * k1_ + (h * e3) * k3_ + (h * e4) * k4_ + (h * e5) * k5_ + (h * e6) * k6_ + (h * e7) * k7_;
    return error.cwiseProduct(weight).squaredNorm() * (1.0 / static_cast<double>(y_.size()));
  }

  bool keepStep(double) {
    yOld_ = y_;
    y_ = y1_;
    k1Old_ = k1_;
    k1_ = k7_;
    return true;  // the error has seen k_7
  }

  /// From the slopes k_6 and k_7, both at the end of the step.
  double stretch(double h) const {
    const double states = (y1_ - yOld_ - h * (a61 * k1Old_ + a62 * k2_ + a63 * k3_ + a64 * k4_ + a65 * k5_)).norm();
    return states > 0.0 ? h * (k7_ - k6_).norm() / states : 0.0;
  }

  static constexpr double c2 = 0.2, c3 = 0.3, c4 = 0.8, c5 = 8.0 / 9.0;
  static constexpr double a21 = 0.2;
  static constexpr double a31 = 3.0 / 40.0, a32 = 9.0 / 40.0;
  static constexpr double a41 = 44.0 / 45.0, a42 = -56.0 / 15.0, a43 = 32.0 / 9.0;
  static constexpr double a51 = 19372.0 / 6561.0, a52 = -25360.0 / 2187.0, a53 = 64448.0 / 6561.0, a54 = -212.0 / 729.0;
  static constexpr double a61 = 9017.0 / 3168.0, a62 = -355.0 / 33.0, a63 = 46732.0 / 5247.0, a64 = 49.0 / 176.0,
                          a65 = -5103.0 / 18656.0;
  static constexpr double a71 = 35.0 / 384.0, a73 = 500.0 / 1113.0, a74 = 125.0 / 192.0, a75 = -2187.0 / 6784.0,
                          a76 = 11.0 / 84.0;
  static constexpr double e1 = 71.0 / 57600.0, e3 = -71.0 / 16695.0, e4 = 71.0 / 1920.0, e5 = -17253.0 / 339200.0,
                          e6 = 22.0 / 525.0, e7 = -1.0 / 40.0;
  static constexpr double d1 = -12715105075.0 / 11282082432.0, d3 = 87487479700.0 / 32700410799.0,
                          d4 = -10690763975.0 / 1880347072.0, d5 = 701980252875.0 / 199316789632.0,
                          d6 = -1453857185.0 / 822651844.0, d7 = 69997945.0 / 29380423.0;

  State k1_, k2_, k3_, k4_, k5_, k6_, k7_, y1_, yOld_, k1Old_;
};

extern template class Dopri5<OdeSystem>;

}  // namespace polhode
