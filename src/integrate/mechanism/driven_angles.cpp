#include "integrate/mechanism/driven_angles.h"

namespace polhode {

DrivenAngles::DrivenAngles(const Mechanism& mechanism) : mechanism_(mechanism) {
  if (!mechanism.isDriven()) return;
  const Signal itself = Signal::function([](double s) { return s; }, [](double) { return 1.0; });
  const auto at = [&](int body) {
    return body < 0 ? Placement{} : mechanism.bodies()[static_cast<std::size_t>(body)].placement;
  };
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism.joints()[j];
    for (const JointEquation& equation : joint.equations) {
      if (!equation.drive || equation.drive->kind != DriveKind::angle) continue;
      JointEquation byAngle = equation;
      byAngle.drive = std::make_shared<const JointDrive>(JointDrive{DriveKind::angle, itself, equation.drive->axis});
      angles_.push_back({static_cast<int>(j), equation.drive->signal, std::move(byAngle)});
      angles_.back().sense = angles_.back().slope(0.0, at(joint.first), at(joint.second));
    }
  }
}

}  // namespace polhode
