#pragma once

#include "polhode/io/model_file.h"
#include "polhode/io/recording.h"

#include <optional>

/// The words about a run that go into its file, among them the model file itself, so that the run can be shown with its
/// shapes and joints.
namespace polhode {

Attributes runAttributes(const ModelFile& file, const std::string& integrator);

/// The model of a run from its attributes; nothing where they hold none. Throws InputError as readModelText does.
std::optional<ModelFile> modelOfRun(const Attributes& attributes, const std::string& nameForErrors,
                                    OtherFiles files = OtherFiles::read);

}  // namespace polhode
