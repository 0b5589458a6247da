#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

/// Mechanisms of hinges and ball joints, with loops, in different simulators. What they are is said once, without the headers of
/// any of them, so that each can be made of it.
namespace loop_bench {

using Three = std::array<double, 3>;

/// All bodies stand along the axes of space at t = 0.
struct Part {
  double mass;
  std::array<double, 6> inertia;  // about the centre of mass: xx yy zz xy xz yz
  Three position, velocity, angularVelocity;
};

/// Between two bodies, by their numbers; -1 is the ground.
struct Connection {
  int first, second;
  bool isHinge;
  Three point, axis;
};

struct Case {
  std::string name;
  Three gravity;
  std::vector<Part> parts;         // parents before their children
  std::vector<int> jointOfParent;  // of each part the connection to its parent, whose second it is; -1 where it is free
  std::vector<Connection> joints;  // those of the tree
  std::vector<Connection> closing;  // those that close loops: points that are held on each other
};

/// One simulator with one mechanism.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;

  /// Back to the start, to be moved by steps of this length, or to an end as accurately as this.
  virtual void startSteps(double step) = 0;
  virtual void startTo(double end, double tolerance) = 0;
  virtual void step() = 0;     // one fixed step
  virtual void advance() = 0;  // to the end
  virtual double energy() = 0;
  virtual double kineticEnergy() = 0;
  virtual std::vector<Three> positions() = 0;  // of the centres of mass
  virtual double gap() = 0;                    // of the joint that is widest open, m
};

/// By its own constraints and SemiExplicitEuler2, or Runge-Kutta-Merson with a tolerance; null where it is not installed.
std::unique_ptr<Peer> simbodyPeer(const Case& mechanism);

/// Its equalities, which are springs as stiff as the step allows, and RK4; null where it is not installed. It knows no
/// tolerance: the step is taken instead.
std::unique_ptr<Peer> mujocoPeer(const Case& mechanism);

}  // namespace loop_bench
