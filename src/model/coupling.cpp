#include "polhode/model/coupling.h"

#include <cmath>

namespace polhode {

Teeth teethOf(double ratio) {
  constexpr double rounding = 1e-12;
  const double size = std::abs(ratio);
  if (!std::isfinite(ratio) || ratio == 0.0) return {};
  // convergents of the continued fraction: each is the nearest of its size
  double rest = size;
  double before[2] = {0.0, 1.0}, now[2] = {1.0, 0.0};  // numerator, denominator
  for (int k = 0; k < 40; ++k) {
    const double whole = std::floor(rest);
    for (int i = 0; i < 2; ++i) {
      const double next = whole * now[i] + before[i];
      before[i] = now[i];
      now[i] = next;
    }
    if (now[0] > mostTeeth || now[1] > mostTeeth) return {};
    if (now[0] > 0.0 && std::abs(now[0] / now[1] - size) <= rounding * size)
      return {static_cast<int>(std::copysign(now[0], ratio)), static_cast<int>(now[1])};
    rest = 1.0 / (rest - whole);
    if (!std::isfinite(rest)) return {};
  }
  return {};
}

const std::vector<CouplingType>& couplingTypes() {
  static const std::vector<CouplingType> types = {
      {"gear", "Two joints turn at a fixed ratio, as wheels with teeth do."},
      {"rack", "A joint slides as another one turns: a pinion of some radius on a rack."},
      {"screw", "A joint slides by a pitch in each turn of its own, or of another one."}};
  return types;
}

}  // namespace polhode
