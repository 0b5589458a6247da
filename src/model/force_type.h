#pragma once

#include "model/problem.h"
#include "model/rigid_motions.h"
#include "polhode/model/force.h"
#include "polhode/model/placement.h"

#include <array>
#include <functional>
#include <variant>
#include <vector>

/// The kinds of forces. Each is one file in src/system/forces and one line in src/system/force_types.cpp, and owns all that
/// is to be said of it: its keys in model files, what is wrong with its numbers, what it conserves, and the element that
/// acts. Nothing else asks of which type a force is.
namespace polhode {

class ForceElement;
class ForceSite;

// What the value of a key is, besides a number, a text, true or false, a vector, a law, a signal, or the axes of an orientation.
using TwoNames = std::array<std::string, 2>;
using TwoPoints = std::array<Vector3, 2>;
struct OneOrThree {  // three numbers, or one that stands for all
  Vector3 value;
};
struct RestOrInitial {  // a number or "initial"
  double value;
};
struct DirectedVector {  // [..] in space, { body = [..] } in the body's axes
  Vector3 value;
  bool inBody;
};

template <class Value>
using ForceSetter = void (*)(Force& force, const Value& value);

/// A key of a model file, what its value means to the force, and what to write where it is missing; one without an example
/// may be missing, and a stiffness where there is a law.
struct ForceKey {
  std::string name;
  std::variant<ForceSetter<double>, ForceSetter<std::string>, ForceSetter<Vector3>, ForceSetter<ForceLaw>,
               ForceSetter<Signal>, ForceSetter<Matrix3>, ForceSetter<TwoNames>, ForceSetter<TwoPoints>,
               ForceSetter<OneOrThree>, ForceSetter<RestOrInitial>, ForceSetter<DirectedVector>, ForceSetter<bool>>
      set;
  std::string example = "";
};

/// Between what a force acts: two bodies; the bodies of a joint, along a coordinate of it; the ground and its second body;
/// or what only its element knows.
enum class ActsOn { twoBodies, joint, body, unknown };

struct ForceType {
  std::string name;
  std::string summary;  // one sentence for `polhode list forces`
  ActsOn actsOn;
  std::vector<ForceKey> keys;

  /// The element that acts.
  std::function<std::shared_ptr<const ForceElement>(const Force& force, const ForceSite& site)> make;

  /// Which rigid motions it does not notice where it acts from the ground (conservation.h); none if it does not say.
  std::function<RigidMotions(const Force& force)> unnoticed = nullptr;

  /// What is wrong with numbers that are its own.
  std::function<std::optional<Problem>(const Force& force)> problem = nullptr;

  bool bringsEnergy = false;    // from outside, as a load does
  bool remembersStart = false;  // how its bodies stood at t = 0

  /// What of it changes where its bodies are to stand elsewhere at t = 0, so that it acts as before; for those that remember.
  std::function<void(Force& force, const ForceSite& site, const Placement& first, const Placement& second)>
      startElsewhere = nullptr;
};

/// All types of forces that model files know, in the order in which they are explained.
const std::vector<ForceType>& forceTypes();

/// The type of a force, its own or that of its name; null if there is none.
const ForceType* typeOf(const Force& force);

}  // namespace polhode
