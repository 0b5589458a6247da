#include "ensemble/member_work.h"

#include "polhode/error.h"

#include <algorithm>
#include <limits>

namespace polhode::ensemble {

MemberWork::MemberWork(const Sweep& sweep) : sweep_(sweep), numbers_(sweep.layout().numbers()) {
  for (const MoverType* type : moverTypes()) movers_.push_back(type->make(sweep.wanted()));
}

std::vector<MemberRow> MemberWork::rows(std::int64_t begin, std::int64_t end) {
  std::vector<MemberRow> rows(static_cast<std::size_t>(end - begin));
  std::vector<std::vector<Member>> members(movers_.size());
  for (std::int64_t number = begin; number < end; ++number) {
    MemberRow& row = rows[static_cast<std::size_t>(number - begin)];
    row.numbers = sweep_.numbers(number);
    try {
      Member member = sweep_.load(number);
      std::size_t way = 0;
      while (!moverTypes()[way]->obstacle(member, sweep_.wanted()).empty()) ++way;
      members[way].push_back(std::move(member));
    } catch (const InputError& error) {
      row.failure = error.what();
    }
  }
  for (std::size_t way = 0; way < movers_.size(); ++way) move(way, members[way], begin, rows);
  for (MemberRow& row : rows) row.numbers.resize(numbers_, std::numeric_limits<double>::quiet_NaN());
  return rows;
}

void MemberWork::move(std::size_t way, std::vector<Member>& members, std::int64_t begin, std::vector<MemberRow>& rows) {
  const MoverType& type = *moverTypes()[way];
  while (!members.empty()) {
    // those that go with the first one stand first
    const auto together = std::stable_partition(members.begin() + 1, members.end(), [&](const Member& member) {
      return type.goTogether(members.front(), member);
    });
    const std::size_t count = std::min(type.width, static_cast<std::size_t>(together - members.begin()));
    std::vector<MemberOutcome> outcomes(count);
    movers_[way]->move(std::span(members).first(count), outcomes);
    for (std::size_t i = 0; i < count; ++i) {
      MemberRow& row = rows[static_cast<std::size_t>(members[i].number - begin)];
      row.failure = std::move(outcomes[i].failure);
      row.numbers.insert(row.numbers.end(), outcomes[i].measures.begin(), outcomes[i].measures.end());
      if (sweep_.plan().gradient) {
        const std::vector<double> gradient = sweep_.gradient(members[i]);
        row.numbers.insert(row.numbers.end(), gradient.begin(), gradient.end());
      }
      row.numbers.insert(row.numbers.end(), outcomes[i].trajectory.begin(), outcomes[i].trajectory.end());
    }
    members.erase(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

}  // namespace polhode::ensemble
