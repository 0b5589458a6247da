#include "system/mechanism_system.h"

#include "polhode/error.h"
#include "system/body_chart.h"
#include "system/idle_turns.h"
#include "system/joint_row.h"

#include <fmt/format.h>

namespace polhode {

namespace {

template <class Chart>
class ChartedMechanism final : public MechanismSystem {
 public:
  explicit ChartedMechanism(std::shared_ptr<const Mechanism> mechanism)
      : MechanismSystem(std::move(mechanism)),
        bodies_(static_cast<int>(mechanism_->bodies().size())),
        idle_(idleTurnInertia(*mechanism_)) {}

  std::string name() const override { return fmt::format("mechanism in {} coordinates", Chart::name); }
  int coordinates() const override { return perBody * bodies_; }
  int constraints() const override { return mechanism_->rows() + Chart::Rows * bodies_; }

  void mass(const VectorX& q, MatrixX& M) const override {
    M.setZero();
    for (int i = 0; i < bodies_; ++i) {
      const MechanismBody& b = body(i);
      const Rotation r = rotation(q, i);
      M.template block<3, 3>(at(i), at(i)).diagonal().setConstant(b.mass);
      auto block = M.template block<Chart::Size, Chart::Size>(at(i) + 3, at(i) + 3);
      block = Chart::mass(r, b);
      if (const Matrix3& idle = idle_[static_cast<std::size_t>(i)]; !idle.isZero(0.0)) {
        const Eigen::Matrix<double, 3, Chart::Size> toOmega = angularVelocityMatrix(r);
        block += toOmega.transpose() * idle * toOmega;
      }
    }
  }

  double potential(double, const VectorX& q) const override {
    double energy = 0.0;
    for (int i = 0; i < bodies_; ++i) energy -= body(i).mass * mechanism_->gravity().dot(q.segment<3>(at(i)));
    for (const auto& force : mechanism_->forces())
      energy += force->potential(placement(q, force->first()), placement(q, force->second()));
    return energy;
  }

  void forces(double t, const VectorX& q, const VectorX& v, VectorX& psi) const override {
    for (int i = 0; i < bodies_; ++i) {
      psi.segment<3>(at(i)) = body(i).mass * mechanism_->gravity();
      psi.segment<Chart::Size>(at(i) + 3) = Chart::skewTerm(rotation(q, i), rotation(v, i), body(i));
    }
    for (const auto& force : mechanism_->forces()) {
      const int first = force->first(), second = force->second();
      const ElementWrenches wrenches = force->wrenches(t, moving(q, v, first), moving(q, v, second));
      addWrench(q, first, wrenches.first, psi);
      addWrench(q, second, wrenches.second, psi);
    }
  }

  void constraintAt(double t, const VectorX& q, VectorX& g) const override {
    forEachRow(*mechanism_, [&](const JointRow& row) { g[row.number()] = row.gap(t, placements(q)); });
    for (int i = 0; i < bodies_; ++i) g.segment<Chart::Rows>(ownRow(i)) = Chart::constraint(rotation(q, i));
  }

  void constraintJacobianAt(double t, const VectorX& q, MatrixX& G) const override {
    G.setZero();
    forEachRow(*mechanism_, [&](const JointRow& row) {
      row.visitGradient(t, placements(q),
                        [&](int i, const EndGradient& end) { addGradient(q, row.number(), i, end, G); });
    });
    for (int i = 0; i < bodies_; ++i)
      G.template block<Chart::Rows, Chart::Size>(ownRow(i), at(i) + 3) = Chart::constraintJacobian(rotation(q, i));
  }

  void constraintRateAt(double t, const VectorX& q, VectorX& gt) const override {
    gt.setZero();
    if (!mechanism_->isDriven()) return;
    forEachRow(*mechanism_, [&](const JointRow& row) { gt[row.number()] = row.drivenRate(t, placements(q)); });
  }

  void constraintAccelerationAt(double t, const VectorX& q, const VectorX& v, VectorX& gII) const override {
    const auto motions = [&](int i) { return moving(q, v, i); };
    forEachRow(*mechanism_, [&](const JointRow& row) {
      double& sum = gII[row.number()];
      sum = row.curvature(t, motions);
      row.visitGradient(t, motions, [&](int i, const EndGradient& end) { sum += end.along(curvature(v, i)); });
    });
    for (int i = 0; i < bodies_; ++i)
      gII.segment<Chart::Rows>(ownRow(i)) = Chart::constraintAcceleration(rotation(v, i));
  }

  VectorX position(const MechanismMotion& motion) const override {
    VectorX q(coordinates());
    for (int i = 0; i < bodies_; ++i) {
      const Placement& p = motion[static_cast<std::size_t>(i)].at;
      q.segment<perBody>(at(i)) << p.x, Chart::fromDirectors(p.D);
    }
    return q;
  }

  VectorX velocity(const VectorX& q, const MechanismMotion& motion) const override {
    VectorX v(coordinates());
    for (int i = 0; i < bodies_; ++i) {
      const MovingPlacement& m = motion[static_cast<std::size_t>(i)];
      const Vector3 Omega = angularVelocity(body(i), m);
      v.segment<perBody>(at(i)) << m.rate.v, Chart::rate(rotation(q, i), Omega);
    }
    return v;
  }

  MechanismMotion motion(const VectorX& q, const VectorX& v) const override {
    MechanismMotion motion;
    motion.reserve(static_cast<std::size_t>(bodies_));
    for (int i = 0; i < bodies_; ++i) motion.push_back(moving(q, v, i));
    return motion;
  }

  std::string rowOwner(int row) const override {
    if (row >= mechanism_->rows()) return fmt::format("body '{}'", body((row - mechanism_->rows()) / Chart::Rows).name);
    for (const MechanismJoint& joint : mechanism_->joints())
      if (row < joint.firstRow + joint.rows()) return fmt::format("joint '{}'", joint.name);
    return {};
  }

 private:
  using Rotation = typename Chart::Coordinates;
  static constexpr int perBody = 3 + Chart::Size;

  static int at(int i) { return perBody * i; }
  int ownRow(int i) const { return mechanism_->rows() + Chart::Rows * i; }
  const MechanismBody& body(int i) const { return mechanism_->bodies()[static_cast<std::size_t>(i)]; }
  static Rotation rotation(const VectorX& q, int i) { return q.segment<Chart::Size>(at(i) + 3); }

  static Placement placement(const VectorX& q, int i) {
    if (i == groundIndex) return {};
    return {q.segment<3>(at(i)), Chart::directors(rotation(q, i))};
  }
  static auto placements(const VectorX& q) {
    return [&q](int i) { return MovingPlacement{placement(q, i), {}}; };
  }
  static MovingPlacement moving(const VectorX& q, const VectorX& v, int i) {
    if (i == groundIndex) return {};
    return {placement(q, i), {v.segment<3>(at(i)), Chart::directorsRate(rotation(q, i), rotation(v, i))}};
  }
  /// The part of (x'', D'') that v' has no share in.
  static PlacementRate curvature(const VectorX& v, int i) {
    if (i == groundIndex) return {};
    return {Vector3::Zero(), Chart::directorsCurvature(rotation(v, i))};
  }
  /// Omega = this matrix times r'.
  static Eigen::Matrix<double, 3, Chart::Size> angularVelocityMatrix(const Rotation& r) {
    Eigen::Matrix<double, 3, Chart::Size> columns;
    for (int k = 0; k < Chart::Size; ++k) columns.col(k) = Chart::angularVelocity(r, Rotation::Unit(k));
    return columns;
  }

  static void addGradient(const VectorX& q, int row, int i, const EndGradient& gradient, MatrixX& G) {
    G.block<1, 3>(row, at(i)) += gradient.onPosition.transpose();
    const Matrix3 onDirectors = gradient.onDirectors * gradient.arm.transpose();
    G.block<1, Chart::Size>(row, at(i) + 3) += Chart::pullBack(rotation(q, i), onDirectors).transpose();
  }
  static void addWrench(const VectorX& q, int i, const Wrench& wrench, VectorX& psi) {
    if (i == groundIndex) return;
    const Rotation r = rotation(q, i);
    psi.segment<3>(at(i)) += wrench.force;
    psi.segment<Chart::Size>(at(i) + 3) += Chart::pullBack(r, 0.5 * hat(wrench.torque) * Chart::directors(r));
  }

  int bodies_;
  std::vector<Matrix3> idle_;  // inertia of turns that nothing resists
};

}  // namespace

std::shared_ptr<const MechanismSystem> makeMechanismSystem(std::shared_ptr<const Mechanism> mechanism,
                                                           const std::string& coordinates) {
  if (coordinates == QuaternionChart::name)
    return std::make_shared<ChartedMechanism<QuaternionChart>>(std::move(mechanism));
  if (coordinates == DirectorChart::name)
    return std::make_shared<ChartedMechanism<DirectorChart>>(std::move(mechanism));
  throw InputError(
      fmt::format("a mechanism with multipliers has coordinates 'quaternion' or 'director', not '{}'; choose one of "
                  "these, or formulation 'null-space'",
                  coordinates));
}

}  // namespace polhode
