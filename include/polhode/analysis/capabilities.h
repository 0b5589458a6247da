#pragma once

namespace polhode {

/// How an engine steps, and what it can do besides that and being observed.
struct EngineCapabilities {
  int order = 0;               // of its steps; 0 where the integrator chooses that on the way
  bool choosesSteps = false;   // from a tolerance; otherwise all are of one length
  bool takesLoads = false;     // setLoad
  bool takesHands = false;     // grab, and the actuators of the model: hands lead bodies and joints
  bool goesOn = false;         // goOnFrom: the motion of all bodies can be taken over from elsewhere
  bool denseOutput = false;    // between the ends of steps the state is as accurate as there
  bool movesDrives = false;    // joints that follow a signal
  bool couplesJoints = false;  // gears, racks and screws
};

}  // namespace polhode
