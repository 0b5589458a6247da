#include "system/named_system.h"

#include "polhode/error.h"
#include "system/examples/mass_spring.h"
#include "system/examples/spring_pendulum.h"

#include <numbers>

#include <fmt/format.h>

namespace polhode {

namespace {

template <class System>
std::unique_ptr<SmoothSystem> make() {
  return std::make_unique<System>();
}

VectorX massSpringState() {
  VectorX state(6);
  state << 0, 1.1, 0, 1, 1, -1;
  return state;
}

VectorX springPendulumState() {
  VectorX state(6);
  state << 1.05, std::numbers::pi / 2, 0, 0, 1, 1;
  return state;
}

const NamedSystem systems[] = {
    {"mass-spring",
     "two masses on nonlinear springs in redundant coordinates, singular mass matrix (Kinon & Betsch 5.1)",
     make<MassSpring>, massSpringState, 0.1, 10.0},
    {"spring-pendulum",
     "a mass on a nonlinear spring in spherical coordinates, mass matrix depends on them (Kinon & Betsch "
     "5.2)",
     make<SpringPendulum>, springPendulumState, 0.01, 1.0},
};

}  // namespace

std::span<const NamedSystem> namedSystems() {
  return systems;
}

const NamedSystem& namedSystem(std::string_view name) {
  std::string known;
  for (const NamedSystem& system : systems) {
    if (name == system.name) return system;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", system.name);
  }
  throw InputError(fmt::format("there is no system '{}'; there are {}", name, known));
}

}  // namespace polhode
