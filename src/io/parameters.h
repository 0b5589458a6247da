#pragma once

#include "value.h"

#include <map>
#include <string>

namespace polhode {

/// Reads [parameters]: numbers by name, each a number or a formula (model/formula.h) of others, in any order. Throws an
/// InputError where a name cannot stand in a formula, a formula is wrong, or parameters depend on each other in a circle.
std::map<std::string, double> readParameters(const Value& document);

}  // namespace polhode
