#include "urdf_reader.h"

#include "math/euler_map.h"
#include "math/spurrier_klumpp.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "urdf_left_out.h"

#include <map>

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

namespace polhode {
namespace {

/// Where a frame stands in space.
struct Frame {
  Vector3 origin = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();

  Frame then(const urdf::Pose& pose) const {
    const Quaternion q(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z);
    const Vector3 p(pose.position.x, pose.position.y, pose.position.z);
    return {origin + axes * p, axes * rotationMatrix(Quaternion(q.normalized()))};
  }
};

/// The shape of a link that is drawn at its centre of mass and along the axes of its inertia.
std::optional<Shape> shapeOf(const urdf::Link& link) {
  if (!link.visual || !link.visual->geometry) return std::nullopt;
  const Frame drawn = Frame{}.then(link.visual->origin), inertial = Frame{}.then(link.inertial->origin);
  if ((drawn.origin - inertial.origin).norm() > 1e-9 || (drawn.axes - inertial.axes).norm() > 1e-9) return std::nullopt;
  const urdf::Geometry& geometry = *link.visual->geometry;
  const auto isSolid = [](double a, double b, double c) { return a > 0.0 && b > 0.0 && c > 0.0; };
  if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(&geometry); sphere && isSolid(sphere->radius, 1.0, 1.0))
    return Shape{"sphere", {sphere->radius}};
  if (const auto* box = dynamic_cast<const urdf::Box*>(&geometry); box && isSolid(box->dim.x, box->dim.y, box->dim.z))
    return Shape{"box", {box->dim.x, box->dim.y, box->dim.z}};
  if (const auto* rod = dynamic_cast<const urdf::Cylinder*>(&geometry); rod && isSolid(rod->radius, rod->length, 1.0))
    return Shape{"cylinder", {rod->radius, rod->length}};
  return std::nullopt;
}

/// Goes through the tree of links from its root, each link before those that it carries. Links that wait for their turn
/// stand in a list: a chain may be longer than calls can be nested.
class UrdfTree {
 public:
  UrdfTree(const urdf::ModelInterface& robot, std::string file) : robot_(robot), file_(std::move(file)) {
    model_.name = robot.getName();
    addChildren(*robot.getRoot(), "ground", {});
    while (!waiting_.empty()) {
      const Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      addLink(*next.link, *next.joint, next.parent, next.frame);
    }
  }

  Model take() { return std::move(model_); }
  UrdfLeftOut& leftOut() { return leftOut_; }

 private:
  /// A link, the joint by which a body carries it, and where it stands.
  struct Waiting {
    const urdf::Link* link;
    const urdf::Joint* joint;
    std::string parent;
    Frame frame;
  };

  void addChildren(const urdf::Link& link, const std::string& body, const Frame& frame) {
    const auto& joints = link.child_joints;
    for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint)  // the first is taken first
      if (const auto child = robot_.getLink((*joint)->child_link_name))
        waiting_.push_back({child.get(), joint->get(), body, frame.then((*joint)->parent_to_joint_origin_transform)});
  }

  /// A link hangs on one joint; what hangs on two may even carry itself, round and round.
  void addLink(const urdf::Link& link, const urdf::Joint& joint, const std::string& parent, const Frame& frame) {
    const auto [before, isNew] = carriers_.emplace(link.name, joint.name);
    if (!isNew)
      throw InputError(
          fmt::format("{}: link {} is the child of two joints, {} and {}; a URDF is a tree, give each link "
                      "one parent and close loops in a model file",
                      file_, quoted(link.name), polhode::quoted(before->second), quoted(joint.name)));
    const bool hasMass = link.inertial && link.inertial->mass > 0.0;
    const bool isPart = !hasMass && joint.type == urdf::Joint::FIXED;
    if (!isPart) {
      addBody(link, frame);
      addJoint(joint, parent, link.name, frame);
    }
    leftOut_.addJoint(joint);
    leftOut_.addLink(link, !isPart && model_.bodies.back().shape.has_value());
    addChildren(link, isPart ? parent : link.name, frame);
  }

  void addBody(const urdf::Link& link, const Frame& frame) {
    Body body;
    body.name = link.name;
    body.mass = 0.0;
    body.inertia.setZero();
    body.position = frame.origin;
    Matrix3 axes = frame.axes;
    if (link.inertial) {
      const urdf::Inertial& i = *link.inertial;
      const Frame inertial = frame.then(i.origin);
      body.mass = i.mass;
      body.inertia << i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz;
      body.position = inertial.origin;
      axes = inertial.axes;
      body.shape = shapeOf(link);
    }
    body.orientation = unitQuaternionFromRotation(axes);
    model_.bodies.push_back(body);
  }

  void addJoint(const urdf::Joint& joint, const std::string& parent, const std::string& child, const Frame& frame) {
    if (joint.type == urdf::Joint::FLOATING) return;
    Joint result{joint.name, typeOf(joint), parent, child, frame.origin};
    result.axis = frame.axes * Vector3(joint.axis.x, joint.axis.y, joint.axis.z);
    model_.joints.push_back(result);
    const bool turnsOrSlides = result.type == "revolute" || result.type == "prismatic";
    if (!turnsOrSlides || !joint.dynamics || joint.dynamics->damping == 0.0) return;
    Force damper{joint.name + " damping", "joint-damper"};
    damper.joint = joint.name;
    damper.damping = joint.dynamics->damping;
    model_.forces.push_back(damper);
  }

  std::string typeOf(const urdf::Joint& joint) const {
    switch (joint.type) {
      case urdf::Joint::REVOLUTE:
      case urdf::Joint::CONTINUOUS:
        return "revolute";
      case urdf::Joint::PRISMATIC:
        return "prismatic";
      case urdf::Joint::PLANAR:
        return "planar";
      case urdf::Joint::FIXED:
        return "fixed";
      default:
        break;
    }
    throw InputError(
        fmt::format("{}: joint {} has a type that is not known; use one of URDF's", file_, quoted(joint.name)));
  }

  const urdf::ModelInterface& robot_;
  std::string file_;
  Model model_;
  UrdfLeftOut leftOut_;
  std::vector<Waiting> waiting_;
  std::map<std::string, std::string> carriers_;  // of each link that was reached: the joint
};

/// Takes urdfdom's tree apart: each link holds its children, and a long chain would be destroyed by as many nested calls.
class RobotKeeper {
 public:
  explicit RobotKeeper(urdf::ModelInterfaceSharedPtr robot) : robot_(std::move(robot)) {}
  RobotKeeper(const RobotKeeper&) = delete;
  RobotKeeper& operator=(const RobotKeeper&) = delete;
  ~RobotKeeper() {
    if (!robot_) return;
    for (auto& [name, link] : robot_->links_) {
      link->child_links.clear();
      link->child_joints.clear();
    }
  }

 private:
  urdf::ModelInterfaceSharedPtr robot_;
};

}  // namespace

UrdfModel readUrdf(const std::string& text, const std::string& nameForErrors) {
  console_bridge::noOutputHandler();  // what urdfdom prints becomes one sentence
  const auto robot = urdf::parseURDF(text);
  console_bridge::restorePreviousOutputHandler();
  const RobotKeeper keeper(robot);
  if (!robot || !robot->getRoot())
    throw InputError(nameForErrors +
                     ": this is not a valid URDF file; check it with `check_urdf` of the package liburdfdom-tools");
  UrdfTree tree(*robot, nameForErrors);
  tree.leftOut().addElements(text);
  return {tree.take(), tree.leftOut().sentences()};
}

}  // namespace polhode
