#include "simulation.h"

#include "analysis/engine.h"
#include "bindings.h"
#include "polhode/error.h"

namespace polhode::python {

namespace {

using Shared = std::shared_ptr<PythonSimulation>;

/// What is part of a simulation, and keeps it.
template <class View>
struct PartOf {
  Shared whole;
  View view;
};
using BodyPart = PartOf<Simulation::BodyView>;
using JointPart = PartOf<Simulation::JointView>;

/// A hand that grab() has made is gone when it has let go.
struct HandPart : PartOf<Simulation::HandView> {
  bool isGrabbed, isGone = false;

  Simulation::HandView& held() {
    if (isGone) throw InputError("this hand has let go; take hold again with grab()");
    return view;
  }
};

/// A property of a part as an array.
template <class Part, class Property>
auto arrayOf(Property property) {
  return [property](const Part& part) {
    const Busy busy(*part.whole);
    return toArray((part.view.*property)());
  };
}

void advanceTo(PythonSimulation& self, double time) {
  const Busy busy(self);
  const py::gil_scoped_release unlocked;
  Interruptions interruptions;
  while (self.simulation.engine().stepper().time() < time) {
    self.simulation.step();
    interruptions.look();
  }
  self.simulation.advanceTo(time);
}

void step(PythonSimulation& self) {
  const Busy busy(self);
  const py::gil_scoped_release unlocked;
  self.simulation.step();
}

void steps(PythonSimulation& self, long count) {
  const Busy busy(self);
  const py::gil_scoped_release unlocked;
  Interruptions interruptions;
  for (long i = 0; i < count; ++i) {
    self.simulation.step();
    interruptions.look();
  }
}

void bindParts(py::module_& module) {
  py::class_<BodyPart>(module, "Body", "A body of a simulation as it is now. Each property is an array of its own.")
      .def_property_readonly("position", arrayOf<BodyPart>(&Simulation::BodyView::position),
                             "Of the centre of mass, in space, m.")
      .def_property_readonly("quaternion", arrayOf<BodyPart>(&Simulation::BodyView::orientation),
                             "The orientation (w, x, y, z), from the body's axes to space.")
      .def_property_readonly("velocity", arrayOf<BodyPart>(&Simulation::BodyView::velocity),
                             "Of the centre of mass, in space, m/s.")
      .def_property_readonly("angular_velocity", arrayOf<BodyPart>(&Simulation::BodyView::angularVelocity),
                             "In the body's axes, rad/s.")
      .def_property_readonly("acceleration", arrayOf<BodyPart>(&Simulation::BodyView::acceleration),
                             "Of the centre of mass, in space, m/s^2.");

  py::class_<JointPart>(module, "Joint", "A joint of a simulation as it is now.")
      .def_property_readonly("reaction", arrayOf<JointPart>(&Simulation::JointView::reaction),
                             "The force on its second body, at the joint's point, in space, N.")
      .def_property_readonly("torque", arrayOf<JointPart>(&Simulation::JointView::torque),
                             "The torque on its second body, at the joint's point, in space, N m.")
      .def(
          "coordinate",
          [](const JointPart& joint, const std::string& name) {
            const Busy busy(*joint.whole);
            return joint.view.coordinate(name);
          },
          "'angle' (rad, turns counted on), 'displacement' (m), ...; without a name its first. Zero at t = 0.",
          py::arg("name") = "")
      .def(
          "rate",
          [](const JointPart& joint, const std::string& name) {
            const Busy busy(*joint.whole);
            return joint.view.rate(name);
          },
          "How fast a coordinate changes, rad/s or m/s; without a name its first.", py::arg("name") = "")
      .def_property_readonly(
          "angle",
          [](const JointPart& joint) {
            const Busy busy(*joint.whole);
            return joint.view.angle();
          },
          "rad, turns counted on.");

  py::class_<HandPart>(module, "Hand", "A hand that leads a point, an orientation or a coordinate of a joint.")
      .def(
          "lead_to",
          [](HandPart& hand, const py::object& place) {
            const Busy busy(*hand.whole);
            hand.held().leadTo(py::isinstance<py::float_>(place) || py::isinstance<py::int_>(place)
                                   ? Vector3(place.cast<double>(), 0.0, 0.0)
                                   : toVector(place, "the place"));
          },
          "From now on to that place in space (m); an orientation to a turn away from the one at t = 0, or from "
          "the one that grab() found (a rotation vector in space, rad); the coordinate of a joint to a number.",
          py::arg("place"))
      .def_property_readonly(
          "pull",
          [](HandPart& hand) {
            const Busy busy(*hand.whole);
            return toArray(hand.held().pull());
          },
          "What it pulled with in the last step: a force (N), or a torque (N m) on an orientation; along a coordinate "
          "the "
          "first component. In space.")
      .def(
          "release",
          [](HandPart& hand) {
            const Busy busy(*hand.whole);
            hand.held().release();
            hand.isGone = hand.isGrabbed;
          },
          "Lets go. A hand that grab() has made is of no use afterwards.");
}

}  // namespace

void bindSimulation(py::module_& module) {
  bindParts(module);
  const auto value = [](auto property) {
    return [property](const PythonSimulation& self) {
      const Busy busy(self);
      return (self.simulation.*property)();
    };
  };
  const auto vector = [](auto property) {
    return [property](const PythonSimulation& self) {
      const Busy busy(self);
      return toArray((self.simulation.*property)());
    };
  };
  py::class_<PythonSimulation, Shared>(module, "Simulation")
      .def(py::init([](const ModelFile& file, const py::dict& words) {
        return std::make_shared<PythonSimulation>(file.model, settingsWith(file, words));
      }))
      .def_property_readonly("time", value(&Simulation::time), "Where the simulation is, s.")
      .def("step", &step, "One step of the integrator, however long it makes it.")
      .def("steps", &steps, "So many steps of the integrator. Ctrl-C ends it between two.", py::arg("count"))
      .def("advance_to", &advanceTo,
           "Steps until that time (s) is reached. Where it lies within the last step, what is observed is "
           "interpolated: as "
           "accurate as at the ends of steps where `capabilities` has dense_output, else the bodies for the eye, and "
           "energies, momenta and gaps are those where the step ended. Ctrl-C ends it between two steps.",
           py::arg("time"))
      .def_property_readonly("energy", value(&Simulation::energy), "Kinetic and potential, J.")
      .def_property_readonly("work", value(&Simulation::work),
                             "Of what has no potential, since the beginning, J; energy - work is constant.")
      .def_property_readonly("momentum", vector(&Simulation::momentum), "Linear, in space, kg m/s.")
      .def_property_readonly("angular_momentum", vector(&Simulation::angularMomentum),
                             "About the origin of space, in space, kg m^2/s.")
      .def(
          "body",
          [](const Shared& self, const std::string& name) {
            return BodyPart{self, self->simulation.body(name)};
          },
          "The body of that name.", py::arg("name"))
      .def(
          "joint",
          [](const Shared& self, const std::string& name) {
            return JointPart{self, self->simulation.joint(name)};
          },
          "The joint of that name.", py::arg("name"))
      .def(
          "observe",
          [](const PythonSimulation& self, bool forces) {
            const Busy busy(self);
            return toDict(self.simulation.observe(forces ? Detail::forces : Detail::motion));
          },
          "All that can be said of this instant, in the words of `polhode run --json`. Without forces it costs less: "
          "no "
          "reactions and no accelerations.",
          py::arg("forces") = true)
      .def(
          "apply",
          [](PythonSimulation& self, const std::string& body, const py::object& force, const py::object& torque,
             const py::object& point) {
            const Busy busy(self);
            self.simulation.apply(
                {body, toVector(force, "force"), toVector(torque, "torque"), toVector(point, "point")});
          },
          "Pulls at a body from now on in every step, in place of an earlier load on the same body: a force (N, in "
          "space) at "
          "a point of the body (m, from its centre of mass, in the body's axes) and a torque (N m, in space).",
          py::arg("body"), py::arg("force") = py::make_tuple(0, 0, 0), py::arg("torque") = py::make_tuple(0, 0, 0),
          py::arg("point") = py::make_tuple(0, 0, 0))
      .def(
          "clear_loads",
          [](PythonSimulation& self) {
            const Busy busy(self);
            self.simulation.clearLoads();
          },
          "Takes all loads of apply() away.")
      .def(
          "grab",
          [](const Shared& self, const std::string& body, const py::object& point, const std::string& method,
             double timeConstant, const py::object& largestForce, bool turns) {
            const Busy busy(*self);
            Grip grip{body, toVector(point, "point"), method, timeConstant};
            grip.turns = turns;
            if (!largestForce.is_none()) grip.largestForce = largestForce.cast<double>();
            return HandPart{{self, self->simulation.grab(grip)}, true};
          },
          "Takes hold of a point of a body (m, from its centre of mass, in the body's axes). `method` is how it "
          "follows "
          "(docs/control.md), `time_constant` within which it closes in (s), `largest_force` in N; if not given, five "
          "times "
          "the weight of all bodies. With `turns` it leads the body's orientation by a torque, at most that of "
          "`largest_force` on an arm as long as the mechanism, to turns away from the one that it has now.",
          py::arg("body"), py::arg("point") = py::make_tuple(0, 0, 0), py::arg("method") = "receding-horizon",
          py::arg("time_constant") = 0.1, py::arg("largest_force") = py::none(), py::arg("turns") = false)
      .def(
          "hand",
          [](const Shared& self, const std::string& actuator) {
            const Busy busy(*self);
            return HandPart{{self, self->simulation.hand(actuator)}, false};
          },
          "The actuator of that name, one that follows \"live\".", py::arg("actuator"))
      .def(
          "state",
          [](PythonSimulation& self) {
            const Busy busy(self);
            return py::bytes(self.simulation.state());
          },
          "Everything that what comes depends on, as bytes, but for loads and what grab() has taken.")
      .def(
          "restore",
          [](PythonSimulation& self, const py::bytes& state) {
            const Busy busy(self);
            self.simulation.restore(state);
          },
          "Goes on from a state() of the same model and settings, bit by bit.", py::arg("state"))
      .def_property_readonly(
          "capabilities",
          [](const PythonSimulation& self) {
            const EngineCapabilities& able = self.simulation.capabilities();
            py::dict words;
            words["order"] = able.order;
            words["chooses_steps"] = able.choosesSteps;
            words["loads"] = able.takesLoads;
            words["hands"] = able.takesHands;
            words["dense_output"] = able.denseOutput;
            words["drives"] = able.movesDrives;
            words["couplings"] = able.couplesJoints;
            return words;
          },
          "How the integrator steps (order 0: it chooses that on the way), and what it can do besides that.");
}

}  // namespace polhode::python
