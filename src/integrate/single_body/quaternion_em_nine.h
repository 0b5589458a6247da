#pragma once

#include "integrate/single_body/quaternion_em.h"

/// Quaternion-EM (EMH) as printed: nine equations (51) in q1, p1 and lambda.
///
/// With o = J4^-1 (pi0 + pi1)/2, pi = conj(q) o p and J4 = diag(tr(J)/2, J):
///
///     (51)  q1 - q0 - h/4 q_mid o o = 0
///           p1 - p0 + h/4 p_mid o conj(o) + h grad V(q_mid) + h lambda q_mid = 0
///           (q1 . q1 - 1)/2 = 0
///
/// in the body axes at the start of the step, where q0 = (1, 0). quaternion_em.h is the same scheme in three
/// unknowns.
///
/// From the guess q1 = q0 Newton's method wanders for a fast top (h |Omega| > 1) and is given up; from
/// q0 + h v0, the default, it converges in a few iterations.
///
/// Reference: Betsch & Siebert 2009, (51), appendix D; Kinon & Betsch 2024, (146) and footnote 5.
namespace polhode::single_body {

/// Where Newton's method starts.
enum class Guess { velocity, rest };  // q1 = q0 + h v0, q1 = q0

class QuaternionEmNine : public QuaternionEm {
 public:
  static constexpr std::string_view name = "quaternion-em-nine";

  explicit QuaternionEmNine(const TopData& top, Guess guess = Guess::velocity) : QuaternionEm(top), guess_(guess) {
    inverseInertia_ << 2.0 / top.inertia.sum(), top.inertia.cwiseInverse();
  }

  StepReport step(State& s, double h) const {
    using Unknowns = Vector<double, 9>;  // q1 - q0, p1, lambda
    const Vector3 gamma = top_.gravityInBody(s.q);
    const Eigen::Matrix4d H = TopData{top_.inertia, top_.moment, gamma}.potentialHessian();
    const Quaternion p0 = pureQuaternion(Vector3(2.0 * top_.inertia.cwiseProduct(s.Omega)));
    const Quaternion dq0 = pureQuaternion(Vector3(0.5 * h * s.Omega));

    Unknowns z;
    z.setZero();
    if (guess_ == Guess::velocity) z.head<4>() = dq0;
    z.segment<4>(4) = p0;
    const double size = 0.5 * predictAngle(top_, s.Omega, gamma, h).size;
    const StepReport report = newton<9>(
        z, [&](const Unknowns& at, Unknowns& f, Eigen::Matrix<double, 9, 9>& K) { linearise(at, p0, H, h, f, K); },
        [&](const Unknowns& dz) { return relativeTo(size, z.head<4>().norm(), dz.head<4>().norm()); });
    if (report.converged) {
      const Quaternion dq = z.head<4>();
      const Vector3 x = vectorPart(dq) / (2.0 + dq[0]);
      finish(s, x, h * torque(x, gamma).value);
    }
    return report;
  }

 private:
  void linearise(const Vector<double, 9>& z, const Quaternion& p0, const Eigen::Matrix4d& H, double h,
                 Vector<double, 9>& f, Eigen::Matrix<double, 9, 9>& K) const {
    const Quaternion one(1.0, 0.0, 0.0, 0.0), signs(1.0, -1.0, -1.0, -1.0);  // signs: conjugation
    const Quaternion dq = z.head<4>(), p1 = z.segment<4>(4);
    const Quaternion q1 = one + dq, qMid = one + 0.5 * dq, pMid = 0.5 * (p0 + p1);
    const double lambda = z[8];

    const Quaternion o = 0.5 * inverseInertia_.cwiseProduct(p0 + multiply(conjugate(q1), p1));
    const Eigen::Matrix4d oByP = (0.5 * inverseInertia_).asDiagonal() * leftMatrix(q1).transpose();
    const Eigen::Matrix4d oByQ = (0.5 * inverseInertia_).asDiagonal() * rightMatrix(p1) * signs.asDiagonal();

    f.head<4>() = dq - 0.25 * h * multiply(qMid, o);
    f.segment<4>(4) = p1 - p0 + 0.25 * h * multiply(pMid, conjugate(o)) + h * (H * qMid) + h * lambda * qMid;
    f[8] = dq.dot(qMid);

    K.setZero();
    const Eigen::Matrix4d left = 0.25 * h * leftMatrix(qMid);
    const Eigen::Matrix4d leftP = 0.25 * h * leftMatrix(pMid) * signs.asDiagonal();
    K.block<4, 4>(0, 0) = -0.125 * h * rightMatrix(o) - left * oByQ;
    K.block<4, 4>(0, 4) = -left * oByP;
    K.block<4, 4>(4, 0) = leftP * oByQ + 0.5 * h * H;
    K.block<4, 4>(4, 0).diagonal().array() += 0.5 * h * lambda;
    K.block<4, 4>(4, 4) = 0.125 * h * rightMatrix(conjugate(o)) + leftP * oByP;
    K.block<8, 8>(0, 0).diagonal().array() += 1.0;
    K.block<4, 1>(4, 8) = h * qMid;
    K.block<1, 4>(8, 0) = q1.transpose();
  }

  Guess guess_;
  Quaternion inverseInertia_;  // the diagonal of J4^-1
};

}  // namespace polhode::single_body
