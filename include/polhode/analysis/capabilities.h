#pragma once

namespace polhode {

/// What an engine can do besides stepping and being observed.
struct EngineCapabilities {
  bool takesLoads = false;     // setLoad
  bool takesHands = false;     // grab, and the actuators of the model: hands lead bodies and joints
  bool goesOn = false;         // goOnFrom: the motion of all bodies can be taken over from elsewhere
  bool denseOutput = false;    // between the ends of steps the state is as accurate as there
  bool movesDrives = false;    // joints that follow a signal
  bool couplesJoints = false;  // gears, racks and screws
};

}  // namespace polhode
