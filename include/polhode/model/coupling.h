#pragma once

#include <string>
#include <vector>

namespace polhode {

/// Coordinates of joints that move together, from where they stand at t = 0, with no play and without friction:
///
///     gear    two joints that turn      angle of the first = ratio * angle of the second   (both since t = 0)
///     rack    one that turns, one that slides     displacement = ratio * angle             (ratio: the pinion's radius, m)
///     screw   one that turns and slides, or two   displacement = ratio * angle / (2 pi)    (ratio: the pitch, m a turn)
///
/// A negative ratio means the other sense. That of a gear is a fraction of whole numbers (teeth), so that the equation is known
/// from where the bodies are, however often they have turned.
struct Coupling {
  std::string name;
  std::string type;  // gear, rack, screw
  std::vector<std::string> joints;
  double ratio = 1.0;
};

/// The numbers of teeth p/q of a gear's ratio, without common factors; {0, 0} where it is no fraction of numbers up to
/// `mostTeeth`.
struct Teeth {
  int first = 0, second = 0;
};
constexpr int mostTeeth = 1000;
Teeth teethOf(double ratio);

struct CouplingType {
  std::string name, summary;  // one sentence for `polhode list couplings`
};

/// All of them.
const std::vector<CouplingType>& couplingTypes();

}  // namespace polhode
