#pragma once

#include "study.h"

/// High order that conserves, for mechanisms: the director scheme, its compositions and Gauss collocation in directors
/// against DOP853 in minimal coordinates. A tree, loops whose rows repeat one another, a large linkage, and a stiff loop with
/// dampers, where compositions step backwards and Gauss collocation does not.
namespace polhode::schemes {

/// Adds a table and the charts of each mechanism to the study.
void addMechanisms(StudyResult& result, const StudyProgress& progress);

}  // namespace polhode::schemes
