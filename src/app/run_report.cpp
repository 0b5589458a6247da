#include "run_report.h"

#include "polhode/io/json.h"
#include "polhode/math/quaternion.h"

#include <fmt/format.h>

namespace polhode::app {

std::string runJson(const Model& model, const SimulationSettings& settings, const RunResult& result) {
  JsonWriter json;
  json.beginObject();
  json.field("model", model.name);
  json.field("integrator", settings.integrator);
  json.field("coordinates", settings.coordinates);
  json.field("formulation", settings.formulation);
  json.field("projection", settings.projection);
  json.field("time", result.final.time);

  json.key("bodies").beginObject();
  for (const Body& body : result.final.bodies) {
    json.key(body.name).beginObject();
    json.field("position", body.position);
    json.field("quaternion", withPositiveScalar(body.orientation));
    json.field("velocity", body.velocity);
    json.field("angular_velocity", body.angularVelocity);
    json.endObject();
  }
  json.endObject();

  json.key("energy").beginObject();
  json.field("initial", result.initial.energy()).field("final", result.final.energy());
  json.field("max_drift", result.energyDrift);
  if (result.nodeEnergyDrift) json.field("max_node_drift", *result.nodeEnergyDrift);
  json.endObject();

  json.key("angular_momentum").beginObject();
  json.field("initial", result.initial.angularMomentum).field("final", result.final.angularMomentum);
  json.field("max_drift", result.angularMomentumDrift).endObject();

  json.key("constraints").beginObject();
  json.field("max_position", result.positionViolation).field("max_velocity", result.velocityViolation).endObject();

  json.key("work").beginObject();
  json.field("steps", result.work.steps).field("rejected", result.work.rejected);
  json.field("rhs_evaluations", result.work.rhsEvaluations).field("jacobians", result.work.jacobians);
  json.field("factorisations", result.work.factorisations);
  json.field("newton_iterations", result.work.newtonIterations).endObject();

  json.field("wall_seconds", result.wallSeconds);
  if (result.stoppedByEvent) json.field("stopped_by", settings.stopWhen);
  if (!result.failure.empty()) json.field("failure", result.failure);
  json.endObject();
  return json.text();
}

std::string runTable(const Model& model, const SimulationSettings& settings, const RunResult& result) {
  const auto vector = [](const auto& v) {
    std::string text;
    for (int i = 0; i < v.size(); ++i) text += fmt::format("{}{:.9g}", i ? ", " : "", v[i]);
    return text;
  };
  std::string text = fmt::format("{}\n  {} coordinates, {} formulation, {}\n", model.name, settings.coordinates,
                                 settings.formulation, settings.integrator);
  text += fmt::format("  t = {:.9g}{}\n", result.final.time,
                      result.stoppedByEvent ? fmt::format("  (stopped where {})", settings.stopWhen) : "");
  for (const Body& body : result.final.bodies) {
    text += fmt::format("  {}\n", body.name);
    text += fmt::format("    position          {}\n", vector(body.position));
    text += fmt::format("    quaternion        {}\n", vector(withPositiveScalar(body.orientation)));
    text += fmt::format("    velocity          {}\n", vector(body.velocity));
    text += fmt::format("    angular velocity  {}\n", vector(body.angularVelocity));
  }
  text += fmt::format("  energy              {:.12g} -> {:.12g}, largest drift {:.2e}\n", result.initial.energy(),
                      result.final.energy(), result.energyDrift);
  if (result.nodeEnergyDrift)
    text += fmt::format("  energy at nodes     largest drift {:.2e}\n", *result.nodeEnergyDrift);
  text += fmt::format("  angular momentum    largest drift {:.2e}, {:.2e}, {:.2e}\n", result.angularMomentumDrift[0],
                      result.angularMomentumDrift[1], result.angularMomentumDrift[2]);
  text += fmt::format("  constraints         position {:.2e}, velocity {:.2e}\n", result.positionViolation,
                      result.velocityViolation);
  text += fmt::format("  work                {} steps, {} rejected, {} evaluations, {} Jacobians, {:.3g} s\n",
                      result.work.steps, result.work.rejected, result.work.rhsEvaluations, result.work.jacobians,
                      result.wallSeconds);
  return text;
}

}  // namespace polhode::app
