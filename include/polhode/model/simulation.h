#pragma once

#include <optional>
#include <string>

namespace polhode {

/// Baumgarte's stabilisation: constraints on the level of acceleration as g'' + 2 alpha g' + beta^2 g = 0.
struct Baumgarte {
  double alpha = 0.0, beta = 0.0;
};

/// How a model is to be simulated: the [simulation] table of a model file, or the flags of the command line.
struct SimulationSettings {
  std::string coordinates = "quaternion";  // quaternion director euler313 cardan
  std::string formulation = "null-space";  // null-space absolute index-1 index-2 index-3
  std::string integrator = "dop853";
  std::string projection = "none";     // none explicit polar; after every step
  std::optional<Baumgarte> baumgarte;  // with formulations absolute and index-1 of mechanisms
  std::optional<double> step;          // for integrators of fixed step; first step of the others
  std::optional<double> largestStep;   // of integrators that choose their step; by default what the signals ask for
  double tolerance = 1e-9;             // relative and absolute
  int threads = 1;  // that share the steps of a large mechanism (director-em); the bits stay the same
  double end = 1.0;
  std::optional<double> outputEvery;  // even output times; every step if not given
  std::string stopWhen;               // "top.position.z=0": end where this crosses; empty for never
};

}  // namespace polhode
