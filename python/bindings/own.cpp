// Forces and signals that are written in Python.

#include "bindings.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/system/forces/user_force.h"

#include <memory>

#include <fmt/format.h>

namespace polhode::python {

namespace {

/// A Python function that C++ may copy, call and forget in any thread, with or without the lock.
class Function {
 public:
  explicit Function(py::object function) : function_(std::make_shared<Kept>(std::move(function))) {}

  /// With the lock held.
  template <class... Arguments>
  py::object operator()(Arguments&&... arguments) const {
    return function_->object(std::forward<Arguments>(arguments)...);
  }

 private:
  struct Kept {
    explicit Kept(py::object o) : object(std::move(o)) {}
    ~Kept() {
      if (!Py_IsInitialized()) {
        object.release();  // with the interpreter it is gone as well
        return;
      }
      const py::gil_scoped_acquire lock;
      object.release().dec_ref();
    }
    py::object object;
  };
  std::shared_ptr<Kept> function_;
};

/// What a force in Python is told of a body.
struct BodyState {
  MovingPlacement moving;

  /// In space, from the directors and their rates: omega = 1/2 sum_i d_i x d_i'.
  Vector3 angularVelocity() const {
    Vector3 sum = Vector3::Zero();
    for (int i = 0; i < 3; ++i) sum += moving.at.D.col(i).cross(moving.rate.W.col(i));
    return 0.5 * sum;
  }
};

class PythonForce final : public UserForce {
 public:
  PythonForce(const std::string& name, int first, int second, py::object function)
      : UserForce(name, first, second), function_(std::move(function)) {}

  ElementWrenches wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const override {
    const py::gil_scoped_acquire lock;
    if (this->first() == groundIndex) return {{}, wrench(function_(t, BodyState{second}))};
    const py::object answer = function_(t, BodyState{first}, BodyState{second});
    if (!py::isinstance<py::sequence>(answer) || py::len(answer) != 2)
      throw InputError(
          fmt::format("force {}: the function of two bodies returned {}; return a pair, what acts on the "
                      "first body and what acts on the second",
                      quoted(name()), py::repr(answer).cast<std::string>()));
    const py::sequence both = answer;
    return {wrench(both[0]), wrench(both[1])};
  }

 private:
  /// A force, or a force and a torque.
  Wrench wrench(const py::object& given) const {
    const std::string what = fmt::format("force {}: what its function returned", quoted(name()));
    const bool isPair = (py::isinstance<py::tuple>(given) || py::isinstance<py::list>(given)) && py::len(given) == 2;
    if (!isPair) return {toVector(given, what.c_str()), Vector3::Zero()};
    const py::sequence pair = given;
    return {toVector(pair[0], what.c_str()), toVector(pair[1], what.c_str())};
  }

  Function function_;
};

int numberOf(const Model& model, const std::string& body) {
  std::vector<std::string> names{"ground"};
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].name == body) return static_cast<int>(i);
    names.push_back(model.bodies[i].name);
  }
  if (body == "ground") return groundIndex;
  throw InputError(fmt::format("there is no body {}; {}", quoted(body), suggestion(body, names)));
}

void addForce(ModelFile& file, const std::string& name, const std::string& first, const std::string& second,
              py::object function) {
  for (const Force& other : file.model.forces)
    if (other.name == name)
      throw InputError(fmt::format("force {} has the name of another force; give each its own", quoted(name)));
  if (second == "ground") throw InputError(fmt::format("force {} acts on the ground alone; name a body", quoted(name)));
  const int from = numberOf(file.model, first), on = numberOf(file.model, second);
  file.model.forces.push_back(userForce(std::make_shared<PythonForce>(name, from, on, std::move(function))));
}

template <class Part>
Part& find(std::vector<Part>& parts, const std::string& name, const char* kind) {
  std::vector<std::string> names;
  for (Part& part : parts) {
    if (part.name == name) return part;
    names.push_back(part.name);
  }
  throw InputError(fmt::format("there is no {} {}; {}", kind, quoted(name), suggestion(name, names)));
}

/// In place of what the model file says of it there.
void setSignal(ModelFile& file, const std::string& kind, const std::string& name, const std::string& key,
               const py::object& value, const py::object& rate, const py::object& acceleration) {
  const auto scalar = [&] { return signalOf(value, rate, acceleration, -1); };
  if (kind == "force" && key == "scale") {
    find(file.model.forces, name, "force").scale = scalar();
    return;
  }
  if (kind == "joint" && key == "length") {
    find(file.model.joints, name, "joint").length = scalar();
    return;
  }
  if (kind == "joint" && key.starts_with("drive.")) {
    const std::string coordinate = key.substr(6);
    for (CoordinateDrive& drive : find(file.model.joints, name, "joint").drives)
      if (drive.coordinate == coordinate) {
        drive.follow = scalar();
        return;
      }
  }
  if (kind == "actuator" && key == "follow") {
    Actuator& actuator = find(file.model.actuators, name, "actuator");
    if (actuator.quantity == LedQuantity::coordinate)
      actuator.follow = VectorSignal(scalar(), 0.0, 0.0);
    else
      actuator.follow = VectorSignal(signalOf(value, rate, acceleration, 0), signalOf(value, rate, acceleration, 1),
                                     signalOf(value, rate, acceleration, 2));
    return;
  }
  throw InputError(
      fmt::format("{} {} takes no function of time as its '{}'; functions are for force.NAME.scale, "
                  "joint.NAME.length, joint.NAME.drive.COORDINATE and actuator.NAME.follow",
                  kind, quoted(name), key));
}

}  // namespace

Signal signalOf(const py::object& value, const py::object& rate, const py::object& acceleration, int component) {
  const auto caller = [component](const py::object& function) -> std::function<double(double)> {
    if (function.is_none()) return nullptr;
    return [call = Function(function), component](double t) {
      const py::gil_scoped_acquire lock;
      const py::object answer = call(t);
      return component < 0 ? answer.cast<double>()
                           : toVector(answer, "what the function of a signal returned")[component];
    };
  };
  return Signal::function(caller(value), caller(rate), caller(acceleration));
}

void bindOwn(py::module_& module) {
  py::class_<BodyState>(module, "BodyState",
                        "A body as a force in Python sees it; what does not depend on it is in space.")
      .def_property_readonly(
          "position", [](const BodyState& body) { return toArray(body.moving.at.x); },
          "Of the centre of mass, in space, m.")
      .def_property_readonly(
          "velocity", [](const BodyState& body) { return toArray(body.moving.rate.v); },
          "Of the centre of mass, in space, m/s.")
      .def_property_readonly(
          "axes", [](const BodyState& body) { return toArray(body.moving.at.D); },
          "The principal axes in space, as columns. Over a step of a conserving integrator they are means, not quite "
          "of "
          "length one.")
      .def_property_readonly(
          "axes_rate", [](const BodyState& body) { return toArray(body.moving.rate.W); }, "Their rates, 1/s.")
      .def_property_readonly(
          "angular_velocity", [](const BodyState& body) { return toArray(body.angularVelocity()); }, "In space, rad/s.")
      .def(
          "point",
          [](const BodyState& body, const py::object& from) {
            return toArray(body.moving.at.point(toVector(from, "point")));
          },
          "Where a point of the body is, in space, m; given from the centre of mass along the principal axes.",
          py::arg("from_centre"))
      .def(
          "point_velocity",
          [](const BodyState& body, const py::object& from) {
            return toArray(body.moving.rate.point(toVector(from, "point")));
          },
          "How fast that point moves, in space, m/s.", py::arg("from_centre"));
  module.def("add_force", &addForce);
  module.def("set_signal", &setSignal);
}

}  // namespace polhode::python
