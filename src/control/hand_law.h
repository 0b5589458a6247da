#pragma once

#include "control/hand.h"
#include "polhode/model/model.h"

namespace polhode {

/// How somebody pulls who takes hold of a body, in units that people understand.
struct HandLaw {
  std::string method = "receding-horizon";  // one of controlMethods()
  double timeConstant = 0.1;                // seconds
  double largestForce = 100.0;              // newtons
};

/// A hand that can lift the whole mechanism several times.
HandLaw lawFor(const Model& model);

/// The law of such a hand at a body with these principal moments of inertia, in a mechanism of that size (m): limited, passive (passive_law.h), and made
/// when it first pulls, since only then it is known how the point answers. A hand that holds also slows the turning of the
/// body, with the law's time constant for its largest moment of inertia: without this a slim rod that is held beside its
/// axis would spin ever faster. These laws are not saved. Throws InputError for an unknown method.
HandLaws lawsOf(const HandLaw& law, const Vector3& inertia, double size, double shareOfStep);

/// The same of a hand that turns a body and leaves its place alone: by at most the torque of the law's largest force on an arm as
/// long as the mechanism.
HandLaws lawsOfTurning(const HandLaw& law, double size, double shareOfStep);

/// The same of a hand at a coordinate of a joint, which turns (rad) or slides. An angle is led by at most the torque of the law's
/// largest force on an arm as long as the mechanism.
HandLaws lawsOfCoordinate(const HandLaw& law, bool turns, double size, double shareOfStep);

}  // namespace polhode
