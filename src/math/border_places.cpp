#include "math/border_places.h"

#include "math/index.h"

#include <algorithm>

namespace polhode {

void BorderPlaces::settle(const std::vector<int>& parent, const BorderReach& reach, const BlockPattern& pattern,
                          const std::vector<int>& groups) {
  knownStart_.assign(parent.size() + 1, 0);
  pairStart_.assign(parent.size(), 0);
  for (std::size_t b = 0; b < parent.size(); ++b) {
    for (const int p : reach.known[b]) {
      known_.push_back({p, slots_});
      slots_ += static_cast<std::size_t>(part(p).size);
    }
    knownStart_[b + 1] = known_.size();
    pairStart_[b] = pairs_.size();
    for (const int i : reach.known[b])
      for (const int j : reach.known[b])
        if (part(i).home != static_cast<int>(b) && part(j).home != static_cast<int>(b))
          pairs_.push_back(pattern.find(groups[at(i)], groups[at(j)]));
  }
  for (std::size_t b = 0; b < parent.size(); ++b)
    for (std::size_t k = knownStart_[b]; k < knownStart_[b + 1]; ++k)
      if (parent[b] >= 0 && part(known_[k].part).home != static_cast<int>(b))
        known_[k].parentSlot = slot(parent[b], known_[k].part);
}

void BorderPlaces::settleHomes(const BlockPattern& pattern, const std::vector<int>& groups) {
  homed_.resize(pairStart_.size());
  std::vector<int> partOf(at(pattern.nodes()), -1);
  for (std::size_t p = 0; p < parts_.size(); ++p) partOf[at(groups[p])] = static_cast<int>(p);
  for (int group = 0; group < pattern.nodes(); ++group) {
    const int p = partOf[at(group)], home = part(p).home;
    if (home < 0) continue;
    Homed homed{p, group, slot(home, p), {}};
    const auto &below = pattern.below(group), &right = pattern.right(group);
    for (std::size_t i = 0; i < below.size(); ++i) {
      const int other = partOf[at(pattern.entry(below[i]).row)];
      homed.changes.push_back({slot(home, other), part(other).size, below[i], right[i]});
    }
    homed_[at(home)].push_back(std::move(homed));
  }
}

/// Null where the node does not know the part.
const BorderPlaces::Known* BorderPlaces::find(int b, int part) const {
  const auto known = knownBy(b);
  const auto found =
      std::lower_bound(known.begin(), known.end(), part, [](const Known& k, int number) { return k.part < number; });
  return found != known.end() && found->part == part ? &*found : nullptr;
}

}  // namespace polhode
