#include "support/quaternion_top.h"

#include "system/user_system.h"

namespace polhode::test {
namespace {

/// The cone of Kinon & Betsch 5.4 with the inertia about the tip (the printed (114) has the axes swapped).
class QuaternionTop : public UserSystem<QuaternionTop, 4, 1> {
 public:
  double inertia1 = 0.00450622196249285967642, inertia3 = 0.0005301437602932776089906;
  double weightMoment = 0.5200710288477053344198;

  std::string name() const override { return "quaternion-top"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>& q) const {
    const Eigen::Matrix<S, 3, 4> G = bodyMatrix(q);
    const Vector<S, 3> J(inertia1, inertia1, inertia3);
    return S(4.0) * (G.transpose() * J.asDiagonal() * G);
  }

  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return weightMoment * (q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]);
  }

  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    return Gaps<S>(0.5 * (q.squaredNorm() - S(1.0)));
  }
};

class InvariantTop : public UserSystem<InvariantTop, 4, 1> {
 public:
  QuaternionTop top;

  std::string name() const override { return "invariant-top"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>& q) const {
    return top.massMatrix(q);
  }
  template <class S>
  S kineticEnergy(const Position<S>& q, const Position<S>& v) const {
    const Vector<S, 3> Omega = S(2.0) * (bodyMatrix(q) * v);
    return 0.5 * (top.inertia1 * (Omega[0] * Omega[0] + Omega[1] * Omega[1]) + top.inertia3 * Omega[2] * Omega[2]);
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return top.potentialEnergy(q);
  }
  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    return top.constraintValues(q);
  }
};

}  // namespace

std::unique_ptr<SmoothSystem> quaternionTop() {
  return std::make_unique<QuaternionTop>();
}
std::unique_ptr<SmoothSystem> invariantTop() {
  return std::make_unique<InvariantTop>();
}

}  // namespace polhode::test
