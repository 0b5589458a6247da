#include "polhode/model/joint_type.h"
#include "polhode/model/model.h"

#include <algorithm>

namespace polhode {

namespace joints {
JointType spherical();
JointType revolute();
JointType prismatic();
JointType cylindrical();
JointType planar();
JointType universal();
JointType fixed();
JointType distance();
}  // namespace joints

const std::vector<JointType>& jointTypes() {
  using namespace joints;
  static const std::vector<JointType> all = {spherical(), revolute(),  prismatic(), cylindrical(),
                                             planar(),    universal(), fixed(),     distance()};
  return all;
}

const JointType* findJointType(const std::string& name) {
  const auto& all = jointTypes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const JointType& type) { return type.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const JointType* typeOf(const Joint& joint) {
  return joint.own ? joint.own.get() : findJointType(joint.type);
}

}  // namespace polhode
