#include "ensemble/member_mover.h"

namespace polhode::ensemble {

std::span<const MoverType* const> moverTypes() {
  static constexpr const MoverType* all[] = {&onGpu, &inLanes, &oneByOne};
  return all;
}

}  // namespace polhode::ensemble
