#pragma once

#include "ensemble/gpu/tree_walk.h"
#include "polhode/model/signal.h"
#include "system/mechanism.h"

#include <functional>
#include <string>
#include <vector>

/// What tree_walk.h wants to know of one mechanism. Bodies that are fixed to each other are one: its mass and its second moments are
/// the sums of theirs (all equations are linear in places and directors), so that it goes exactly as they would. Bodies that are
/// fixed to the ground are the ground.
namespace polhode::ensemble {

/// Where a body of the mechanism is in that of a link, or in the ground (link -1).
struct WalkBody {
  int link = -1;
  Vector3 centre = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();

  bool isLinkItself() const { return link >= 0 && centre.isZero(0.0) && axes.isIdentity(0.0); }
};

struct WalkTree {
  std::vector<WalkLink> links;
  std::vector<double> numbers;  // of_link::count of each link
  std::vector<WalkForce> forces;
  std::vector<double> forceNumbers;                   // of_force::count of each force
  std::vector<std::function<double(double)>> scales;  // over time
  std::vector<WalkBody> bodies;                       // of the mechanism
  std::vector<std::size_t> bodyOf;                    // of each link: one of its bodies
  Vector3 gravity;

  bool needsMore() const;  // than balls, hinges and weight
};

/// Throws InputError with the reason where a walk cannot take the mechanism.
WalkTree walkTree(const Mechanism& mechanism);

/// Whether two members go together: the same bodies on the same joints under the same forces, with scales that agree at all of
/// so many instants up to `end`.
bool goTogether(const WalkTree& a, const WalkTree& b, double end);

}  // namespace polhode::ensemble
