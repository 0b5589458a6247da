#include "polhode/system/break_times.h"

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

double nextBreak(const std::vector<double>& breaks, double t, double margin, double end) {
  const auto next = std::upper_bound(breaks.begin(), breaks.end(), t + margin);
  return next != breaks.end() && *next < end - margin ? *next : end;
}

bool breaksAt(const std::vector<double>& breaks, double t, double margin) {
  const auto next = std::lower_bound(breaks.begin(), breaks.end(), t - margin);
  return next != breaks.end() && *next <= t + margin;
}

}  // namespace polhode
