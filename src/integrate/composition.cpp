#include "integrate/composition.h"

#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode {

std::vector<double> subStepsOf(int order, bool nearIdentity) {
  const auto all = [&]<int Order>() {
    const auto list = [](const auto& each) { return std::vector<double>(each.begin(), each.end()); };
    return nearIdentity ? list(compositionSubSteps<Order, true>()) : list(compositionSubSteps<Order, false>());
  };
  switch (order) {
    case 2:
      return {1.0};
    case 4:
      return all.operator()<4>();
    case 6:
      return all.operator()<6>();
    case 8:
      return all.operator()<8>();
    default:
      throw InputError(fmt::format("there is no composition of order {}; there are 4, 6 and 8", order));
  }
}

}  // namespace polhode
