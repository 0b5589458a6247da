#pragma once

#include "quaternion_coordinates.h"

/// How functions of the placements z = (x, phi(p)) of two bodies are taken to coordinates q: z is quadratic in q, so that
/// its second derivative is Dz at another place, without the translation.
namespace polhode::quaternion_coordinates {

/// A linear form on rates of a placement: x . v + D : W.
struct DirectorForce {
  Vector3 x = Vector3::Zero();
  Matrix3 D = Matrix3::Zero();

  void add(double factor, const EndGradient& gradient) {
    x += factor * gradient.onPosition;
    D += factor * gradient.onDirectors * gradient.arm.transpose();
  }
  double along(const PlacementRate& r) const { return x.dot(r.v) + D.cwiseProduct(r.W).sum(); }
};

/// The same on two bodies.
struct DirectorForces {
  int firstBody, secondBody;
  DirectorForce first, second;

  void add(double factor, const FormGradient& gradient) {
    first.add(factor, gradient.first);
    second.add(factor, gradient.second);
  }
};

/// Dz(q), or D2z[q, .].
class Differential {
 public:
  static Differential first(const VectorX& q) { return {q, true}; }
  static Differential second(const VectorX& q) { return {q, false}; }

  /// Times v: the rate (x', Dphi(p) p') of a placement.
  PlacementRate along(const VectorX& v, int body) const {
    if (body == groundIndex) return {};
    return {translates_ ? xOf(v, body) : Vector3(Vector3::Zero()),
            QuaternionChart::directorsRate(pOf(q_, body), pOf(v, body))};
  }

  /// What a form makes of that rate.
  double along(const VectorX& v, const DirectorForces& f) const {
    return f.first.along(along(v, f.firstBody)) + f.second.along(along(v, f.secondBody));
  }

  /// Adds its transpose times a form.
  template <class Target>
  void pullBack(const DirectorForces& f, double factor, Target&& target) const {
    pullBack(f.firstBody, f.first, factor, target);
    pullBack(f.secondBody, f.second, factor, target);
  }

  /// The first of a body's coordinates that it depends on.
  int firstCoordinate(int body) const { return translates_ ? atX(body) : atP(body); }

 private:
  Differential(const VectorX& q, bool translates) : q_(q), translates_(translates) {}

  template <class Target>
  void pullBack(int body, const DirectorForce& f, double factor, Target& target) const {
    if (body == groundIndex) return;
    if (translates_) target.template segment<3>(atX(body)) += factor * f.x;
    target.template segment<4>(atP(body)) += factor * QuaternionChart::pullBack(pOf(q_, body), f.D);
  }

  const VectorX& q_;
  bool translates_;
};

/// Adds D2z[., .]^T f, the part of a Hessian that the curvature of phi brings.
inline void addMapCurvature(const DirectorForces& f, double factor, MatrixX& K) {
  const auto add = [&](int body, const DirectorForce& force) {
    if (body == groundIndex) return;
    for (int k = 0; k < 4; ++k)
      K.block<4, 1>(atP(body), atP(body) + k) += factor * QuaternionChart::pullBack(Quaternion::Unit(k), force.D);
  };
  add(f.firstBody, f.first);
  add(f.secondBody, f.second);
}

}  // namespace polhode::quaternion_coordinates
