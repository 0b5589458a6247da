#pragma once

#include "polhode/analysis/recording.h"
#include "polhode/analysis/row_sink.h"
#include "polhode/analysis/simulation.h"
#include "polhode/integrate/work_counts.h"
#include "polhode/model/conservation.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace polhode {

/// Where a run may go on later, bit by bit as if it had not stopped.
struct Checkpoint {
  double time = 0.0;
  std::int64_t rows = 0;  // recorded until then
  std::string state;      // of the simulation and of those who watch it (integrate/archive.h)
};

/// How a run is to be watched.
struct RunOptions {
  double end = 1.0;
  std::optional<double> outputEvery;                  // even output times; every step if not given
  std::string stopWhen;                               // "top.position.z=0"; empty for never
  bool record = false;                                // keep a Recording, in memory
  RowSink* rows = nullptr;                            // where the rows go as they happen
  Conservation conserved;                             // what ought to be conserved, to be watched
  std::optional<double> openJoints;                   // a gap of joints, in metres, that is warned of
  std::function<void(double time)> progress;          // called now and then
  std::optional<double> checkpointEvery;              // seconds between two checkpoints
  std::function<void(const Checkpoint&)> checkpoint;  // takes each of them
  const Checkpoint* resumeFrom = nullptr;             // where to go on instead of at the beginning
  std::function<bool()> interrupted;                  // asked after every step; a run that is interrupted ends in order
};

/// How well a momentum was conserved that ought to be.
struct MomentumDrift {
  ConservedMomentum momentum;
  double drift = 0.0;  // largest, relative to the largest momentum of its kind
};

/// The same of a . p in a system that is not made of bodies.
struct GeneralisedDrift {
  std::vector<double> direction;
  double initial = 0.0, final = 0.0;
  double drift = 0.0;  // largest, relative to the largest |p|
};

/// What came of a run.
struct RunResult {
  Observation initial, final;
  std::optional<double> nodeEnergyDrift;           // the same for the energy of the velocities at the nodes
  double energyDrift = 0.0;                        // largest, relative to the largest part of the energy
  double balanceError = 0.0;                       // the same for energy less the work of loads and dampers
  Vector3 linearMomentumDrift = Vector3::Zero();   // largest, by component, relative to the largest |P|
  Vector3 angularMomentumDrift = Vector3::Zero();  // largest, by component, relative to the largest |L|
  Conservation conserved;                          // what ought to be conserved
  std::vector<MomentumDrift> conservedMomenta;     // and how well it was
  std::vector<GeneralisedDrift> generalisedMomenta;
  double positionViolation = 0.0;  // largest
  double velocityViolation = 0.0;
  WorkCounts work;
  double wallSeconds = 0.0;
  bool stoppedByEvent = false;
  bool interrupted = false;  // everything above is as far as it came
  std::string warning;       // of the integrator about this model
  std::string failure;       // why the run ended early, if it did; everything above is as far as it came
  Recording recording;

  /// Whether the energy is balanced by work rather than conserved.
  bool hasBalance() const { return !conserved.energy || final.work != 0.0; }
};

/// Runs a simulation from where it is to the end, projecting after each step where that was asked for.
/// A SimulationError ends the run early and is told in `failure`; nothing is lost. Throws InputError if `stopWhen`
/// cannot be understood.
RunResult run(Simulation& simulation, const RunOptions& options);

/// The same of what is not a model, such as a system of equations (system_engine.h).
RunResult run(Engine& engine, const RunOptions& options);

/// What the settings of a model say about how it is to be watched.
RunOptions runOptions(const Model& model, const SimulationSettings& settings);

/// Judges the model as Simulation does, makes the engine and runs it.
RunResult simulate(const Model& model, const SimulationSettings& settings, bool record = false);

}  // namespace polhode
