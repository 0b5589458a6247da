#pragma once

#include "polhode/analysis/capabilities.h"
#include "polhode/analysis/observation.h"
#include "polhode/model/simulation.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polhode {

class Engine;
class Hand;

/// A pull from outside on a body: a force in space at a point of the body (from its centre of mass, in the body's axes), and
/// a torque in space.
struct Load {
  std::string body;
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero(), point = Vector3::Zero();
};

/// A hand that takes hold of a point of a body (from its centre of mass, in the body's axes) and leads it as a person does:
/// no stronger than it is, and feeding the mechanism no faster than somebody who stretches a spring. One that turns leads the
/// orientation of the body by a torque, wherever the body is.
struct Grip {
  std::string body;
  Vector3 point = Vector3::Zero();
  std::string method = "receding-horizon";  // how it follows, see docs/control.md
  double timeConstant = 0.1;                // within which it closes in, in seconds
  std::optional<double> largestForce{};     // in newtons; if not given, five times the weight of all bodies
  bool turns = false;  // by a torque, at most that of largestForce on an arm as long as the mechanism
};

/// A model in motion.
///
///     const ModelFile file = loadModel("jansen-walker");
///     Simulation walker(file.model, file.simulation);
///     walker.advanceTo(0.5);
///     walker.body("shaft").position();  walker.joint("crank").reaction();  walker.energy();
///
/// The model is checked as one from a file is, with the same sentences: bodies and names (model/validation.h), and whether
/// its joints are closed and stay so; what is off by a rounding is made exact (system/assembly.h). The integrator that the
/// settings name decides which engine moves it (engine_registry.h); of two engines for it the one is taken that lets
/// itself be pulled.
///
/// Input that does not fit throws InputError, a step that fails SimulationError; everything is as it was before then.
class Simulation {
 public:
  /// An end that is as good as none: eleven days.
  static constexpr double noEnd = 1e6;

  /// Without settings: by the integrator that is usual for such models (model/usual_settings.h), and without an end.
  explicit Simulation(const Model& model);
  Simulation(const Model& model, const SimulationSettings& settings);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  const Model& model() const;  // as checked
  const SimulationSettings& settings() const;
  const EngineCapabilities& capabilities() const;

  /// The time that is observed: where the last step ended, or where advanceTo was sent.
  double time() const;

  /// One step of the integrator, however long it makes it.
  void step();

  /// Steps until that time is reached, at most settings().end. Where it lies within the last step, what is observed is
  /// interpolated: as accurate as at the ends of steps where the engine has dense output, else the bodies for the eye, and
  /// energies, momenta and gaps are those where the step ended.
  void advanceTo(double time);

  // Observation ----------------------------------------------------------------------------------------------------------

  /// A body as it is now. Must not outlive the simulation.
  class BodyView {
   public:
    const Vector3& position() const;  // of the centre of mass, in space
    const Quaternion& orientation() const;
    const Vector3& velocity() const;         // of the centre of mass, in space
    const Vector3& angularVelocity() const;  // in the body's axes
    const Vector3& acceleration() const;     // of the centre of mass, in space

   private:
    friend class Simulation;
    BodyView(const Simulation& simulation, std::size_t index) : simulation_(simulation), index_(index) {}
    const Simulation& simulation_;
    std::size_t index_;
  };

  /// A joint as it is now. Must not outlive the simulation.
  class JointView {
   public:
    const Vector3& reaction() const;  // the force on its second body, in space
    const Vector3& torque() const;    // the torque on it, at the joint's point

    /// "angle" (turns counted on), "displacement", ..., and how fast it changes. Without a name its first.
    double coordinate(std::string_view name = "") const;
    double rate(std::string_view name = "") const;
    double angle() const { return coordinate("angle"); }

   private:
    friend class Simulation;
    JointView(const Simulation& simulation, std::size_t index) : simulation_(simulation), index_(index) {}
    const JointObservation::Coordinate& find(std::string_view name) const;
    const Simulation& simulation_;
    std::size_t index_;
  };

  /// By name; throws InputError with the nearest one where there is none.
  BodyView body(std::string_view name) const;
  JointView joint(std::string_view name) const;

  double energy() const;            // kinetic and potential
  double work() const;              // of what has no potential, since the beginning; energy() - work() is constant
  Vector3 momentum() const;         // linear
  Vector3 angularMomentum() const;  // about the origin of space

  /// All that can be said of this instant.
  const Observation& observe(Detail detail = Detail::forces) const;

  // What comes from outside ----------------------------------------------------------------------------------------------

  /// Pulls from now on in every step, in place of an earlier load on the same body. Throws InputError where the integrator does
  /// not take loads.
  void apply(const Load& load);
  void clearLoads();

  /// A hand that leads something. Must not outlive the simulation, nor be used after release() where grab() has made it.
  class HandView {
   public:
    /// From now on to that place in space; until the first call what it holds is left alone. An orientation is led to the
    /// turn away from the one at t = 0, or from the one that grab() found, a rotation vector in space; the coordinate of a joint to
    /// the first component.
    void leadTo(const Vector3& place);

    /// What it pulled with in the last step: a force, the torque on an orientation, or along a coordinate as first component.
    const Vector3& pull() const;

    void release();

   private:
    friend class Simulation;
    HandView(Simulation& simulation, Hand& hand) : simulation_(simulation), hand_(hand) {}
    Simulation& simulation_;
    Hand& hand_;
  };

  /// Takes hold of a body. Throws InputError where the integrator does not take hands, or a body without moments of inertia is to be
  /// turned.
  HandView grab(const Grip& grip);

  /// The actuator of that name, one that follows a live source.
  HandView hand(std::string_view actuator);

  /// Everything that what comes depends on, but for loads and what grab() has taken; a simulation of the same model and settings goes on from it bit
  /// by bit as this one. A multistep method (bdf) begins anew where it is saved: not between the ends of steps, where this
  /// throws InputError.
  std::string state();
  void restore(const std::string& state);

  /// What moves it, for what is part of polhode itself.
  Engine& engine();

 private:
  friend struct RunResult run(Simulation& simulation, const struct RunOptions& options);
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace polhode
