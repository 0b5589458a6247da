#include "math/border_reach.h"

#include <set>

namespace polhode {

namespace {

/// The node that all of these hang on, or that is one of them; -1 if there is none.
int commonNode(const std::vector<int>& parent, const std::vector<int>& nodes) {
  int common = nodes.front();
  for (int other : nodes)
    while (other != common) {
      int& later = other > common ? other : common;  // parents have lower numbers
      later = parent[static_cast<std::size_t>(later)];
    }
  return common;
}

}  // namespace

BorderReach::BorderReach(const std::vector<int>& parent, const std::vector<BorderPart>& border, int smallBorder)
    : known(parent.size()) {
  int unknowns = 0;
  for (const BorderPart& part : border) unknowns += part.size;
  dense = unknowns <= smallBorder;
  for (std::size_t p = 0; p < border.size(); ++p) {
    const BorderPart& part = border[p];
    const int home = !dense && part.nodes.size() > 1 ? commonNode(parent, part.nodes) : -1;
    homes.push_back(home);
    for (const int node : part.nodes)
      for (int b = node; b >= 0; b = parent[static_cast<std::size_t>(b)]) {
        auto& list = known[static_cast<std::size_t>(b)];
        if (!list.empty() && list.back() == static_cast<int>(p)) break;  // and so do all behind it
        list.push_back(static_cast<int>(p));
        if (b == home) break;
      }
  }
}

template <class Scalar>
LoopBorderOf<Scalar> BorderReach::makeBorder(const std::vector<BorderPart>& border) const {
  std::vector<int> sizes, phases;
  int unknowns = 0;
  for (std::size_t p = 0; p < border.size(); ++p) {
    sizes.push_back(border[p].size);
    unknowns += border[p].size;
    const int nodes = static_cast<int>(known.size());
    phases.push_back(homes[p] < 0 ? -1 : nodes - 1 - homes[p]);  // from the leaves to the root
  }
  if (unknowns > 0 && dense) return LoopBorderOf<Scalar>({unknowns}, {-1}, {});
  std::set<std::pair<int, int>> coupled;
  for (const std::vector<int>& list : known)
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = i + 1; j < list.size(); ++j) coupled.emplace(list[i], list[j]);
  return LoopBorderOf<Scalar>(sizes, phases, {coupled.begin(), coupled.end()});
}

template LoopBorderOf<double> BorderReach::makeBorder(const std::vector<BorderPart>&) const;
template LoopBorderOf<std::complex<double>> BorderReach::makeBorder(const std::vector<BorderPart>&) const;

}  // namespace polhode
