#include "integrate/gauss.h"

namespace polhode {

namespace gauss {

void failToConverge(int stages, double time, double h) {
  throw SimulationError(
      time,
      fmt::format("gauss-{}: the stages of the step from t = {:.9g} with h = {:.6g} do not converge, neither by "
                  "fixed-point iteration nor by Newton's method; give a shorter step, or none, so that it is chosen "
                  "for the tolerance",
                  2 * stages, time, h));
}

std::string stiffnessWarning(int stages, double since) {
  return fmt::format(
      "the problem seems stiff from t = {:.4g} on, where gauss-{} solves its stages by Newton's method and does not "
      "damp "
      "what is fast; shorter steps, or radau5, seulex or bdf may be cheaper",
      since, 2 * stages);
}

}  // namespace gauss

template class Gauss<OdeSystem>;

}  // namespace polhode
