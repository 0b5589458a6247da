#include "ensemble/gpu/walk_tree.h"

#include "polhode/error.h"
#include "system/forces/coordinate_force.h"
#include "system/forces/load.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include <fmt/format.h>

namespace polhode::ensemble {
namespace {

/// Bodies that move as one, as the mechanism places them at its start.
struct Cluster {
  std::vector<std::size_t> bodies;
  Placement placement;
  double mass = 0.0;
  Vector3 secondMoments = Vector3::Zero();
};

/// The mass and the second moments of all bodies of a cluster, and where these have no mixed moments.
void sumUp(const Mechanism& mechanism, Cluster& cluster) {
  const MechanismBody& first = mechanism.bodies()[cluster.bodies.front()];
  cluster.placement = first.placement;
  cluster.mass = first.mass;
  cluster.secondMoments = first.secondMoments;
  if (cluster.bodies.size() == 1) return;
  Vector3 centre = Vector3::Zero();
  cluster.mass = 0.0;
  for (const std::size_t b : cluster.bodies) {
    const MechanismBody& body = mechanism.bodies()[b];
    cluster.mass += body.mass, centre += body.mass * body.placement.x;
  }
  centre /= cluster.mass;
  Matrix3 moments = Matrix3::Zero();
  for (const std::size_t b : cluster.bodies) {
    const MechanismBody& body = mechanism.bodies()[b];
    const Vector3 arm = body.placement.x - centre;
    moments += body.placement.D * body.secondMoments.asDiagonal() * body.placement.D.transpose() +
               body.mass * arm * arm.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3> principal(moments);
  Matrix3 axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  cluster.placement = {centre, axes};
  cluster.secondMoments = principal.eigenvalues();
}

class TreeOfWalk {
 public:
  explicit TreeOfWalk(const Mechanism& mechanism) : mechanism_(mechanism) {}

  WalkTree make() {
    tree_.gravity = mechanism_.gravity();
    requireTree();
    gather();
    for (const int root : roots_) addLink(static_cast<std::size_t>(root));
    addForces();
    return std::move(tree_);
  }

 private:
  const MechanismJoint& jointOf(std::size_t body) const {
    return mechanism_.joints()[static_cast<std::size_t>(mechanism_.topology().parentJoint[body])];
  }
  const std::string& nameOf(int body) const {
    static const std::string ground = "ground";
    return body < 0 ? ground : mechanism_.bodies()[static_cast<std::size_t>(body)].name;
  }

  void requireTree() const {
    const Topology& topology = mechanism_.topology();
    if (mechanism_.bodies().empty()) throw InputError("the model has no bodies");
    if (!topology.cutJoints.empty())
      throw InputError(fmt::format(
          "the model: joint '{}' closes a loop or follows a signal, and the GPU takes trees that nothing leads",
          mechanism_.joints()[static_cast<std::size_t>(topology.cutJoints.front())].name));
    for (std::size_t b = 0; b < mechanism_.bodies().size(); ++b) {
      if (topology.parentJoint[b] < 0)
        throw InputError(fmt::format("the model: body '{}' is free, and the GPU takes trees that hang on the ground",
                                     nameOf(static_cast<int>(b))));
      const MechanismJoint& joint = jointOf(b);
      if (joint.drives || joint.coupling || joint.own || !isTaken(joint))
        throw InputError(fmt::format(
            "the model: joint '{}' is of type {}, and the GPU takes spherical, revolute, prismatic and fixed ones",
            joint.name, joint.type ? joint.type->name : "of its own"));
    }
    if (mechanism_.joints().size() > mechanism_.bodies().size())
      throw InputError("the model has joints that are led or coupled, and the GPU takes trees that nothing leads");
  }
  static bool isTaken(const MechanismJoint& joint) {
    for (const char* name : {"spherical", "revolute", "prismatic", "fixed"})
      if (joint.type == findJointType(name)) return true;
    return false;
  }

  /// Who is fixed to whom, and where all bodies are in what they are fixed together to.
  void gather() {
    const Topology& topology = mechanism_.topology();
    const JointType* const fixed = findJointType("fixed");
    tree_.bodies.resize(mechanism_.bodies().size());
    for (const int b : topology.order) {
      const auto body = static_cast<std::size_t>(b);
      int link = static_cast<int>(clusters_.size());
      if (jointOf(body).type == fixed) {
        const int parent = topology.parent[body];
        link = parent < 0 ? -1 : tree_.bodies[static_cast<std::size_t>(parent)].link;
      } else {
        clusters_.emplace_back();
        roots_.push_back(b);
      }
      tree_.bodies[body].link = link;
      if (link >= 0) clusters_[static_cast<std::size_t>(link)].bodies.push_back(body);
    }
    for (Cluster& cluster : clusters_) {
      sumUp(mechanism_, cluster);
      tree_.bodyOf.push_back(cluster.bodies.front());
    }
    for (std::size_t b = 0; b < tree_.bodies.size(); ++b) {
      WalkBody& body = tree_.bodies[b];
      if (body.link >= 0 && clusters_[static_cast<std::size_t>(body.link)].bodies.size() == 1) continue;
      const Placement& whole = placementOf(body.link);
      const Placement& own = mechanism_.bodies()[b].placement;
      body.centre = whole.D.transpose() * (own.x - whole.x);
      body.axes = whole.D.transpose() * own.D;
    }
  }
  const Placement& placementOf(int link) const {
    static const Placement ground;
    return link < 0 ? ground : clusters_[static_cast<std::size_t>(link)].placement;
  }

  int linkOf(int body) const { return body < 0 ? -1 : tree_.bodies[static_cast<std::size_t>(body)].link; }
  Vector3 pointIn(int body, const Vector3& point) const {
    if (body < 0) return point;
    const WalkBody& at = tree_.bodies[static_cast<std::size_t>(body)];
    return at.centre + at.axes * point;
  }
  Vector3 directionIn(int body, const Vector3& direction) const {
    return body < 0 ? direction : Vector3(tree_.bodies[static_cast<std::size_t>(body)].axes * direction);
  }

  void addLink(std::size_t body) {
    const MechanismJoint& joint = jointOf(body);
    const int b = static_cast<int>(body), parent = mechanism_.topology().parent[body];
    const bool second = joint.second == b;
    const JointGeometry& g = joint.geometry;
    const Cluster& cluster = clusters_[tree_.links.size()];
    WalkLink& link = tree_.links.emplace_back();
    link.parent = linkOf(parent);
    link.isHinge = joint.type == findJointType("revolute");
    link.isSlide = joint.type == findJointType("prismatic");
    link.bodyCarriesAxis = link.isHinge && second;
    const Vector3 inertia = Vector3::Constant(cluster.secondMoments.sum()) - cluster.secondMoments;
    if (!link.isSlide && !link.isHinge && !(inertia.minCoeff() > 1e-9 * inertia.maxCoeff()))
      throw InputError(fmt::format(
          "the model: body '{}' turns about one of its axes without inertia, which the GPU does not take; give it some",
          nameOf(b)));

    Vector3 axis = Vector3::Zero(), normal[2] = {axis, axis};
    if (link.isHinge) {  // the second body carries the axis: joints/parts.h, align
      axis = directionIn(joint.second, joint.equations[3].form.b);
      for (std::size_t k = 0; k < 2; ++k) normal[k] = directionIn(joint.first, joint.equations[3 + k].form.a);
    } else if (link.isSlide) {  // the first body does; both turn alike
      const Matrix3 axes =
          second
              ? Matrix3(inLink(parent, g.first.axes))
              : Matrix3(placementOf(link.parent).D.transpose() * mechanism_.bodies()[body].placement.D * g.first.axes);
      axis = second ? Vector3(axes.col(2)) : Vector3(-axes.col(2));
      for (int k = 0; k < 2; ++k) normal[k] = axes.col(k);
    }
    add(pointIn(b, second ? g.second.point : g.first.point));
    add(pointIn(parent, second ? g.first.point : g.second.point));
    add(cluster.secondMoments);
    tree_.numbers.push_back(cluster.mass);
    add(axis), add(normal[0]), add(normal[1]);
  }
  Matrix3 inLink(int body, const Matrix3& axes) const {
    return body < 0 ? axes : Matrix3(tree_.bodies[static_cast<std::size_t>(body)].axes * axes);
  }
  void add(const Vector3& v) { tree_.numbers.insert(tree_.numbers.end(), v.begin(), v.end()); }

  /// Forces of a body stand beside each other.
  struct Placed {
    int link;
    WalkForce force;
    std::vector<double> numbers = std::vector<double>(of_force::count, 0.0);

    void put(int first, const Vector3& v) { std::copy(v.begin(), v.end(), numbers.begin() + first); }
  };

  void addForces() {
    for (const auto& force : mechanism_.forces()) {
      if (const auto* along = dynamic_cast<const CoordinateForce*>(force.get()))
        addAlong(*along);
      else if (const auto* load = dynamic_cast<const PointLoad*>(force.get()))
        addLoad(*load, WalkForceKind::load, load->force(), load->point());
      else if (const auto* torque = dynamic_cast<const TorqueLoad*>(force.get()))
        addLoad(*torque, WalkForceKind::torque, torque->torque(), Vector3::Zero());
      else
        refuse(*force, "is of a type that the GPU does not know; it takes springs, dampers, motors, loads and torques");
    }
    std::stable_sort(forces_.begin(), forces_.end(), [](const Placed& a, const Placed& b) { return a.link < b.link; });
    for (const Placed& each : forces_) {
      WalkLink& link = tree_.links[static_cast<std::size_t>(each.link)];
      if (link.forces++ == 0) link.firstForce = static_cast<int>(tree_.forces.size());
      tree_.forces.push_back(each.force);
      tree_.forceNumbers.insert(tree_.forceNumbers.end(), each.numbers.begin(), each.numbers.end());
    }
  }
  [[noreturn]] static void refuse(const ForceElement& force, const std::string& why) {
    throw InputError(fmt::format("the model: force '{}' {}", force.name(), why));
  }

  /// The place of a scale over time; a constant goes into `factor`.
  int scaleOf(const Signal& scale, double& factor) {
    if (scale.isConstant()) {
      factor *= scale.value(0.0);
      return -1;
    }
    tree_.scales.emplace_back([scale](double t) { return scale.value(t); });
    return static_cast<int>(tree_.scales.size()) - 1;
  }

  template <class Load>
  void addLoad(const Load& load, WalkForceKind kind, const VectorSignal& vector, const Vector3& point) {
    const int link = linkOf(load.second());
    if (link < 0) return;  // the ground does not care
    Placed& each = forces_.emplace_back(Placed{link, {}});
    each.force.kind = kind;
    each.force.inBody = load.inBody();
    each.put(of_force::b, pointIn(load.second(), point));
    if (vector[0].isConstant() && vector[1].isConstant() && vector[2].isConstant()) {
      double factor = 1.0;
      each.force.scale = scaleOf(load.scale(), factor);
      const Vector3 constant = factor * vector.value(0.0);
      each.put(of_force::a, load.inBody() ? directionIn(load.second(), constant) : constant);
      return;
    }
    each.force.overTime = true;
    each.force.scale = static_cast<int>(tree_.scales.size());
    const Matrix3 axes =
        load.inBody() ? tree_.bodies[static_cast<std::size_t>(load.second())].axes : Matrix3::Identity();
    for (int k = 0; k < 3; ++k)
      tree_.scales.emplace_back([vector, axes, k, scale = load.scale()](double t) {
        return axes.row(k).dot(scale.value(t) * vector.value(t));
      });
  }

  void addAlong(const CoordinateForce& force) {
    if (force.terms().size() != 1) refuse(force, "has several coordinates, and the GPU takes those along one");
    const CoordinateTerm& term = force.terms().front();
    if (term.law && !term.law->isLinear()) refuse(force, "has a law that is not linear, and the GPU takes stiffnesses");
    const int first = linkOf(force.first()), second = linkOf(force.second());
    if (first == second) return;  // between bodies that are one
    const bool secondHangs = second >= 0 && tree_.links[static_cast<std::size_t>(second)].parent == first;
    const bool firstHangs = first >= 0 && tree_.links[static_cast<std::size_t>(first)].parent == second;
    Placed each{secondHangs ? second : first, {}};
    double factor = term.effort;
    if (term.scale) each.force.scale = scaleOf(*term.scale, factor);
    each.numbers[of_force::stiffness] = term.law ? term.law->stiffness() : 0.0;
    each.numbers[of_force::rest] = term.rest;
    each.numbers[of_force::damping] = term.damping;
    each.numbers[of_force::effort] = term.scale ? factor : 0.0;
    const Form& form = term.coordinate.form();
    if (term.coordinate.kind() == ScalarCoordinate::Kind::length) {
      const Vector3 one = pointIn(force.first(), form.firstPoint), two = pointIn(force.second(), form.secondPoint);
      if (first < 0 || second < 0) {
        each.link = std::max(first, second);
        each.force.kind = WalkForceKind::toGround;
        each.put(of_force::a, first < 0 ? two : one);
        each.put(of_force::b, first < 0 ? one : two);
      } else {
        if (!secondHangs && !firstHangs)
          refuse(force,
                 fmt::format("is between bodies '{}' and '{}', of which none hangs on the other by a joint: the GPU "
                             "takes forces between neighbours and to the ground",
                             nameOf(force.first()), nameOf(force.second())));
        each.force.kind = WalkForceKind::across;
        each.put(of_force::a, Vector3((secondHangs ? two : one) - armOf(each.link, of_link::arm)));
        each.put(of_force::b, Vector3((secondHangs ? one : two) - armOf(each.link, of_link::parentArm)));
      }
    } else {
      alongJoint(force, term.coordinate, each, secondHangs);
    }
    forces_.push_back(each);
  }
  Vector3 armOf(int link, int k) const {
    const double* numbers = tree_.numbers.data() + link * of_link::count + k;
    return {numbers[0], numbers[1], numbers[2]};
  }

  void alongJoint(const CoordinateForce& force, const ScalarCoordinate& coordinate, Placed& each, bool secondHangs) {
    const WalkLink* link = each.link < 0 ? nullptr : &tree_.links[static_cast<std::size_t>(each.link)];
    const Form& form = coordinate.form();
    if (coordinate.kind() == ScalarCoordinate::Kind::angle && link && link->isHinge) {
      each.force.kind = WalkForceKind::angle;
      each.force.bodyIsSecond = secondHangs;
      each.put(of_force::a, directionIn(force.first(), coordinate.cosine().a));
      each.put(of_force::b, directionIn(force.first(), form.a));
      each.put(of_force::c, directionIn(force.second(), form.b));
      return;
    }
    if (coordinate.kind() == ScalarCoordinate::Kind::displacement && link && link->isSlide) {
      const std::size_t body = static_cast<std::size_t>(roots_[static_cast<std::size_t>(each.link)]);
      const JointGeometry& g = jointOf(body).geometry;
      if (form.a == g.first.axes.col(2) && form.firstPoint == g.first.point && form.secondPoint == g.second.point) {
        each.force.kind = WalkForceKind::displacement;
        return;
      }
    }
    refuse(force, "is along a coordinate that the GPU does not know; it takes those of hinges and slides");
  }

  const Mechanism& mechanism_;
  WalkTree tree_;
  std::vector<Cluster> clusters_;
  std::vector<int> roots_;  // of each cluster, the body that hangs on its parent
  std::vector<Placed> forces_;
};

}  // namespace

bool WalkTree::needsMore() const {
  return !forces.empty() || bodies.size() != links.size() ||
         std::any_of(links.begin(), links.end(), [](const WalkLink& link) { return link.isSlide; });
}

WalkTree walkTree(const Mechanism& mechanism) {
  return TreeOfWalk(mechanism).make();
}

bool goTogether(const WalkTree& a, const WalkTree& b, double end) {
  if (a.links != b.links || a.forces != b.forces || a.scales.size() != b.scales.size() ||
      a.bodies.size() != b.bodies.size())
    return false;
  for (std::size_t i = 0; i < a.bodies.size(); ++i)
    if (a.bodies[i].link != b.bodies[i].link) return false;
  constexpr int instants = 61;
  for (std::size_t k = 0; k < a.scales.size(); ++k)
    for (int i = 0; i <= instants; ++i)
      if (const double t = end * i / instants; a.scales[k](t) != b.scales[k](t)) return false;
  return true;
}

}  // namespace polhode::ensemble
