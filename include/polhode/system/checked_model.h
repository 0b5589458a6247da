#pragma once

#include "polhode/model/model.h"

namespace polhode {

/// Closes joints and corrects velocities of a model that was made without a file. Throws an InputError, "joint 'hip' ...".
void assemble(Model& model);

/// A model that was made without a file as one that is read, judged with the same sentences: by validate(), its joints
/// closed and its velocities kept by them, what is off by a rounding made exact. One that was read already stays as it is.
/// Throws InputError.
Model checked(Model model);

}  // namespace polhode
