#include "server/body_numbers.h"

#include "math/euler_angles.h"
#include "math/euler_map.h"
#include "math/rotation_maps.h"

#include <limits>

namespace polhode::live {

namespace {

double kineticEnergy(const Body& body) {
  return 0.5 *
         (body.mass * body.velocity.squaredNorm() + body.angularVelocity.dot(body.inertia * body.angularVelocity));
}

template <int i>
double rotationVector(const Body& body) {
  return logS3<double>(withPositiveScalar(body.orientation))[i];
}

template <int i>
double cardanAngle(const Body& body) {
  const Matrix3 R = rotationMatrix(body.orientation);
  const double cosine = std::hypot(R(0, 0), R(0, 1));  // of the second angle
  return cosine > gimbalLockTolerance ? Cardan::fromRotation(R)[i] : std::numeric_limits<double>::quiet_NaN();
}

constexpr BodyNumber all[] = {
    {"kinetic_energy", "", true, kineticEnergy},        {"rotation_vector", "x", false, rotationVector<0>},
    {"rotation_vector", "y", false, rotationVector<1>}, {"rotation_vector", "z", false, rotationVector<2>},
    {"cardan_angles", "x", false, cardanAngle<0>},      {"cardan_angles", "y", false, cardanAngle<1>},
    {"cardan_angles", "z", false, cardanAngle<2>},
};

}  // namespace

std::span<const BodyNumber> bodyNumbers() {
  return all;
}

}  // namespace polhode::live
