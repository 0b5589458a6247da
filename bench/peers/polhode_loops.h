#pragma once

#include "loop_case.h"
#include "polhode/model/model.h"

namespace loop_bench {

/// A model of hinges and ball joints alone, without forces other than its weight.
Case caseOf(const std::string& name, const polhode::Model& model);

/// By director-em where the step is fixed, with a tolerance by that integrator.
std::unique_ptr<Peer> polhodePeer(const polhode::Model& model, const std::string& integrator);

}  // namespace loop_bench
