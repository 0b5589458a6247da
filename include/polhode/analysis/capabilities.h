#pragma once

namespace polhode {

/// What an engine can do besides stepping and being observed.
struct EngineCapabilities {
  bool takesLoads = false;      // setLoad
  bool takesHands = false;      // setGrip: a hand leads a body from inside the steps
  bool goesOn = false;          // readMotion and goOnFrom: the motion of all bodies can be taken over from elsewhere
  bool denseOutput = false;     // between the ends of steps the state is as accurate as there
  bool movesDrives = false;     // joints that follow a signal
  bool movesActuators = false;  // hands that are part of the model
};

}  // namespace polhode
