#pragma once

#include "server/finished_run.h"

#include <string>
#include <string_view>

namespace polhode::live {

/// Whether a path looks like a finished run (FILE.h5 or FILE.csv) and not like a model.
bool isRunPath(const std::string& path);

/// Opens a finished run with the model that it carries, or with `model`, or with none (makeFinishedRun). Throws
/// InputError where it is no run.
std::shared_ptr<const FinishedRun> openRunFile(const std::string& path, const std::optional<Model>& model);

/// The same for bytes that a page has sent; `name` is percent-encoded.
std::shared_ptr<const FinishedRun> openRunBytes(const std::string& name, std::string_view bytes);

}  // namespace polhode::live
