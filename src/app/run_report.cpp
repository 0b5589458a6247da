#include "run_report.h"

#include "io/json.h"
#include "math/quaternion.h"
#include "model_summary.h"

#include <fmt/format.h>

namespace polhode::app {

namespace {

const char* kindName(MomentumKind kind) {
  switch (kind) {
    case MomentumKind::linear:
      return "linear_momentum";
    case MomentumKind::angular:
      return "angular_momentum";
    case MomentumKind::aboutCentre:
      return "angular_momentum_about_centre";
  }
  return "";
}

/// Whether it was a system that is not made of bodies.
bool isSystem(const RunResult& result) {
  return !result.final.q.empty();
}

Eigen::Map<const VectorX> asVector(const std::vector<double>& numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

/// What the model ought to conserve, and how well the run did.
void writeConserved(JsonWriter& json, const RunResult& result) {
  json.key("conserved").beginObject().field("energy", result.conserved.energy);
  if (isSystem(result)) {
    json.key("momenta").beginArray();
    for (const GeneralisedDrift& momentum : result.generalisedMomenta) {
      json.beginObject().field("direction", asVector(momentum.direction)).field("initial", momentum.initial);
      json.field("final", momentum.final).field("max_drift", momentum.drift).endObject();
    }
    json.endArray().endObject();
    return;
  }
  const auto flags = [&](const char* name, const std::array<bool, 3>& components) {
    json.key(name).beginArray();
    for (const bool component : components) json.value(component);
    json.endArray();
  };
  flags("linear_momentum", result.conserved.linear);
  flags("angular_momentum", result.conserved.angular);
  json.key("components").beginArray();
  for (const auto& [momentum, drift] : result.conservedMomenta) {
    json.beginObject().field("quantity", kindName(momentum.kind)).field("direction", momentum.direction);
    if (momentum.kind == MomentumKind::angular) json.field("point", momentum.point);
    json.field("max_drift", drift).endObject();
  }
  json.endArray().endObject();
}

std::string conservedLines(const RunResult& result) {
  std::string text;
  const auto line = [&](const std::string& what) {
    text += fmt::format("  {:<18}  {}\n", text.empty() ? "to be conserved" : "", what);
  };
  if (result.conserved.energy) line("energy");
  for (const auto& [momentum, drift] : result.conservedMomenta)
    line(fmt::format("{}, largest drift {:.2e}", momentum.name(), drift));
  return text;
}

template <class Numbers>
std::string numbers(const Numbers& v, int digits = 9) {
  std::string text;
  for (const double number : v) text += fmt::format("{}{:.{}g}", text.empty() ? "" : ", ", number, digits);
  return text;
}

/// Of a system that is not made of bodies.
void writeSystem(JsonWriter& json, const RunResult& result) {
  const Observation& final = result.final;
  json.field("q", asVector(final.q)).field("v", asVector(final.v)).field("p", asVector(final.p));
  const auto energy = [&](const char* name, double first, double last, double drift) {
    json.key(name).beginObject().field("initial", first).field("final", last).field("max_drift", drift).endObject();
  };
  energy("generalised_energy", result.initial.energy(), final.energy(), result.energyDrift);
  energy("total_energy", *result.initial.nodeEnergy, *final.nodeEnergy, result.nodeEnergyDrift.value_or(0.0));
}

std::string systemTable(const RunResult& result) {
  const Observation& final = result.final;
  std::string text =
      fmt::format("  q                   {}\n  v                   {}\n", numbers(final.q, 12), numbers(final.v, 12));
  const auto drift = [&](const std::string& name, double first, double last, double largest) {
    text += fmt::format("  {:<18}  {:.12g} -> {:.12g}, largest drift {:.2e}\n", name, first, last, largest);
  };
  drift("generalised energy", result.initial.energy(), final.energy(), result.energyDrift);
  drift("total energy", *result.initial.nodeEnergy, *final.nodeEnergy, result.nodeEnergyDrift.value_or(0.0));
  for (const auto& [direction, first, last, largest] : result.generalisedMomenta)
    drift(fmt::format("p . ({})", numbers(direction, 4)), first, last, largest);
  return text;
}

std::string bodiesTable(const Model& model, const RunResult& result, bool eachPart) {
  std::string text;
  if (isLarge(model)) {
    text += summaryOfParts(model);
    text += fmt::format("  centre of mass      {}\n", numbers(result.final.centreOfMass));
  }
  if (eachPart || !isLarge(model)) text += partsTable(result.final);
  text += fmt::format("  energy              {:.12g} -> {:.12g}, largest drift {:.2e}\n", result.initial.energy(),
                      result.final.energy(), result.energyDrift);
  return text;
}

std::string momentaTable(const RunResult& result) {
  std::string text;
  if (result.nodeEnergyDrift)
    text += fmt::format("  energy at nodes     largest drift {:.2e}\n", *result.nodeEnergyDrift);
  const auto drift = [](const Vector3& d) { return fmt::format("{:.2e}, {:.2e}, {:.2e}", d[0], d[1], d[2]); };
  text += fmt::format("  linear momentum     largest drift {}\n", drift(result.linearMomentumDrift));
  text += fmt::format("  angular momentum    largest drift {}\n", drift(result.angularMomentumDrift));
  text += conservedLines(result);
  return text;
}

}  // namespace

std::string partsTable(const Observation& final) {
  std::string text;
  for (const Body& body : final.bodies) {
    text += fmt::format("  {}\n", body.name);
    text += fmt::format("    position          {}\n", numbers(body.position));
    text += fmt::format("    quaternion        {}\n", numbers(withPositiveScalar(body.orientation)));
    text += fmt::format("    velocity          {}\n", numbers(body.velocity));
    text += fmt::format("    angular velocity  {}\n", numbers(body.angularVelocity));
  }
  for (const JointObservation& joint : final.joints) {
    text += fmt::format("  joint {}\n", joint.name);
    for (const auto& coordinate : joint.coordinates)
      text += fmt::format("    {:<17} {:.9g}, rate {:.9g}\n", coordinate.name, coordinate.value, coordinate.rate);
    text += fmt::format("    force             {}\n", numbers(joint.force));
    text += fmt::format("    torque            {}\n", numbers(joint.torque));
  }
  for (const ForceObservation& force : final.forces) {
    text += fmt::format("  force {}\n", force.name);
    for (const ForceQuantity& quantity : force.quantities)
      text += fmt::format("    {:<17} {:.9g}\n", quantity.name, quantity.value);
    text += fmt::format("    force             {}\n", numbers(force.force));
    text += fmt::format("    torque            {}\n", numbers(force.torque));
  }
  for (const SensorObservation& sensor : final.sensors)
    text += fmt::format("  sensor {:<12} {}\n", sensor.name, numbers(sensor.values));
  return text;
}

void writeParts(JsonWriter& json, const Observation& final) {
  json.key("bodies").beginObject();
  for (std::size_t b = 0; b < final.bodies.size(); ++b) {
    const Body& body = final.bodies[b];
    json.key(body.name).beginObject();
    json.field("position", body.position);
    json.field("quaternion", withPositiveScalar(body.orientation));
    json.field("velocity", body.velocity);
    json.field("angular_velocity", body.angularVelocity);
    if (b < final.accelerations.size()) {
      json.field("acceleration", final.accelerations[b].linear);
      json.field("angular_acceleration", final.accelerations[b].angular);
    }
    json.endObject();
  }
  json.endObject();

  if (!final.joints.empty()) {
    json.key("joints").beginObject();
    for (const JointObservation& joint : final.joints) {
      json.key(joint.name).beginObject();
      for (const auto& coordinate : joint.coordinates)
        json.field(coordinate.name, coordinate.value).field(coordinate.name + "_rate", coordinate.rate);
      json.field("force", joint.force).field("torque", joint.torque);
      json.endObject();
    }
    json.endObject();
  }

  if (!final.forces.empty()) {
    json.key("forces").beginObject();
    for (const ForceObservation& force : final.forces) {
      json.key(force.name).beginObject();
      for (const ForceQuantity& quantity : force.quantities) json.field(quantity.name, quantity.value);
      json.field("force", force.force).field("torque", force.torque);
      json.endObject();
    }
    json.endObject();
  }

  if (!final.sensors.empty()) {
    json.key("sensors").beginObject();
    for (const SensorObservation& sensor : final.sensors)
      if (sensor.values.size() == 1)
        json.field(sensor.name, sensor.values[0]);
      else
        json.field(sensor.name, asVector(sensor.values));
    json.endObject();
  }
}

std::string runJson(const Model& model, const SimulationSettings& settings, const RunResult& result,
                    const std::string& whyIntegrator) {
  JsonWriter json;
  json.beginObject();
  // first of all whether it came to its end
  json.field("status", !result.failure.empty() ? "failed" : result.interrupted ? "interrupted" : "finished");
  if (!result.failure.empty()) json.field("failure", result.failure);
  json.field("model", model.name);
  json.field("integrator", settings.integrator);
  if (!isSystem(result)) {
    json.field("coordinates", settings.coordinates);
    json.field("formulation", settings.formulation);
    json.field("projection", settings.projection);
  }
  json.field("time", result.final.time);

  if (isSystem(result))
    writeSystem(json, result);
  else
    writeParts(json, result.final);

  json.key("energy").beginObject();
  json.field("initial", result.initial.energy()).field("final", result.final.energy());
  json.field("max_drift", result.energyDrift);
  if (result.nodeEnergyDrift) json.field("max_node_drift", *result.nodeEnergyDrift);
  json.endObject();
  if (result.hasBalance())
    json.key("balance")
        .beginObject()
        .field("work", result.final.work)
        .field("max_error", result.balanceError)
        .endObject();

  const auto momentum = [&](const char* name, const Vector3& initial, const Vector3& final, const Vector3& drift) {
    json.key(name).beginObject().field("initial", initial).field("final", final).field("max_drift", drift).endObject();
  };
  if (!isSystem(result)) {
    momentum("linear_momentum", result.initial.linearMomentum, result.final.linearMomentum, result.linearMomentumDrift);
    momentum("angular_momentum", result.initial.angularMomentum, result.final.angularMomentum,
             result.angularMomentumDrift);
  }
  writeConserved(json, result);

  json.key("constraints").beginObject();
  json.field("max_position", result.positionViolation).field("max_velocity", result.velocityViolation).endObject();

  json.key("work").beginObject();
  json.field("steps", result.work.steps).field("rejected", result.work.rejected);
  json.field("rhs_evaluations", result.work.rhsEvaluations).field("jacobians", result.work.jacobians);
  json.field("factorisations", result.work.factorisations);
  json.field("newton_iterations", result.work.newtonIterations).endObject();

  json.field("wall_seconds", result.wallSeconds);
  if (result.stoppedByEvent) json.field("stopped_by", settings.stopWhen);
  if (!whyIntegrator.empty()) json.field("integrator_reason", whyIntegrator);
  if (!result.warning.empty()) json.field("warning", result.warning);
  json.endObject();
  return json.text();
}

std::string runTable(const Model& model, const SimulationSettings& settings, const RunResult& result,
                     const std::string& whyIntegrator, bool eachPart) {
  std::string text = isSystem(result) ? fmt::format("{} by {}\n", model.name, settings.integrator)
                                      : fmt::format("{}\n  {} coordinates, {} formulation, {}\n", model.name,
                                                    settings.coordinates, settings.formulation, settings.integrator);
  if (!whyIntegrator.empty()) text += fmt::format("    {}\n", whyIntegrator);
  text += fmt::format("  t = {:.9g}{}\n", result.final.time,
                      result.stoppedByEvent ? fmt::format("  (stopped where {})", settings.stopWhen)
                      : result.interrupted  ? "  (interrupted)"
                                            : "");
  text += isSystem(result) ? systemTable(result) : bodiesTable(model, result, eachPart);
  if (result.hasBalance())
    text += fmt::format("  work of forces      {:.12g}, largest error of the balance {:.2e}\n", result.final.work,
                        result.balanceError);
  if (!isSystem(result)) text += momentaTable(result);
  text += fmt::format("  constraints         position {:.2e}, velocity {:.2e}\n", result.positionViolation,
                      result.velocityViolation);
  text += fmt::format("  work                {} steps, {} rejected, {} evaluations, {} Jacobians, {:.3g} s\n",
                      result.work.steps, result.work.rejected, result.work.rhsEvaluations, result.work.jacobians,
                      result.wallSeconds);
  if (result.work.newtonIterations > 0)
    text += fmt::format("                      {} Newton iterations\n", result.work.newtonIterations);
  if (!result.warning.empty()) text += fmt::format("  warning             {}\n", result.warning);
  return text;
}

std::string failureJson(const std::string& model, const std::string& failure) {
  JsonWriter json;
  json.beginObject().field("status", "failed").field("failure", failure).field("model", model).endObject();
  return json.text();
}

}  // namespace polhode::app
