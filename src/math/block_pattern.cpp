#include "math/block_pattern.h"

#include "math/index.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

namespace polhode {

BlockPattern::BlockPattern(std::vector<int> sizes, const std::vector<std::pair<int, int>>& couplings)
    : sizes_(std::move(sizes)), starts_{0} {
  for (const int size : sizes_) starts_.push_back(starts_.back() + size);

  std::vector<std::set<int>> behind(sizes_.size());
  for (const auto& [a, b] : couplings)
    if (a != b) behind[at(std::min(a, b))].insert(std::max(a, b));
  for (int k = 0; k < nodes(); ++k)
    for (const int i : behind[at(k)])
      for (const int j : behind[at(k)])
        if (i < j) behind[at(i)].insert(j);

  byRow_.resize(sizes_.size());
  below_.resize(sizes_.size());
  right_.resize(sizes_.size());
  updates_.resize(sizes_.size());
  for (int k = 0; k < nodes(); ++k) {
    diagonal_.push_back(add(k, k));
    for (const int i : behind[at(k)]) {
      below_[at(k)].push_back(add(i, k));
      right_[at(k)].push_back(add(k, i));
    }
  }
  for (auto& row : byRow_) std::sort(row.begin(), row.end());
  for (int k = 0; k < nodes(); ++k)
    for (const int left : below_[at(k)])
      for (const int right : right_[at(k)])
        updates_[at(k)].push_back({find(entry(left).row, entry(right).column), left, right});
}

int BlockPattern::add(int row, int column) {
  const int number = blocks();
  entries_.push_back({row, column});
  byRow_[at(row)].emplace_back(column, number);
  return number;
}

int BlockPattern::find(int row, int column) const {
  const auto& entries = byRow_[at(row)];
  const auto found = std::lower_bound(entries.begin(), entries.end(), std::pair{column, 0});
  if (found == entries.end() || found->first != column) throw std::logic_error("a block outside of the pattern");
  return found->second;
}

std::vector<int> minimumDegreeOrder(const std::vector<int>& phases, const std::vector<std::pair<int, int>>& couplings) {
  std::vector<std::set<int>> neighbours(phases.size());
  for (const auto& [a, b] : couplings) {
    if (a == b) continue;
    neighbours[at(a)].insert(b);
    neighbours[at(b)].insert(a);
  }
  // nodes that are left, by phase, degree and number
  using Rank = std::tuple<int, std::size_t, int>;
  std::set<Rank> left;
  const auto rank = [&](int node) { return Rank{phases[at(node)], neighbours[at(node)].size(), node}; };
  for (int node = 0; node < static_cast<int>(phases.size()); ++node) left.insert(rank(node));

  std::vector<int> order;
  while (!left.empty()) {
    const int node = std::get<2>(*left.begin());
    left.erase(left.begin());
    order.push_back(node);
    const std::set<int> clique = std::move(neighbours[at(node)]);
    for (const int i : clique) {
      left.erase(rank(i));
      neighbours[at(i)].erase(node);
      for (const int j : clique)
        if (i != j) neighbours[at(i)].insert(j);
      left.insert(rank(i));
    }
  }
  return order;
}

}  // namespace polhode
