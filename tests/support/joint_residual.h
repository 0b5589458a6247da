#pragma once

#include "polhode/model/model.h"

namespace polhode::test {

/// How far the joints of a model are from closed where its bodies stand as given, from what each type of joint means and
/// nothing else: no equation, form or frame of the library is used. Lengths and angles (radians) are taken together, lengths
/// relative to `size`. Drives of angles are looked at as well.
struct Residual {
  double gap = 0.0;         // not a number where something is not
  std::string joint = "";   // where it is
  double unitLength = 0.0;  // how far a quaternion is from length one
};

Residual residualOf(const Model& model, const std::vector<Body>& bodies, double time, double size);

/// How large a mechanism is: the largest distance between points of its joints and centres of its bodies.
double sizeOf(const Model& model);

}  // namespace polhode::test
