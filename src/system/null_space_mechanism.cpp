#include "system/null_space_mechanism.h"

#include "math/largest.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/coordinates.h"

#include <fmt/format.h>

namespace polhode {

void NullSpaceMechanism::derivative(double t, const VectorX& y, VectorX& dydt) const {
  readPositions(y);
  setAccelerations(t, y.data() + positions(), dydt.data() + positions());
  writePositionRates(y, dydt);
}

void NullSpaceMechanism::setAccelerations(double t, const double* nu, double* nudot) const {
  if (loops_.empty()) return tree_.accelerations(t, nu, nudot);
  tree_.placeJoints();
  tree_.reduceInertia(t);
  loops_.factorise(t);
  loops_.project(t, nu, nu_.data());
  tree_.setLoads(t);
  tree_.reduceLoads(u_.data());
  tree_.setAccelerations(u_.data(), nudot);
  loops_.closeAccelerations(t, u_.data(), nudot);
}

void NullSpaceMechanism::setVelocities(double t, const double* nu) const {
  tree_.placeJoints();
  if (loops_.empty()) return tree_.setVelocities(nu);
  tree_.reduceInertia(t);
  loops_.factorise(t);
  loops_.project(t, nu, nu_.data());
}

bool NullSpaceMechanism::project(double t, VectorX& y) const {
  if (!projection_) return false;
  VectorX q = y.head(positions());
  movePositions(q, origin_);
  projection_->projectPosition(t, q);
  movePositions(q, -origin_);
  y.head(positions()) = q;
  readPositions(y);
  setVelocities(t, y.data() + positions());
  if (!loops_.empty()) y.tail(rates()) = nu_;
  return true;
}

MechanismMotion NullSpaceMechanism::nodeMotion() const {
  MechanismMotion motion(mechanism().bodies().size());
  for (const ArticulatedBody& node : tree_.nodes()) motion[static_cast<std::size_t>(node.body)] = node.motion();
  return motion;
}

VectorX NullSpaceMechanism::pulls(double t, const VectorX& y) const {
  if (loops_.empty()) return VectorX::Zero(mechanism().rows());
  readPositions(y);
  setAccelerations(t, y.data() + positions(), nudot_.data());
  return loops_.multipliers();
}

namespace {

template <class Coordinates>
class CoordinatedMechanism final : public NullSpaceMechanism {
 public:
  explicit CoordinatedMechanism(std::shared_ptr<const Mechanism> mechanism)
      : NullSpaceMechanism(std::move(mechanism)) {}

  int positions() const override { return perBody * static_cast<int>(mechanism().bodies().size()); }

  VectorX stateOf(const MechanismMotion& motion) const override {
    VectorX y(size());
    for (std::size_t i = 0; i < motion.size(); ++i) {
      const Quaternion p = unitQuaternionFromRotation(motion[i].at.D);
      y.segment<perBody>(at(static_cast<int>(i))) << motion[i].at.x - origin_, Coordinates::fromQuaternion(p);
    }
    y.tail(rates()) = tree_.ratesOf(motion);
    return y;
  }

  MechanismMotion motionOf(double t, const VectorX& y) const override {
    readPositions(y);
    setVelocities(t, y.data() + positions());
    return nodeMotion();
  }

  double chartViolation(const VectorX& y) const override {
    double largest = 0.0;
    for (int i = 0; i < static_cast<int>(mechanism().bodies().size()); ++i)
      largest = largestOrNaN(largest, Coordinates::constraintViolation(rotation(y, i)));
    return largest;
  }

 protected:
  void readPositions(const VectorX& y) const override {
    for (ArticulatedBody& node : tree_.nodes()) {
      node.x = origin_ + y.segment<3>(at(node.body));
      node.D = Coordinates::directors(rotation(y, node.body));
    }
  }

  void movePositions(VectorX& y, const Vector3& by) const override {
    for (int i = 0; i < static_cast<int>(mechanism().bodies().size()); ++i) y.segment<3>(at(i)) += by;
  }

  void writePositionRates(const VectorX& y, VectorX& dydt) const override {
    for (const ArticulatedBody& node : tree_.nodes()) {
      dydt.segment<3>(at(node.body)) = node.v;
      const Rotation r = rotation(y, node.body);
      const Vector3 Omega = node.D.transpose() * node.w;
      dydt.segment<Coordinates::Size>(at(node.body) + 3) = Coordinates::rate(r, Omega);
    }
  }

 private:
  static constexpr int perBody = 3 + Coordinates::Size;
  using Rotation = Vector<double, Coordinates::Size>;

  static int at(int body) { return perBody * body; }
  static Rotation rotation(const VectorX& y, int body) { return y.segment<Coordinates::Size>(at(body) + 3); }
};

}  // namespace

std::unique_ptr<NullSpaceMechanism> makeNullSpaceMechanism(std::shared_ptr<const Mechanism> mechanism,
                                                           const std::string& coordinates) {
  std::unique_ptr<NullSpaceMechanism> made;
  const auto offer = [&]<class Coordinates>(Coordinates) {
    if (coordinates == Coordinates::name) made = std::make_unique<CoordinatedMechanism<Coordinates>>(mechanism);
  };
  offer(QuaternionCoordinates{});
  offer(DirectorCoordinates{});
  offer(Euler313Coordinates{});
  offer(CardanCoordinates{});
  if (!made) throw InputError(fmt::format("there are no coordinates {}", quoted(coordinates)));
  return made;
}

}  // namespace polhode
