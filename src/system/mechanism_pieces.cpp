#include "polhode/system/mechanism_pieces.h"

namespace polhode {

std::vector<Signal> signalsOf(const Mechanism& mechanism) {
  std::vector<Signal> signals;
  const auto add = [&](const Signal& signal) {
    if (!signal.isConstant()) signals.push_back(signal);
  };
  for (const MechanismJoint& joint : mechanism.joints())
    for (const JointEquation& equation : joint.equations)
      if (equation.drive) add(equation.drive->signal);
  for (const auto& force : mechanism.forces())
    for (const Signal& signal : force->signals()) add(signal);
  return signals;
}

std::vector<SmoothPiece> smoothPieces(const Mechanism& mechanism, double from, double to) {
  return smoothPieces(signalsOf(mechanism), from, to);
}

}  // namespace polhode
