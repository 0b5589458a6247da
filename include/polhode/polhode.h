#pragma once

/// All that a program needs which simulates with polhode:
///
///     loadModel      a model file, or an example by name (docs/model-file.md); Model is the same in C++
///     Simulation     a model in motion: steps, observation, loads, hands, state
///     run, Recorder  a whole run that is watched: drifts, events, rows for files
///     LivePage       the page of `polhode live`, for a model that a program has made
///     UserForce      forces of your own (docs/user-forces.md)
///     JointType      joints of your own (docs/user-joints.md)
///     InputError, SimulationError

// Eigen 3.4 has a variable that it does not use where a program is compiled for AVX.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#include <Eigen/Dense>
#pragma GCC diagnostic pop

#include "polhode/analysis/run.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "polhode/io/recording.h"
#include "polhode/model/joint_type.h"
#include "polhode/server/live_page.h"
#include "polhode/system/checked_model.h"
#include "polhode/system/forces/user_force.h"
