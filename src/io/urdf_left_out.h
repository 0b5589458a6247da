#pragma once

#include <string>
#include <utility>
#include <vector>

#include <urdf_model/model.h>

namespace polhode {

/// Collects what of a URDF file is not simulated, by kind, in the order in which kinds appear.
class UrdfLeftOut {
 public:
  void add(const std::string& kind, const std::string& part, const std::string& name);

  /// What is not kept of a joint, or of a link whose shape is drawn or is not.
  void addJoint(const urdf::Joint& joint);
  void addLink(const urdf::Link& link, bool isDrawn);

  /// Elements of the robot that urdfdom passes over: transmissions, sensors, what belongs to Gazebo.
  void addElements(const std::string& text);

  /// "limits of 2 joints ('hip', 'knee')"; of many names the first ones.
  std::vector<std::string> sentences() const;

 private:
  struct Kind {
    std::string kind, part;
    std::vector<std::string> names;
  };
  std::vector<Kind> kinds_;
};

}  // namespace polhode
