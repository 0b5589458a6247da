// In the place of ensemble/gpu/gpu_trees.cu where the build has no CUDA.
#include "ensemble/gpu/gpu_trees.h"
#include "polhode/error.h"

namespace polhode::ensemble {

class GpuTrees::OnCard {};

std::string GpuTrees::obstacle() {
  return "this polhode was built without its part for GPUs (-DPOLHODE_CUDA=ON, with NVIDIA's nvcc)";
}

GpuTrees::Card GpuTrees::card() {
  throw SimulationError(0.0, obstacle());
}

GpuTrees::GpuTrees(WalkParts parts) : parts_(std::move(parts)) {
  throw SimulationError(0.0, obstacle());
}

GpuTrees::~GpuTrees() = default;

std::int64_t GpuTrees::step(std::int64_t, double) {
  throw SimulationError(0.0, obstacle());
}

const std::vector<double>& GpuTrees::bodies() {
  return bodies_;
}

void GpuTrees::watch(std::span<const std::shared_ptr<const Mechanism>>, std::span<const Watched>) {
  throw SimulationError(0.0, obstacle());
}

std::vector<double> GpuTrees::watchedStates() const {
  throw SimulationError(0.0, obstacle());
}

std::vector<double> GpuTrees::work() const {
  throw SimulationError(0.0, obstacle());
}

void GpuTrees::place(std::span<const std::int64_t>, std::span<const MechanismMotion>) {
  throw SimulationError(0.0, obstacle());
}

void GpuTrees::setLoads(std::size_t, std::span<const double>, std::span<const double>) {
  throw SimulationError(0.0, obstacle());
}

}  // namespace polhode::ensemble
