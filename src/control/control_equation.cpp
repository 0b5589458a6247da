#include "control/control_equation.h"

#include "control/spline_elements.h"

#include <cmath>

namespace polhode {
namespace {

using Elements = SplineElements<double>;

const Elements& elements() {
  static const Elements computed;
  return computed;
}

/// A_h of (B.16).
Elements::Square systemMatrix(double rho0, double rho1, double step) {
  return rho1 / step * elements().stiffness + rho0 * step * elements().mass;
}

}  // namespace

ControlEquationGains l2Gains(double rho0) {
  return {1.0 / rho0, 0.0};
}

ControlEquationGains neumannGains(double rho0, double rho1, double step, NeumannPlace place) {
  const Elements::Column load = step * elements().load;
  const Elements::Column solution = systemMatrix(rho0, rho1, step).ldlt().solve(load);
  return {solution.dot(place == NeumannPlace::end ? elements().atEnd : elements().atBegin), 0.0};
}

ControlEquationGains mixedGains(double rho0, double rho1, double step, MixedSpace space) {
  const Elements::Square A = systemMatrix(rho0, rho1, step);

  // columns: the functions that vanish at t_k
  Eigen::Matrix<double, 6, 5> basis = Eigen::Matrix<double, 6, 5>::Zero();
  for (int i = 0; i < 4; ++i) basis(i + 2, i) = 1.0;
  basis(1, 4) = 1.0;
  basis(0, 4) = -elements().atBegin[1] / elements().atBegin[0];  // -1/2
  const Eigen::MatrixXd functions = basis.leftCols(space == MixedSpace::fourFunctions ? 4 : 5);

  // what continues mu(t_k) = 1 onto the step, (B.37)
  Elements::Column extension = Elements::Column::Zero();
  extension[0] = (1.0 - elements().atBegin[1]) / elements().atBegin[0];
  extension[1] = 1.0;

  const Eigen::MatrixXd reduced = functions.transpose() * A * functions;
  const auto factored = reduced.ldlt();
  const Eigen::VectorXd byLoad = factored.solve(functions.transpose() * (step * elements().load));
  const Eigen::VectorXd byLast = factored.solve(functions.transpose() * (A * extension));
  return {elements().atEnd.dot(functions * byLoad), elements().atEnd.dot(extension - functions * byLast)};
}

double amplificationFactor(const ControlEquationGains& gains, double mass, double step) {
  // e1 = e + h w;  mu1 = -ofLoad (h/m) (e1 + h e) + ofLast mu;  w1 = w + h mu1 / m
  const double stiffness = gains.ofLoad * step / mass;
  Eigen::MatrixXd map(3, 3);
  map.row(0) << 1.0, step, 0.0;
  map.row(2) << -stiffness * (1.0 + step), -stiffness * step, gains.ofLast;
  map.row(1) = Eigen::RowVector3d(0.0, 1.0, 0.0) + step / mass * map.row(2);
  return map.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace polhode
