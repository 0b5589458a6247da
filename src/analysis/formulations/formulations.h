#pragma once

#include "analysis/formulation.h"

namespace polhode {

extern const FormulationType nullSpaceFormulation, absoluteFormulation, index1Formulation, index2Formulation,
    index3Formulation, gglFormulation;

}  // namespace polhode
