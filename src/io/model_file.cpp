#include "polhode/io/model_file.h"

#include "polhode/error.h"
#include "polhode/model/suggestion.h"
#include "polhode/model/validation.h"
#include "polhode/system/assembly.h"
#include "polhode/system/mobility.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "actuator_reader.h"
#include "body_reader.h"
#include "force_reader.h"
#include "override.h"
#include "simulation_reader.h"
#include "text_file.h"
#include "toml_document.h"
#include "urdf_reader.h"
#include <fmt/format.h>

namespace polhode {
namespace {

/// Goes through a document from top to bottom. Bodies come before what connects them.
class ModelReader {
 public:
  ModelReader(const Value& document, const std::string& fileName)
      : fileName_(fileName),
        root_(document, "the file", {"model", "body", "joint", "force", "actuator", "simulation"}) {
    file_.model.name = std::filesystem::path(fileName).stem().string();
    readModelTable();
    readSimulationTable();
    readBodies();
    readJoints();
    readForces();
    readActuators(std::filesystem::path(fileName).parent_path().string());
    fitTogether();
  }

  ModelFile take() { return std::move(file_); }

 private:
  void readModelTable() {
    const auto field = root_.find("model");
    if (!field) return;
    const ModelSection section = tableNamed(*field, "model", {"name", "gravity", "assemble", "urdf"});
    if (const auto gravity = section.find("gravity")) file_.model.gravity = gravity->vector3();
    if (const auto urdf = section.find("urdf")) readUrdfFile(*urdf);
    if (const auto name = section.find("name")) file_.model.name = name->text();
    readAssemble(section);
  }

  /// Bodies, joints and forces of a URDF file, whose path is relative to the model file.
  void readUrdfFile(const Field& field) {
    const std::string path = (std::filesystem::path(fileName_).parent_path() / field.text()).string();
    const Vector3 gravity = file_.model.gravity;
    file_.model = readUrdf(readTextFile(path), path);
    file_.model.gravity = gravity;
    const auto refuseUrdf = [&](const char* kind, const std::string& name, const std::optional<Problem>& problem) {
      if (problem) throw InputError(fmt::format("{}: {} {} {}", path, kind, quoted(name), problem->sentence));
    };
    for (const Body& body : file_.model.bodies) {
      refuseUrdf("body", body.name, checker_.body(body));
      bodyNumbers_.emplace(body.name, given_.size());
      given_.push_back({false, false});
    }
    for (const Joint& joint : file_.model.joints) refuseUrdf("joint", joint.name, checker_.joint(joint));
    for (const Force& force : file_.model.forces) refuseUrdf("force", force.name, checker_.force(force));
    urdf_ = field;
    urdfBodies_ = file_.model.bodies.size();
    urdfJoints_ = file_.model.joints.size();
  }

  void readSimulationTable() {
    const auto field = root_.find("simulation");
    if (!field) return;
    const ModelSection section = tableNamed(*field, "simulation", simulationKeys());
    file_.simulation = readSimulation(section, file_.places);
    readAssemble(section);
  }

  void readBodies() {
    bodies_ = sections("body", bodyKeys());
    if (bodies_.empty() && urdfBodies_ == 0)
      root_.fail("has no body; add a [[body]] with a name, a mass and an inertia");
    for (const ModelSection& section : bodies_) {
      const Body body = readBody(section);
      refuse(section, checker_.body(body));
      given_.push_back({section.has("velocity"), section.has("angular_velocity")});
      bodyNumbers_.emplace(body.name, file_.model.bodies.size());
      file_.model.bodies.push_back(body);
    }
  }

  void readJoints() {
    joints_ = sections("joint", jointKeys());
    for (const ModelSection& section : joints_) {
      file_.model.joints.push_back(readJoint(section, findBody()));
      refuse(section, checker_.joint(file_.model.joints.back()));
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      refuse(bodies_[i], checker_.loneBody(file_.model.bodies[urdfBodies_ + i]));
  }

  void readForces() {
    for (const ModelSection& section : sections("force", forceKeys())) {
      file_.model.forces.push_back(readForce(section, findBody()));
      refuse(section, checker_.force(file_.model.forces.back()));
    }
  }

  /// Closes the joints where that is asked for, and what is not given or off by a rounding becomes exact.
  void fitTogether() {
    refuseJoint(closeJoints(file_.model, assemble_));
    refuseJoint(completeVelocities(file_.model, given_, assemble_));
    refuseMassless();
  }

  /// A body without mass must not be able to move alone.
  void refuseMassless() const {
    const auto isMassless = [](const Body& body) { return body.mass == 0.0; };
    if (std::none_of(file_.model.bodies.begin(), file_.model.bodies.end(), isMassless)) return;
    const int found = unresistedBody(Mechanism(file_.model));
    if (found < 0) return;
    const auto index = static_cast<std::size_t>(found);
    const Problem problem{"mass",
                          "has no mass and can move although no inertia resists; give it a mass, or hold it by "
                          "another joint"};
    if (index >= urdfBodies_) refuse(bodies_[index - urdfBodies_], problem);
    urdf_->fail(fmt::format("has a body {} that {}", quoted(file_.model.bodies[index].name), problem.sentence));
  }

  void refuseJoint(const std::optional<JointProblem>& found) const {
    if (!found) return;
    if (found->joint >= urdfJoints_) refuse(joints_[found->joint - urdfJoints_], found->problem);
    urdf_->fail(
        fmt::format("has a joint {} that {}", quoted(file_.model.joints[found->joint].name), found->problem.sentence));
  }

  void readActuators(const std::string& folder) {
    for (const ModelSection& section : sections("actuator", actuatorKeys())) {
      if (isKinetic(section)) {
        file_.model.forces.push_back(readKineticActuator(section, file_.model, folder));
        refuse(section, checker_.force(file_.model.forces.back()));
        continue;
      }
      Actuator actuator = readActuator(section, file_.model, folder);
      for (const Actuator& other : file_.model.actuators)
        if (other.name == actuator.name)
          section.failAtKey("name", "has the name of another actuator; give each its own");
      file_.model.actuators.push_back(std::move(actuator));
    }
  }

  FindBody findBody() const {
    return [this](const std::string& name) {
      const auto found = bodyNumbers_.find(name);
      return found == bodyNumbers_.end() ? nullptr : &file_.model.bodies[found->second];
    };
  }

  void readAssemble(const ModelSection& section) {
    if (const auto assemble = section.find("assemble")) assemble_ = assemble_ || assemble->boolean();
  }

  static ModelSection tableNamed(const Field& field, const std::string& name, const std::vector<std::string>& keys) {
    if (!field.value().table())
      failAt(field.value().place, fmt::format("{0} must be a table, not {1}; write [{0}] above its keys", name,
                                              field.value().description()));
    return ModelSection(field.value(), fmt::format("[{}]", name), keys);
  }

  /// The tables of an array of tables, called by their names, "body 'top'", or by their number, "body 2".
  std::vector<ModelSection> sections(const std::string& kind, const std::vector<std::string>& keys) const {
    const auto field = root_.find(kind);
    if (!field) return {};
    const Value::Array* array = field->value().array();
    if (!array)
      failAt(field->value().place, fmt::format("{0} must be an array of tables, not {1}; write [[{0}]] above each",
                                               kind, field->value().description()));
    std::vector<ModelSection> result;
    for (const Value& table : *array) {
      const Value* name = table.find("name");
      const std::string title = name && name->string() && !name->string()->empty()
                                    ? fmt::format("{} {}", kind, quoted(*name->string()))
                                    : fmt::format("{} {}", kind, result.size() + 1);
      if (!table.table())
        failAt(table.place, fmt::format("{} must be a table, not {}; write [[{}]] above its keys", title,
                                        table.description(), kind));
      result.emplace_back(table, title, keys);
    }
    return result;
  }

  static void refuse(const ModelSection& section, const std::optional<Problem>& problem) {
    if (problem) section.failAtKey(problem->key, problem->sentence);
  }

  std::string fileName_;
  ModelSection root_;
  std::vector<ModelSection> bodies_, joints_;
  ModelChecker checker_;
  std::vector<GivenVelocities> given_;
  std::unordered_map<std::string, std::size_t> bodyNumbers_;
  bool assemble_ = false;
  std::optional<Field> urdf_;                    // the key of [model] that names a URDF file,
  std::size_t urdfBodies_ = 0, urdfJoints_ = 0;  // and how many parts came from it: they come first
  ModelFile file_;
};

/// A URDF file that is opened like a model file.
constexpr const char* urdfAlone =
    "[model]\nurdf = '{}'\ngravity = [0, 0, -9.81]\n[simulation]\nintegrator = \"director-em\"\nstep = 0.001\n";

}  // namespace

ModelFile readModelText(const std::string& text, const std::string& nameForErrors,
                        const std::vector<std::string>& overrides) {
  Value document = parseToml(text, nameForErrors);
  for (const std::string& override : overrides) applyOverride(document, override);
  ModelFile file = ModelReader(document, nameForErrors).take();
  file.text = text;
  file.overrides = overrides;
  return file;
}

ModelFile readModelFile(const std::string& path, const std::vector<std::string>& overrides) {
  const std::filesystem::path file(path);
  if (file.extension() == ".urdf")
    return readModelText(fmt::format(urdfAlone, file.filename().string()), path, overrides);
  return readModelText(readTextFile(path), path, overrides);
}

}  // namespace polhode
