#pragma once

#include "polhode/math/types.h"
#include "server/watched.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What the page that steers may ask for. A message is one line of words and numbers:
///
///     play   pause   step   reset
///     back                            one step back, of what is kept of the past (kept_past.h)
///     seek 1.25                       is at that time of the past; `play` goes on from there
///     speed 0.5                       simulated seconds a second
///     integrator director-em          go on from here with another one
///     stepsize 0.001                  the same with another step; 0 lets the integrator choose
///     tolerance 1e-8
///     example heavy-top
///     own 0                           what was opened here, by its number in the status
///     member 17                       that one of the sweep that was opened
///     grab 2 0.1 0 0  1 2 3           body, point in the body, where it is to go in space
///     turn 2 0.1 0 0                  takes hold of a body at that point to turn it
///     drag 1.1 2 3                    where the point that is pulled is to go; of a body that is turned, by which turn (a rotation
///                                     vector in space, rad) away from how it stood when it was taken
///     lead 2 0 0.5                    takes hold of a coordinate of a joint, both by number, and leads it to that value
///     wish 0 0.1 0.2 0.3              leads actuator 0 there in place of its signal (of a joint's coordinate one number); `wish 0`
///                                     gives it back to its signal
///     strength 0 1.5                  force 0, a load, a torque or a motor, is that many times what the model gives it;
///                                     `strength 0` gives it back to its scale over time
///     release                         lets go of any of them
///     law receding-horizon 0.1 50     how the hand pulls: method, time constant, largest force
///     record on | off
///     replay 1                        shows a recording that was made here, by its number
///     name 1 first try                that recording is called so
///     watch body 2 joint 0            what is told more closely of (watched.h), at most eight parts; `watch` ends it
///     set body 2 mass 1.5             another value of a part's model file (part_settings.h); the motion goes on if it can
///     undo                            takes back the last `set`
///     steer                           makes this page the one that steers
namespace polhode::live {

struct Play {};
struct Pause {};
struct StepOnce {};
struct StepBack {};
struct Seek {
  double time;
};
struct Reset {};
struct ChooseSpeed {
  double factor;
};
struct ChooseIntegrator {
  std::string name;
};
struct ChooseStep {
  double seconds;
};
struct ChooseTolerance {
  double tolerance;
};
struct ChooseExample {
  std::string name;
};
struct ChooseOwn {
  std::size_t number;
};
struct ChooseMember {
  std::size_t number;
};
struct Grab {
  std::size_t body;
  Vector3 point;   // in the body frame, from the centre of mass
  Vector3 target;  // in space
};
struct Turn {
  std::size_t body;
  Vector3 point;  // in the body frame, from the centre of mass: where the hand is seen
};
struct Drag {
  Vector3 target;
};
struct Lead {
  std::size_t joint, coordinate;
  double target;  // m or rad
};
struct Wish {
  std::size_t actuator;
  std::optional<Vector3> target;  // the first component is a joint's coordinate
};
struct Strengthen {
  std::size_t force;
  std::optional<double> factor;
};
struct Release {};
struct ChooseLaw {
  std::string method;
  double timeConstant;
  double largestForce;
};
struct Record {
  bool on;
};
struct Replay {
  std::size_t number;
};
struct NameRecording {
  std::size_t number;
  std::string name;
};
struct Watch {
  std::vector<Part> parts;
};
struct ChangeSetting {
  Part part;
  std::string key;
  std::string value;  // TOML
};
struct Undo {};
struct Steer {};

using Command =
    std::variant<Play, Pause, StepOnce, StepBack, Seek, Reset, ChooseSpeed, ChooseIntegrator, ChooseStep,
                 ChooseTolerance, ChooseExample, ChooseOwn, ChooseMember, Grab, Turn, Drag, Lead, Wish, Strengthen,
                 Release, ChooseLaw, Record, Replay, NameRecording, Watch, ChangeSetting, Undo, Steer>;

/// The command that a message holds; nothing where it holds none, or numbers that make no sense.
std::optional<Command> parseCommand(std::string_view message);

}  // namespace polhode::live
