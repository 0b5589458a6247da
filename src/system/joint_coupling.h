#pragma once

#include "system/scalar_coordinate.h"

#include <cmath>
#include <utility>
#include <vector>

/// A gear, a rack and pinion or a screw: coordinates of one or two joints that move together (polhode/model/coupling.h),
///
///     g = sum_i factor_i s_i - offset = 0,      the offset what the sum is at t = 0.
///
/// Angles are known up to whole turns only. The factors are such that turns change the sum by multiples of a period, and g is
/// what is left of it, between minus and plus half of that: a smooth function of where the bodies are, as long as it is
/// small, however often they have turned.
///
/// Over a step z0 -> z1 the sum of the coordinates' discrete gradients (scalar_coordinate.h) does the work
/// lambda sum factor_i (s_i1 - s_i0) = 0: energy is kept, and, since each coordinate is one between two bodies, all momenta.
namespace polhode {

/// The numbers that the motions `at(body)` are made of.
template <class At>
using ScalarAt = typename std::decay_t<decltype(std::declval<const At&>()(0).at.x)>::Scalar;

struct CouplingTerm {
  double factor;
  int first, second;  // bodies, or the ground
  ScalarCoordinate coordinate;
};

class JointCoupling {
 public:
  /// `at(body)` says where a body is, as all others here: a MovingPlacement.
  template <class At>
  JointCoupling(std::vector<CouplingTerm> terms, double period, const At& at)
      : terms_(std::move(terms)), period_(period), offset_(sum(at)) {}

  const std::vector<CouplingTerm>& terms() const { return terms_; }

  template <class At>
  double gap(const At& at) const {
    return nearest(sum(at) - offset_);
  }

  /// The gap at the end of a step that began with this sum: turns within it count.
  double gapAfter(double sumBefore, double change) const { return nearest(sumBefore - offset_) + change; }

  /// Of g'': all that z'' has no share in.
  template <class At>
  ScalarAt<At> curvature(const At& at) const {
    ScalarAt<At> result = 0.0;
    for (const CouplingTerm& term : terms_) {
      const auto &first = at(term.first), &second = at(term.second);
      result += term.factor * term.coordinate.curvature(first, second);
    }
    return result;
  }

  /// grad g: calls with each body and its part, bodies more than once; not with the ground.
  template <class At, class Visit>
  void visitGradient(const At& at, const Visit& visit) const {
    for (const CouplingTerm& term : terms_) {
      const auto &first = at(term.first), &second = at(term.second);
      auto g = term.coordinate.slope(first.at, second.at);
      for (auto* end : {&g.first, &g.second}) {
        end->onPosition *= term.factor;
        end->onDirectors *= term.factor;
      }
      if (term.first != groundIndex) visit(term.first, g.first);
      if (term.second != groundIndex) visit(term.second, g.second);
    }
  }

 private:
  template <class At>
  double sum(const At& at) const {
    double result = 0.0;
    for (const CouplingTerm& term : terms_) {
      const MovingPlacement &first = at(term.first), &second = at(term.second);
      result += term.factor * term.coordinate.value(first.at, second.at);
    }
    return result;
  }
  double nearest(double gap) const { return period_ > 0.0 ? std::remainder(gap, period_) : gap; }

  std::vector<CouplingTerm> terms_;
  double period_, offset_;
};

}  // namespace polhode
