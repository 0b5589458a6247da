#pragma once

#include "integrate/dop853_coefficients.h"
#include "integrate/embedded_runge_kutta.h"

#include <array>

/// DOP853: the explicit Runge-Kutta method of order 8 of Dormand & Prince in twelve stages, with error
/// estimators of order 5 and 3 and dense output of order 7.
///
///     k_i  = f(t + c_i h, y + h sum_j a_ij k_j),  i = 1..12,    y1 = y + h sum_j a_13,j k_j
///     err5 = h sum_j e_j k_j,   err3 = h (sum_j a_13,j k_j - bhh1 k_1 - bhh2 k_9 - bhh3 k_12)
///     err  = |err5|^2 / sqrt(|err5|^2 + 0.01 |err3|^2)
///
/// Eleven evaluations an attempt and one more for an accepted step. Like the book's code when its output
/// routine may have changed the state, each attempt evaluates k_1 anew (13 evaluations an accepted step, 12 a
/// rejected one): the published counts of the formulations were taken so. `FirstStage::reused` saves that
/// evaluation. The three stages of the dense output are evaluated only in steps in which it is asked for.
///
/// Reference: Hairer, Norsett & Wanner I, section II.5 (method and estimators), II.6 (dense output).
namespace polhode {

enum class FirstStage { anew, reused };

template <OdeType Ode>
class Dop853 : public EmbeddedRungeKutta<Dop853<Ode>, Ode> {
  using Base = EmbeddedRungeKutta<Dop853<Ode>, Ode>;

 public:
  using typename Base::State;

  Dop853(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options,
         FirstStage firstStage = FirstStage::anew)
      : Base(ode, t0, y0, tEnd, options, {.exponent = 1.0 / 8.0, .beta = 0.0, .least = 0.333, .most = 6.0}, 6.1),
        firstStage_(firstStage) {
    k_.fill(y0);
    dense_.fill(y0);
    for (State* s : {&y1_, &yOld_, &next_}) *s = y0;
    evaluate(t_, y_, next_);
    Base::chooseFirstStep(8, next_, y1_, k_[2]);
  }

  /// Order 7 within the last step; three evaluations at the first call in a step.
  void interpolate(double t, State& y) const {
    if (!denseReady_) const_cast<Dop853*>(this)->prepareDenseOutput();
    const double s = (t - tOld_) / (t_ - tOld_), s1 = 1.0 - s;
    y = dense_[7];
    for (int i = 6; i >= 0; --i) y = dense_[i] + (i % 2 == 0 ? s : s1) * y;
  }

  /// After a projection; the next step evaluates its first stage at the new state, the step size is kept.
  void replaceState(const State& y) {
    y_ = y;
    if (firstStage_ == FirstStage::reused) evaluate(t_, y_, next_);
  }

  void persist(Archive& archive) {
    archive.section("dop853");
    Base::persistBase(archive);
    archive(k_, dense_, y1_, yOld_, next_, denseReady_);
  }

 private:
  friend Base;
  using Base::evaluate, Base::t_, Base::tOld_, Base::weights_, Base::y_;

  /// Stages and result of a step of size h; returns the square of its weighted error.
  double attempt(double h) {
    using namespace dop853;
    if (firstStage_ == FirstStage::anew) {
      evaluate(t_, y_, k_[1]);
    } else {
      k_[1] = next_;
    }
    y1_ = y_ + h * (a0201 * k_[1]);
    evaluate(t_ + c02 * h, y1_, k_[2]);
    y1_ = y_ + h * (a0301 * k_[1] + a0302 * k_[2]);
    evaluate(t_ + c03 * h, y1_, k_[3]);
    y1_ = y_ + h * (a0401 * k_[1] + a0403 * k_[3]);
    evaluate(t_ + c04 * h, y1_, k_[4]);
    y1_ = y_ + h * (a0501 * k_[1] + a0503 * k_[3] + a0504 * k_[4]);
    evaluate(t_ + c05 * h, y1_, k_[5]);
    y1_ = y_ + h * (a0601 * k_[1] + a0604 * k_[4] + a0605 * k_[5]);
    evaluate(t_ + c06 * h, y1_, k_[6]);
    y1_ = y_ + h * (a0701 * k_[1] + a0704 * k_[4] + a0705 * k_[5] + a0706 * k_[6]);
    evaluate(t_ + c07 * h, y1_, k_[7]);
    y1_ = y_ + h * (a0801 * k_[1] + a0804 * k_[4] + a0805 * k_[5] + a0806 * k_[6] + a0807 * k_[7]);
    evaluate(t_ + c08 * h, y1_, k_[8]);
    y1_ = y_ + h * (a0901 * k_[1] + a0904 * k_[4] + a0905 * k_[5] + a0906 * k_[6] + a0907 * k_[7] + a0908 * k_[8]);
    evaluate(t_ + c09 * h, y1_, k_[9]);
    y1_ = y_ + h * (a1001 * k_[1] + a1004 * k_[4] + a1005 * k_[5] + a1006 * k_[6] + a1007 * k_[7] + a1008 * k_[8] +
                    a1009 * k_[9]);
    evaluate(t_ + c10 * h, y1_, k_[10]);
    y1_ = y_ + h * (a1101 * k_[1] + a1104 * k_[4] + a1105 * k_[5] + a1106 * k_[6] + a1107 * k_[7] + a1108 * k_[8] +
                    a1109 * k_[9] + a1110 * k_[10]);
    evaluate(t_ + c11 * h, y1_, k_[11]);
    y1_ = y_ + h * (a1201 * k_[1] + a1204 * k_[4] + a1205 * k_[5] + a1206 * k_[6] + a1207 * k_[7] + a1208 * k_[8] +
                    a1209 * k_[9] + a1210 * k_[10] + a1211 * k_[11]);
    evaluate(t_ + c12 * h, y1_, k_[12]);
    k_[13] = a1301 * k_[1] + a1306 * k_[6] + a1307 * k_[7] + a1308 * k_[8] + a1309 * k_[9] + a1310 * k_[10] +
             a1311 * k_[11] + a1312 * k_[12];
    y1_ = y_ + h * k_[13];
    return squaredError(h);
  }

  double squaredError(double h) const {
    using namespace dop853;
    double fifth = 0.0, third = 0.0;
    for (int i = 0; i < y_.size(); ++i) {
      const double scale = weights_.scale(y_[i], y1_[i]);
      const double low = k_[13][i] - bhh1 * k_[1][i] - bhh2 * k_[9][i] - bhh3 * k_[12][i];
      const double high = e01 * k_[1][i] + e06 * k_[6][i] + e07 * k_[7][i] + e08 * k_[8][i] + e09 * k_[9][i] +
                          e10 * k_[10][i] + e11 * k_[11][i] + e12 * k_[12][i];
      third += (low / scale) * (low / scale);
      fifth += (high / scale) * (high / scale);
    }
    const double both = fifth + 0.01 * third;
    return h * h * fifth * fifth / (static_cast<double>(y_.size()) * (both > 0.0 ? both : 1.0));
  }

  bool keepStep(double h) {
    evaluate(t_ + h, y1_, next_);
    if (!next_.allFinite()) return false;
    k_[13] = next_;
    std::swap(yOld_, y_);
    y_ = y1_;
    denseReady_ = false;
    return true;
  }

  /// From the slopes of the last stage and of the result, both at the end of the step.
  double stretch(double h) const {
    using namespace dop853;
    const double states = (y1_ - yOld_ -
                           h * (a1201 * k_[1] + a1204 * k_[4] + a1205 * k_[5] + a1206 * k_[6] + a1207 * k_[7] +
                                a1208 * k_[8] + a1209 * k_[9] + a1210 * k_[10] + a1211 * k_[11]))
                              .norm();
    return states > 0.0 ? h * (k_[13] - k_[12]).norm() / states : 0.0;
  }

  void prepareDenseOutput() {
    using namespace dop853;
    const double h = t_ - tOld_;
    State& y = dense_[0];
    y = yOld_ + h * (a1401 * k_[1] + a1407 * k_[7] + a1408 * k_[8] + a1409 * k_[9] + a1410 * k_[10] + a1411 * k_[11] +
                     a1412 * k_[12] + a1413 * k_[13]);
    evaluate(tOld_ + c14 * h, y, k_[14]);
    y = yOld_ + h * (a1501 * k_[1] + a1506 * k_[6] + a1507 * k_[7] + a1508 * k_[8] + a1511 * k_[11] + a1512 * k_[12] +
                     a1513 * k_[13] + a1514 * k_[14]);
    evaluate(tOld_ + c15 * h, y, k_[15]);
    y = yOld_ + h * (a1601 * k_[1] + a1606 * k_[6] + a1607 * k_[7] + a1608 * k_[8] + a1609 * k_[9] + a1613 * k_[13] +
                     a1614 * k_[14] + a1615 * k_[15]);
    evaluate(tOld_ + c16 * h, y, k_[16]);
    dense_[4] =
        h * (d0501 * k_[1] + d0506 * k_[6] + d0507 * k_[7] + d0508 * k_[8] + d0509 * k_[9] + d0510 * k_[10] +
             d0511 * k_[11] + d0512 * k_[12] + d0513 * k_[13] + d0514 * k_[14] + d0515 * k_[15] + d0516 * k_[16]);
    dense_[5] =
        h * (d0601 * k_[1] + d0606 * k_[6] + d0607 * k_[7] + d0608 * k_[8] + d0609 * k_[9] + d0610 * k_[10] +
             d0611 * k_[11] + d0612 * k_[12] + d0613 * k_[13] + d0614 * k_[14] + d0615 * k_[15] + d0616 * k_[16]);
    dense_[6] =
        h * (d0701 * k_[1] + d0706 * k_[6] + d0707 * k_[7] + d0708 * k_[8] + d0709 * k_[9] + d0710 * k_[10] +
             d0711 * k_[11] + d0712 * k_[12] + d0713 * k_[13] + d0714 * k_[14] + d0715 * k_[15] + d0716 * k_[16]);
    dense_[7] =
        h * (d0801 * k_[1] + d0806 * k_[6] + d0807 * k_[7] + d0808 * k_[8] + d0809 * k_[9] + d0810 * k_[10] +
             d0811 * k_[11] + d0812 * k_[12] + d0813 * k_[13] + d0814 * k_[14] + d0815 * k_[15] + d0816 * k_[16]);
    dense_[1] = y1_ - yOld_;
    dense_[2] = h * k_[1] - dense_[1];
    dense_[3] = dense_[1] - h * k_[13] - dense_[2];
    dense_[0] = yOld_;
    denseReady_ = true;
  }

  FirstStage firstStage_;
  std::array<State, 17> k_;  // k_[1] to k_[12] as in the equations, 13 at the new point, 14 to 16 for dense output
  std::array<State, 8> dense_;
  State y1_, yOld_, next_;
  bool denseReady_ = false;
};

extern template class Dop853<OdeSystem>;

}  // namespace polhode
