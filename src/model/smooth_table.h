#pragma once

#include "polhode/model/signal.h"

namespace polhode {

/// A signal through points in time with a velocity and an acceleration that do not jump: polynomials of fifth degree between
/// the points, with the derivatives there of the polynomial through the eleven nearest points, or fifteen nearest rates where these
/// are known (fewer where there are fewer; times need not be even). Constant before the first point and behind the last.
///
/// Smooth motions with spacing d are met to O(d^6), their accelerations to O(d^4), and at the points themselves to O(d^9), or
/// O(d^14) by rates.
/// Throws InputError where a point is not finite, times do not increase, or there are fewer than two.
Signal smoothTable(const std::vector<double>& times, const std::vector<double>& values,
                   const std::vector<double>& rates = {});

}  // namespace polhode
