#include "polhode/io/model_file.h"

#include "actuator_reader.h"
#include "analysis/instant_watch.h"
#include "analysis/mechanism_observation.h"
#include "analysis/sensor_watch.h"
#include "body_reader.h"
#include "coupling_reader.h"
#include "force_reader.h"
#include "math/euler_map.h"
#include "model/suggestion.h"
#include "model/usual_settings.h"
#include "model/validation.h"
#include "model_document.h"
#include "parameters.h"
#include "polhode/error.h"
#include "sensor_reader.h"
#include "simulation_reader.h"
#include "system/starting_position.h"
#include "text_file.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

namespace polhode {
namespace {

/// Goes through a document from top to bottom. Bodies come before what connects them.
class ModelReader {
 public:
  ModelReader(const Value& document, const std::string& fileName, OtherFiles files)
      : fileName_(fileName),
        context_{readParameters(document), std::filesystem::path(fileName).parent_path().string(),
                 files == OtherFiles::read},
        root_(document, "the file",
              {"model", "parameters", "body", "joint", "coupling", "force", "actuator", "sensor", "simulation"},
              &context_) {
    file_.model.name = std::filesystem::path(fileName).stem().string();
    readModelTable();
    readSimulationTable();
    readBodies();
    readJoints();
    readCouplings();
    readForces();
    readActuators();
    readSensors();
    fitTogether();
    checkSensors();
    if (!file_.places.contains("integrator")) file_.simulation = withUsualIntegrator(file_.model, file_.simulation);
  }

  ModelFile take() { return std::move(file_); }

 private:
  void readModelTable() {
    const auto field = root_.find("model");
    if (!field) return;
    const ModelSection section = tableNamed(*field, "model", {"name", "gravity", "assemble", "urdf"});
    if (const auto gravity = section.find("gravity")) file_.model.gravity = gravity->vector3();
    if (const auto name = section.find("name")) file_.model.name = name->text();
    readAssemble(section);
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
    if (bodies_.empty()) root_.fail("has no body; add a [[body]] with a name, a mass and an inertia");
    for (const ModelSection& section : bodies_) {
      const Body body = readBody(section);
      refuse(section, checker_.body(body));
      starts_.push_back(readStart(section, body));
      startsElsewhere_ = startsElsewhere_ || section.has("start");
      if (const Value* spin = section.table().find("angular_velocity"); spin && spin->find("space"))
        turningInSpace_.emplace_back(file_.model.bodies.size(),
                                     rotationMatrix(starts_.back().orientation) * body.angularVelocity);
      given_.push_back({section.has("velocity"), section.has("angular_velocity")});
      bodyNumbers_.emplace(body.name, file_.model.bodies.size());
      file_.model.bodies.push_back(body);
    }
  }

  void readJoints() {
    joints_ = sections("joint", jointKeys());
    for (const ModelSection& section : joints_) {
      file_.model.joints.push_back(readJoint(section, findBody()));
      Joint& joint = file_.model.joints.back();
      if (auto start = readStart(section, joint)) {
        start->joint = file_.model.joints.size() - 1;
        for (const std::optional<double>& value : start->values) joint.start.push_back(value.value_or(0.0));
        jointStarts_.push_back(std::move(*start));
      }
      refuse(section, checker_.joint(joint));
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) refuse(bodies_[i], checker_.loneBody(file_.model.bodies[i]));
  }

  void readCouplings() {
    for (const ModelSection& section : sections("coupling", couplingKeys())) {
      file_.model.couplings.push_back(readCoupling(section));
      refuse(section, checker_.coupling(file_.model.couplings.back()));
    }
  }

  void readForces() {
    for (const ModelSection& section : sections("force", forceKeys())) {
      if (isRelaxedAtTheStart(section)) relaxed_.push_back(file_.model.forces.size());
      file_.model.forces.push_back(readForce(section, findBody()));
      refuse(section, checker_.force(file_.model.forces.back()));
    }
  }

  /// Closes the joints where that is asked for, and what is not given or off by a rounding becomes exact.
  void fitTogether() {
    AssemblyReport report;
    if (jointStarts_.empty()) {
      refuseJoint(closeJoints(file_.model, assemble_, &report));
      relaxSprings();
    } else {
      startByJoints(report);
    }
    if (startsElsewhere_) {
      startElsewhere(file_.model, startingBodies());
      refuseJoint(closeJoints(file_.model, assemble_, &report));
    }
    refuseJoint(completeVelocities(file_.model, given_, assemble_, &report));
    file_.assembled = report.words();
    if (const auto found = unresistedMotion(file_.model)) refuse(bodies_[found->body], found->problem);
  }

  /// Springs whose length is "initial" are relaxed where they are drawn.
  void relaxSprings() {
    for (const std::size_t index : relaxed_) {
      Force& spring = file_.model.forces[index];
      if (spring.joint.empty()) spring.rest = (spring.secondPoint - spring.firstPoint).norm();
    }
  }

  /// Moves the mechanism to where its joints start.
  void startByJoints(AssemblyReport& report) {
    if (startsElsewhere_)
      joints_[jointStarts_.front().joint].failAtKey(
          "start", "has a start, and so has a body; let either joints or bodies say where the mechanism starts");
    refuseJoint(moveToStart(file_.model, jointStarts_, assemble_, &report, [this] { relaxSprings(); }));
    for (const auto& [b, omega] : turningInSpace_)
      file_.model.bodies[b].angularVelocity = rotationMatrix(file_.model.bodies[b].orientation).transpose() * omega;
    refuseJoint(closeJoints(file_.model, assemble_));
    const auto hasRates = [](const JointStart& start) { return start.hasRates(); };
    if (std::any_of(jointStarts_.begin(), jointStarts_.end(), hasRates))
      refuseJoint(setStartingRates(file_.model, jointStarts_, given_, assemble_));
  }

  void readSensors() {
    sensors_ = sections("sensor", sensorKeys());
    for (const ModelSection& section : sensors_) {
      file_.model.sensors.push_back(readSensor(section, file_.model));
      refuse(section, checker_.sensor(file_.model.sensors.back()));
    }
  }

  /// What sensors measure can be observed: looked at once, at t = 0.
  void checkSensors() {
    if (sensors_.empty()) return;
    const auto mechanism = std::make_shared<const Mechanism>(file_.model);
    Observation start = observeMechanism(*mechanism, 0.0, initialMotion(*mechanism));
    InstantWatch(mechanism).tell(start, Detail::forces);
    SensorWatch watch;
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
      try {
        watch.add(file_.model.sensors[i], file_.model, start);
      } catch (const InputError& error) {
        failAt(sensors_[i].table().place, error.what());
      }
    }
  }

  /// Bodies without a `start` begin where they are drawn, with their joints closed.
  std::vector<Body> startingBodies() const {
    std::vector<Body> bodies = file_.model.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (bodies_[b].has("start")) {
        bodies[b].position = starts_[b].position;
        bodies[b].orientation = starts_[b].orientation;
      }
    return bodies;
  }

  void refuseJoint(const std::optional<JointProblem>& found) const {
    if (found) refuse(joints_[found->joint], found->problem);
  }

  void readActuators() {
    for (const ModelSection& section : sections("actuator", actuatorKeys())) {
      if (isKinetic(section)) {
        file_.model.forces.push_back(readKineticActuator(section, file_.model));
        refuse(section, checker_.force(file_.model.forces.back()));
        continue;
      }
      Actuator actuator = readActuator(section, file_.model);
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

  ModelSection tableNamed(const Field& field, const std::string& name, const std::vector<std::string>& keys) const {
    if (!field.value().table())
      failAt(field.value().place, fmt::format("{0} must be a table, not {1}; write [{0}] above its keys", name,
                                              field.value().description()));
    return ModelSection(field.value(), fmt::format("[{}]", name), keys, &context_);
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
      result.emplace_back(table, title, keys, &context_);
    }
    return result;
  }

  static void refuse(const ModelSection& section, const std::optional<Problem>& problem) {
    if (problem) section.failAtKey(problem->key, problem->sentence);
  }

  std::string fileName_;
  FileContext context_;
  ModelSection root_;
  std::vector<ModelSection> bodies_, joints_, sensors_;
  std::vector<JointStart> jointStarts_;
  std::vector<std::pair<std::size_t, Vector3>> turningInSpace_;  // angular velocities that are given in space, by body
  ModelChecker checker_;
  std::vector<GivenVelocities> given_;
  std::unordered_map<std::string, std::size_t> bodyNumbers_;
  std::vector<std::size_t> relaxed_;  // springs whose length is that at t = 0
  std::vector<Body> starts_;          // bodies where they start
  bool startsElsewhere_ = false, assemble_ = false;
  ModelFile file_;
};

/// A URDF file that is opened like a model file.
constexpr const char* urdfAlone = "[model]\nurdf = '{}'\n";

}  // namespace

ModelFile readModelDocument(const Value& document, const std::string& nameForErrors, OtherFiles files) {
  return ModelReader(document, nameForErrors, files).take();
}

ModelFile readModelText(const std::string& text, const std::string& nameForErrors,
                        const std::vector<std::string>& overrides, OtherFiles files) {
  std::vector<std::string> leftOut;
  const Value document = modelDocument(text, nameForErrors, overrides, files, leftOut);
  ModelFile file = readModelDocument(document, nameForErrors, files);
  file.leftOut = std::move(leftOut);
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
