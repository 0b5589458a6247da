#pragma once

#include "polhode/model/model.h"
#include "polhode/model/simulation.h"

#include <map>
#include <string>
#include <vector>

/// Model files: TOML that people write by hand. docs/model-file.md is the reference of every key.
///
/// Whatever is wrong throws an InputError with one sentence, `top.toml:14:8: body 'top': ...`, that names the
/// thing, what is wrong and what to do. A model that is returned has passed validate() of model/validation.h.
namespace polhode {

struct ModelFile {
  Model model;
  SimulationSettings simulation;

  /// Where words stand that a later layer judges, for its errors: places["integrator"] = "top.toml:30:14".
  /// Holds those of coordinates, formulation, integrator and stop_when that the file or an override gives.
  std::map<std::string, std::string> places;

  /// What a URDF file has that is not simulated, a sentence for each kind: "limits of 2 joints are not kept: 'hip', 'knee'".
  std::vector<std::string> leftOut;

  // What all this was read from, for recordings that are to be shown later.
  std::string text;
  std::vector<std::string> overrides;
};

/// Whether a model may name other files, of signals and of URDF, which are read then. One that came over the network may
/// not: it is nobody's business what stands on this machine.
enum class OtherFiles { read, refuse };

/// Reads a model file. Each override replaces one value before the file is read: "body.top.mass=2",
/// "model.gravity=[0, 0, -1.62]", "simulation.end=3"; bodies, joints and forces are addressed by name.
ModelFile readModelFile(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for text in memory; errors call it `nameForErrors`.
ModelFile readModelText(const std::string& text, const std::string& nameForErrors,
                        const std::vector<std::string>& overrides = {}, OtherFiles files = OtherFiles::read);

}  // namespace polhode
