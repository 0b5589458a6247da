#include "system/break_times.h"

#include <algorithm>

namespace polhode {

std::vector<Signal> signalsOf(const Mechanism& mechanism) {
  std::vector<Signal> all;
  for (const MechanismJoint& joint : mechanism.joints())
    for (const JointEquation& equation : joint.equations)
      if (equation.drive) all.push_back(equation.drive->signal);
  for (const auto& force : mechanism.forces())
    for (const Signal& signal : force->signals()) all.push_back(signal);
  std::erase_if(all, [](const Signal& signal) { return signal.isConstant(); });
  return all;
}

std::vector<double> breakTimes(const Mechanism& mechanism, double end) {
  std::vector<double> times;
  for (const Signal& signal : signalsOf(mechanism))
    for (const SignalBreak& each : signal.breaks(0.0, end)) times.push_back(each.time);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace polhode
