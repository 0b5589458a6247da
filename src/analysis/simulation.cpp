#include "polhode/analysis/simulation.h"

#include "polhode/analysis/single_body_run.h"
#include "polhode/integrate/catalogue.h"

namespace polhode {

std::unique_ptr<Simulation> makeSimulation(const Model& model, const SimulationSettings& settings) {
  findIntegrator(settings.integrator);
  return std::make_unique<SingleBodyRun>(model, settings);
}

}  // namespace polhode
