#include "support/test_systems.h"

#include "system/user_system.h"

#include <cmath>

namespace polhode::test {
namespace {

class PlanarDoublePendulum : public UserSystem<PlanarDoublePendulum, 4, 2> {
 public:
  double mass1 = 1, mass2 = 2, length1 = 1, length2 = 0.8, gravity = 9.81;

  std::string name() const override { return "planar-double-pendulum"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {
    return Position<S>(mass1, mass1, mass2, mass2).asDiagonal();
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return gravity * (mass1 * q[1] + mass2 * q[3]);
  }
  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    const S dx = q[2] - q[0], dy = q[3] - q[1];
    return Gaps<S>(0.5 * (q[0] * q[0] + q[1] * q[1] - length1 * length1),
                   0.5 * (dx * dx + dy * dy - length2 * length2));
  }
};

class Everything : public UserSystem<Everything, 3, 1> {
 public:
  std::string name() const override { return "everything"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>& q) const {
    using std::cos, std::exp;
    Mass<S> A;
    A << 2.0 + q[0] * q[0], cos(q[1]), q[0] * q[2], S(0.0), 1.0 + 0.3 * q[2], exp(-q[0]), S(0.3), S(0.0), S(1.5);
    return A.transpose() * A;
  }
  template <class S>
  S potentialEnergy(double t, const Position<S>& q) const {
    using std::sin, std::sqrt;
    return (1.0 + 0.5 * t) * sin(q[0] * q[1]) + sqrt(1.0 + q.squaredNorm());
  }
  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    return Gaps<S>(q[0] * q[1] * q[2] + q[0] - q[2]);
  }
  template <class S>
  Position<S> externalForce(double t, const Position<S>& q, const Position<S>& v) const {
    return Position<S>(-0.2 * v[0] * v[0], t * q[1] - 0.1 * v[1], -0.3 * v[2] * q[0]);
  }
};

class DampedPendulum : public UserSystem<DampedPendulum, 2, 1> {
 public:
  std::string name() const override { return "damped-pendulum"; }
  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {
    return Mass<S>::Identity();
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return 9.81 * q[1];
  }
  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    return Gaps<S>(0.5 * (q.squaredNorm() - S(1.0)));
  }
  template <class S>
  Position<S> externalForce(double t, const Position<S>&, const Position<S>& v) const {
    return Position<S>(std::sin(3 * t) - 0.4 * v[0], -0.4 * v[1]);
  }
};

class Bounded : public UserSystem<Bounded, 1> {
 public:
  std::string name() const override { return "bounded"; }
  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {
    return Mass<S>::Identity();
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    using std::sqrt;
    return sqrt(1.0 - q[0]);
  }
};

class TwiceConstrained : public UserSystem<TwiceConstrained, 2, 2> {
 public:
  std::string name() const override { return "twice"; }
  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {
    return Mass<S>::Identity();
  }
  template <class S>
  S potentialEnergy(const Position<S>&) const {
    return S(0.0);
  }
  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    const S gap = q.squaredNorm() - S(1.0);
    return Gaps<S>(gap, 2.0 * gap);
  }
};

class Massless : public UserSystem<Massless, 2> {
 public:
  std::string name() const override { return "massless"; }
  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {
    return Position<S>(1.0, 0.0).asDiagonal();
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return q.squaredNorm();
  }
};

}  // namespace

std::unique_ptr<SmoothSystem> planarDoublePendulum(double gravity) {
  auto pendulum = std::make_unique<PlanarDoublePendulum>();
  pendulum->gravity = gravity;
  return pendulum;
}

VectorX doublePendulumState() {
  const double length1 = 1, length2 = 0.8;
  const double a = 1.0, b = 2.2, aRate = 1.5, bRate = -0.7;
  VectorX state(8);
  state << length1 * std::sin(a), -length1 * std::cos(a), 0, 0, length1 * std::cos(a) * aRate,
      length1 * std::sin(a) * aRate, 0, 0;
  state.segment<2>(2) = state.head<2>() + length2 * Eigen::Vector2d(std::sin(b), -std::cos(b));
  state.segment<2>(6) = state.segment<2>(4) + length2 * bRate * Eigen::Vector2d(std::cos(b), std::sin(b));
  return state;
}

std::unique_ptr<SmoothSystem> everything() {
  return std::make_unique<Everything>();
}
std::unique_ptr<SmoothSystem> dampedPendulum() {
  return std::make_unique<DampedPendulum>();
}
std::unique_ptr<SmoothSystem> boundedParticle() {
  return std::make_unique<Bounded>();
}
std::unique_ptr<SmoothSystem> twiceConstrained() {
  return std::make_unique<TwiceConstrained>();
}
std::unique_ptr<SmoothSystem> massless() {
  return std::make_unique<Massless>();
}

}  // namespace polhode::test
