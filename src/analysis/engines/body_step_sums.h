#pragma once

#include "analysis/step_sums.h"
#include "system/principal_body.h"
#include "system/single_body.h"

#include <memory>

namespace polhode {

/// The sums of one body in quaternions or directors, by the null-space equations that are usual, several steps at once.
/// Null for other equations. Both must outlive it.
std::unique_ptr<const StepSums> makeBodyStepSums(const SingleBodySystem& system, const PrincipalBody& body);

}  // namespace polhode
