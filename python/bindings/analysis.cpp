// Where a mechanism rests, and how it vibrates there.

#include "analysis/equilibrium.h"
#include "analysis/gradient.h"
#include "analysis/small_motions.h"
#include "analysis/state_space.h"
#include "bindings.h"
#include "io/model_document.h"
#include "io/text_file.h"
#include "polhode/error.h"

#include <cstdlib>
#include <filesystem>

#include <pybind11/complex.h>
#include <pybind11/stl.h>

namespace polhode::python {

namespace {

py::array_t<double> toRows(const MatrixX& matrix) {
  py::array_t<double> rows({matrix.rows(), matrix.cols()});
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) rows.mutable_at(i, j) = matrix(i, j);
  return rows;
}

py::dict equilibriumWords(const Equilibrium& found, const Model& model) {
  py::dict words = toDict(found.observation);
  words["stable"] = found.isStable();
  words["unstable"] = found.isUnstable();
  words["singular_position"] = found.isSingular();
  words["stiffness"] = toArray(found.stiffness);
  words["degrees_of_freedom"] = found.reduced.freedoms();
  words["neutral_motions"] = found.neutral;
  words["rigid_body_motions"] = found.rigid;
  words["at_start"] = found.atStart;
  words["mass_matrix"] = toRows(found.reduced.mass);
  words["damping_matrix"] = toRows(found.reduced.damping);
  words["stiffness_matrix"] = toRows(found.reduced.stiffness);
  words["basis"] = toRows(found.reduced.basis);
  py::list held;
  for (const std::string& sentence : heldWords(model)) held.append(sentence);
  words["held"] = held;
  return words;
}

py::array_t<std::complex<double>> toComplex(const Eigen::Vector3cd& v) {
  return py::array_t<std::complex<double>>(3, v.data());
}

py::dict modesWords(const Modes& modes, const Model& model) {
  py::dict words;
  words["eigenvalues"] =
      py::array_t<std::complex<double>>(static_cast<py::ssize_t>(modes.eigenvalues.size()), modes.eigenvalues.data());
  py::list list;
  for (const Mode& mode : modes.modes) {
    py::dict shape, one;
    for (std::size_t i = 0; i < mode.bodies.size(); ++i)
      shape[py::str(model.bodies[i].name)] =
          py::make_tuple(toComplex(mode.bodies[i].displacement), toComplex(mode.bodies[i].rotation));
    one["eigenvalue"] = mode.eigenvalue;
    one["frequency"] = mode.frequency;
    one["damping"] = mode.damping;
    one["shape"] = shape;
    list.append(one);
  }
  words["modes"] = list;
  words["zero_modes"] = modes.zeroModes;
  words["rigid_body_modes"] = modes.rigidBodyModes;
  words["stable"] = !modes.isUnstable();
  words["asymptotically_stable"] = modes.isAsymptoticallyStable();
  return words;
}

py::list equilibria(const ModelFile& file, int starts, std::uint64_t seed) {
  std::vector<Equilibrium> found;
  {
    const py::gil_scoped_release unlocked;
    EquilibriumSearch search(file.model);
    if (starts > 1)
      found = search.fromStarts(starts, seed);
    else
      found.push_back(search.fromStart());
  }
  py::list list;
  for (const Equilibrium& one : found) list.append(equilibriumWords(one, file.model));
  return list;
}

/// The text of a model that starts at rest where these bodies are.
std::string textAtRest(const ModelFile& file, const std::string& source, const py::dict& bodies) {
  std::vector<Body> there = file.model.bodies;
  for (Body& body : there) {
    const py::dict words = bodies[py::str(body.name)];
    body.position = toVector(words["position"], "position");
    body.orientation = Quaternion(words["quaternion"].cast<py::array_t<double>>().data());
  }
  std::string folder = (std::filesystem::temp_directory_path() / "polhode-XXXXXX").string();
  if (!mkdtemp(folder.data())) throw InputError(folder + ": no folder can be made there; set TMPDIR to another one");
  const std::string path = folder + "/model.toml";
  try {
    writeModelAtRest(path, file, source, there);
    const std::string text = readTextFile(path);
    std::filesystem::remove_all(folder);
    return text;
  } catch (...) {
    std::filesystem::remove_all(folder);
    throw;
  }
}

SmallMotions asked(const ModelFile& file, bool atStart, const std::optional<double>& at) {
  const py::gil_scoped_release unlocked;
  return smallMotions(file.model, file.simulation, {at, atStart});
}

/// What small motions are about; an equilibrium is told beside, or None.
py::tuple modesFound(const ModelFile& file, bool atStart, const std::optional<double>& at) {
  const SmallMotions small = asked(file, atStart, at);
  const LinearMotion linear = small.linearised();
  py::dict words = modesWords(small.modes, file.model);
  words["about"] = small.about == SmallMotions::About::equilibrium    ? "equilibrium"
                   : small.about == SmallMotions::About::steadyMotion ? "steady motion"
                                                                      : "instant";
  words["time"] = small.time;
  words["held"] = small.held;
  words["bodies"] = toDict(small.observation)["bodies"];
  words["mass_matrix"] = toRows(linear.mass);
  words["damping_matrix"] = toRows(linear.damping);
  words["stiffness_matrix"] = toRows(linear.stiffness);
  words["basis"] = toRows(linear.basis);
  words["frame_angular_velocity"] = toArray(linear.turning);
  words["unsteadiness"] = linear.unsteadiness;
  if (!small.equilibrium) return py::make_tuple(words, py::none());
  return py::make_tuple(words, equilibriumWords(*small.equilibrium, file.model));
}

py::dict stateSpaceWords(const ModelFile& file, const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs, bool atStart, const std::optional<double>& at) {
  const SmallMotions small = asked(file, atStart, at);
  const StateSpace system = stateSpace(file.model, small.mechanism, small.linearised(), inputs, outputs);
  py::dict words;
  words["A"] = toRows(system.A);
  words["B"] = toRows(system.B);
  words["C"] = toRows(system.C);
  words["D"] = toRows(system.D);
  words["states"] = system.states;
  words["inputs"] = system.inputs;
  words["outputs"] = system.outputs;
  return words;
}

/// `varied`: for each parameter its step, and the model at the eight values of VariedModels.
py::tuple gradientWords(const ModelFile& file, const std::vector<std::pair<double, std::vector<ModelFile>>>& varied,
                        const std::vector<std::string>& measures) {
  Gradient found;
  {
    const py::gil_scoped_release unlocked;
    std::vector<VariedModels> parameters;
    for (const auto& [step, files] : varied) {
      parameters.push_back({step, {}});
      for (const ModelFile& each : files) parameters.back().models.push_back(each.model);
    }
    found = gradientOf(file.model, parameters, file.simulation, measures);
  }
  return py::make_tuple(py::array_t<double>(static_cast<py::ssize_t>(found.values.size()), found.values.data()),
                        toRows(found.derivatives), found.alongTheRun);
}

}  // namespace

void bindAnalysis(py::module_& module) {
  module.def("equilibria", &equilibria);
  module.def("modes", &modesFound);
  module.def("state_space", &stateSpaceWords);
  module.def("gradient", &gradientWords);
  module.def("text_at_rest", &textAtRest);
}

}  // namespace polhode::python
