#include "integrate/mechanism/form_stiffness.h"
#include "integrate/mechanism/gauss_engine.h"
#include "math/cross.h"
#include "math/rotation_maps.h"

/// Simplified Newton iterations in the modes of the Gauss matrix, with the derivatives of the equations at mid step.
namespace polhode {

namespace {

/// The placement after some time at the rate that it has.
Placement carriedOn(const MovingPlacement& motion, double time) {
  return {motion.at.x + time * motion.rate.v, motion.at.D + time * motion.rate.W};
}

}  // namespace

/// The motion mid way through the step, on the polynomials of the stages, and the mean multipliers.
void GaussEngine::findMiddle(const MechanismState& state, double h) {
  const GaussCoefficients::Weights weights = coefficients_.polynomialAt(0.5).cwiseProduct(b_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyStages& body = bodies_[b];
    twelve(middle_[b].at) = twelve(start_[b].at) + h * body.rate.leftCols(stages_) * weights.head(stages_);
    twelve(middle_[b].rate) = twelve(state.bodies[b].rate) + body.slope.leftCols(stages_) * weights.head(stages_);
  }
  for (Eigen::Index row = 0; row < multipliers_.rows(); ++row) {
    double sum = 0.0;
    for (int i = 0; i < stages_; ++i) sum += b_[i] * multipliers_(row, i);
    meanMultipliers_[static_cast<std::size_t>(row)] = sum;
  }
}

void GaussEngine::formModes(const MechanismState& state, double h) {
  findMiddle(state, h);
  for (Mode& mode : modes_) {
    mode.system.clear();
    mode.p = 1.0 / (h * mode.lambda);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) formBody(b, h);
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) formJoint(state, j, h);
  for (std::size_t k = 0; k < mechanism_.forces().size(); ++k) formForce(state, k, h);
  for (Mode& mode : modes_) mode.system.factorise();
}

/// Turns are taken along the body's own axes, Theta = D^T theta, in which its inertia J does not change over the step: then
/// domega = D Theta' and, with the rate N of the moment of momentum along these axes, (2) changes by
///
///     J (Theta'' + Omega cross Theta' + Omega' cross Theta) + dOmega cross J Omega + Omega cross J dOmega + Theta cross N,
///     dOmega = Theta' + Omega cross Theta
void GaussEngine::formBody(std::size_t b, double h) {
  const MechanismBody& body = mechanism_.bodies()[b];
  const MovingPlacement& middle = middle_[b];
  const Matrix3 J = (body.secondMoments.sum() - body.secondMoments.array()).matrix().asDiagonal();
  const Vector3 Omega = middle.at.D.transpose() * turnRate(middle), JOmega = J * Omega;
  const auto alongAxes = [&](int i) -> Vector3 {
    return atStage(i, static_cast<int>(b)).at.D.transpose() * bodies_[b].twist.col(i).tail<3>();
  };
  const double between = h * (coefficients_.c()[stages_ - 1] - coefficients_.c()[0]);
  const Vector3 faster = (alongAxes(stages_ - 1) - alongAxes(0)) / between, N = J * faster + Omega.cross(JOmega);
  const Matrix3 changing = crossed(Omega, J) - hat(JOmega);  // by dOmega
  const Matrix3 C = crossed(J, Omega) + changing;
  Matrix3 K = crossed(J, faster) + crossed(changing, Omega) - hat(N);
  K -= doubleCross(middle.at.D.transpose() * loads_[b].force, loads_[b].point);
  for (Mode& mode : modes_) {
    auto& A = nodeOf(mode, static_cast<int>(b)).A;
    A.topLeftCorner<3, 3>().diagonal().array() += mode.p * body.mass;
    A.bottomRightCorner<3, 3>() += mode.p * J.cast<Complex>() + C.cast<Complex>() + K.cast<Complex>() / mode.p;
  }
}

/// Wrenches and their changes by turns in space become those along the axes of both bodies.
void GaussEngine::turnIntoBodies(int first, int second, ElementJacobian& jacobian) const {
  for (const auto& [body, at] : {std::pair{first, 3}, std::pair{second, 9}}) {
    if (body < 0) continue;
    const Matrix3& D = middle_[static_cast<std::size_t>(body)].at.D;
    jacobian.middleRows<3>(at) = (D.transpose() * jacobian.middleRows<3>(at)).eval();
    jacobian.middleCols<3>(at) = (jacobian.middleCols<3>(at) * D).eval();
  }
}

void GaussEngine::formJoint(const MechanismState& state, std::size_t j, double h) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const int origin = joint.first >= 0 ? joint.first : joint.second;
  const MovingPlacement first = seenFrom(origin, motionOf(middle_, joint.first));
  const MovingPlacement second = seenFrom(origin, motionOf(middle_, joint.second));
  const ElementStep here{0.0, 0.0, first.at, first.at, second.at, second.at};
  const double length = 0.1 * h;
  const Placement first0 = carriedOn(first, -length), first1 = carriedOn(first, length);
  const Placement second0 = carriedOn(second, -length), second1 = carriedOn(second, length);
  const ElementStep before{0.0, 0.0, first0, first0, second0, second0},
      after{0.0, 0.0, first1, first1, second1, second1};
  FormStep formHere(here), formBefore(before), formAfter(after);
  const int border = border_.ofJoint[j], child = border_.childOf(mechanism_, j);
  ElementJacobian stiffness = ElementJacobian::Zero();
  for (int row = 0; row < joint.rows(); ++row) {
    const JointEquation& equation = joint.equations[static_cast<std::size_t>(row)];
    Form driven[3];  // where a drive turns the form with time
    const auto formAt = [&](int k) -> const Form& {
      return equation.drive ? driven[k] = equation.formAt(state.time + 0.5 * h + (k - 1) * length) : equation.form;
    };
    const auto gradientOf = [](const Form& form, FormStep& step, const ElementStep& at, Vector6(&gradient)[2]) {
      step.take(form);
      step.gradient(FormStep::At::end, gradient[0], gradient[1]);
      gradient[0].tail<3>() = (at.first0.D.transpose() * gradient[0].tail<3>()).eval();
      gradient[1].tail<3>() = (at.second0.D.transpose() * gradient[1].tail<3>()).eval();
    };
    Vector6 gradient[2], earlier[2], later[2], change[2];
    gradientOf(formAt(0), formBefore, before, earlier);
    gradientOf(formAt(1), formHere, here, gradient);
    gradientOf(formAt(2), formAfter, after, later);
    for (int side = 0; side < 2; ++side) change[side] = (later[side] - earlier[side]) / (2.0 * length);
    // the mean placements of a step change by half of what its end changes by
    formHere.addStiffness(2.0 * meanMultipliers_[static_cast<std::size_t>(joint.firstRow + row)], stiffness);
    for (Mode& mode : modes_) {
      Eigen::Matrix<Complex, 6, 1> gap[2], force[2];
      for (int side = 0; side < 2; ++side) {
        gap[side] = gradient[side].cast<Complex>() + change[side].cast<Complex>() / mode.p;
        force[side] = -gradient[side].cast<Complex>();
      }
      if (child >= 0) {
        auto& node = nodeOf(mode, child);
        const int own = child == joint.second ? 1 : 0;
        node.G.row(row) = gap[own];
        node.parentG.row(row) = gap[1 - own];
        node.H.row(row) = force[own];
        node.parentH.row(row) = force[1 - own];
        continue;
      }
      for (int side = 0; side < 2; ++side) {
        const int body = side == 0 ? joint.first : joint.second;
        if (body < 0) continue;
        const int node = nodeOf_[static_cast<std::size_t>(body)];
        mode.system.borderRow(node, border, row) += gap[side];
        mode.system.borderColumn(node, border, row) += force[side];
      }
    }
  }
  turnIntoBodies(joint.first, joint.second, stiffness);
  for (Mode& mode : modes_)
    addStiffness<Complex>(mechanism_, nodeOf_, mode.system, joint.first, joint.second,
                          stiffness.cast<Complex>() / mode.p, border_.ofCoupling[j]);
}

/// How the wrenches change with placements, K, and with their rates, C, follows from what they are over a short step about mid
/// way, forwards and backwards, whose derivatives by its end are K/2 + C/h and K/2 - C/h.
void GaussEngine::formForce(const MechanismState& state, std::size_t k, double h) {
  const ForceElement& force = *mechanism_.forces()[k];
  const MovingPlacement &first = motionOf(middle_, force.first()), &second = motionOf(middle_, force.second());
  const double length = 0.25 * h, mid = state.time + 0.5 * h;
  const auto over = [&](double step) {
    ElementJacobian jacobian;
    force.meanWrenchesJacobian(
        {mid - 0.5 * step, mid + 0.5 * step, carriedOn(first, -0.5 * step), carriedOn(first, 0.5 * step),
         carriedOn(second, -0.5 * step), carriedOn(second, 0.5 * step)},
        jacobian);
    return jacobian;
  };
  const ElementJacobian forwards = over(length), backwards = over(-length);
  ElementJacobian K = forwards + backwards, C = 0.5 * length * (forwards - backwards);
  turnIntoBodies(force.first(), force.second(), K);
  turnIntoBodies(force.first(), force.second(), C);
  for (const auto& [body, at] : {std::pair{force.first(), 3}, std::pair{force.second(), 9}}) {
    if (body < 0) continue;
    const MovingPlacement& middle = middle_[static_cast<std::size_t>(body)];
    K.middleCols<3>(at) += C.middleCols<3>(at) * hat(Vector3(middle.at.D.transpose() * turnRate(middle)));
  }
  for (Mode& mode : modes_)
    addStiffness<Complex>(mechanism_, nodeOf_, mode.system, force.first(), force.second(),
                          C.cast<Complex>() + K.cast<Complex>() / mode.p, border_.ofForce[k]);
}

/// Corrections of all stages, mode by mode.
void GaussEngine::solveModes() {
  changes_.setZero();
  turns_.setZero();
  for (Mode& mode : modes_) {
    TreeSystemOf<Complex>& system = mode.system;
    system.clearRight();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      Vector6 real = Vector6::Zero(), imaginary = real;
      for (int i = 0; i < stages_; ++i) {
        const auto left = residuals_.col(i).segment<6>(6 * static_cast<int>(b));
        real -= mode.row[i].real() * left;
        imaginary -= mode.row[i].imag() * left;
      }
      auto& f = nodeOf(mode, static_cast<int>(b)).f;
      f.real() = real;
      f.imag() = imaginary;
    }
    const auto share = [&](const StageRows& numbers, Eigen::Index row) {
      Complex sum = 0.0;
      for (int i = 0; i < stages_; ++i) sum += mode.row[i] * numbers(row, i);
      return sum;
    };
    for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
      const MechanismJoint& joint = mechanism_.joints()[j];
      const int child = border_.childOf(mechanism_, j);
      for (int row = 0; row < joint.rows(); ++row) {
        const Complex right = -share(residuals_, firstMultiplier() + joint.firstRow + row);
        if (child >= 0) {
          nodeOf(mode, child).g[row] = right;
          continue;
        }
        const int unknown = system.firstUnknown(border_.ofJoint[j]) + row;
        system.border().right(unknown) = right;
        system.border().present(unknown) = share(multipliers_, joint.firstRow + row);
      }
    }
    system.solve();

    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const auto& y = nodeOf(mode, static_cast<int>(b)).z;
      const Eigen::Matrix<Complex, 3, 1> turn = y.tail<3>() / mode.p;
      const Vector6 real = mode.share * y.real(), imaginary = mode.share * y.imag();
      const Vector3 turnReal = mode.share * turn.real(), turnImaginary = mode.share * turn.imag();
      for (int i = 0; i < stages_; ++i) {
        const double c = mode.column[i].real(), s = mode.column[i].imag();
        changes_.col(i).segment<6>(6 * static_cast<int>(b)) += c * real - s * imaginary;
        turns_.col(i).segment<3>(3 * static_cast<int>(b)) += c * turnReal - s * turnImaginary;
      }
    }
    for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
      const MechanismJoint& joint = mechanism_.joints()[j];
      const int child = border_.childOf(mechanism_, j);
      for (int row = 0; row < joint.rows(); ++row) {
        const Complex value =
            mode.share * (child >= 0 ? nodeOf(mode, child).l[row]
                                     : system.border().solution(system.firstUnknown(border_.ofJoint[j]) + row));
        for (int i = 0; i < stages_; ++i)
          changes_(firstMultiplier() + joint.firstRow + row, i) +=
              mode.column[i].real() * value.real() - mode.column[i].imag() * value.imag();
      }
    }
  }
  for (int i = stages_; i < most; ++i) {
    changes_.col(i) = changes_.col(stages_ - 1);
    turns_.col(i) = turns_.col(stages_ - 1);
  }
}

}  // namespace polhode
