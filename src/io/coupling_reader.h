#pragma once

#include "field.h"
#include "polhode/model/coupling.h"

namespace polhode {

/// Reads a [[coupling]]. Whether its joints exist and move as it needs is judged by ModelChecker.
Coupling readCoupling(const ModelSection& section);

/// The keys of a [[coupling]].
const std::vector<std::string>& couplingKeys();

}  // namespace polhode
