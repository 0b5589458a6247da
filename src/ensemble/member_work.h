#pragma once

#include "ensemble/sweep.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polhode::ensemble {

/// A member as it goes to the file.
struct MemberRow {
  std::vector<double> numbers;  // as many as the layout of the sweep has
  std::string failure;
};

/// Loads members and moves them, each by the first way that fits, those beside each other that go together. One for each thread.
class MemberWork {
 public:
  explicit MemberWork(const Sweep& sweep);

  /// From `begin` to before `end`, in their order.
  std::vector<MemberRow> rows(std::int64_t begin, std::int64_t end);

 private:
  void move(std::size_t way, std::vector<Member>& members, std::int64_t begin, std::vector<MemberRow>& rows);

  const Sweep& sweep_;
  std::size_t numbers_;
  std::vector<std::unique_ptr<MemberMover>> movers_;  // of each type
};

}  // namespace polhode::ensemble
