#include "system/mechanism_pieces.h"

namespace polhode {

std::vector<SmoothPiece> smoothPieces(const Mechanism& mechanism, double from, double to) {
  return smoothPieces(signalsOf(mechanism), from, to);
}

}  // namespace polhode
