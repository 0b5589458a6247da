#pragma once

#include "polhode/io/model_file.h"
#include "polhode/io/recording.h"

#include <optional>

/// The words about a run that go into its file, among them the model file itself, so that the run can be shown with its
/// shapes and joints.
namespace polhode {

Attributes runAttributes(const ModelFile& file, const std::string& integrator);

/// The same with all settings, so that the run can go on later.
Attributes runAttributes(const ModelFile& file, const SimulationSettings& settings);

/// The settings of a run: those of its model file, with what its attributes say instead.
SimulationSettings settingsOfRun(const Attributes& attributes, const ModelFile& file);

/// The model of a run from its attributes; nothing where they hold none. Throws InputError as readModelText does.
std::optional<ModelFile> modelOfRun(const Attributes& attributes, const std::string& nameForErrors,
                                    OtherFiles files = OtherFiles::read);

}  // namespace polhode
