#pragma once

#include <memory>
#include <string>

/// A chain of rods in different simulators: N solid cylinders of 1 m, 1 kg and radius 0.05 m along x, on ball joints or on
/// hinges about y, let go from the horizontal, g = 9.81 along -z.
namespace chain_bench {

constexpr double length = 1.0, mass = 1.0, radius = 0.05, gravity = 9.81, step = 1e-3, end = 1.0;
constexpr double inertiaAlong = 0.5 * mass * radius * radius;
constexpr double inertiaAcross = mass * (3.0 * radius * radius + length * length) / 12.0;

struct Energy {
  double kinetic, potential;
};

/// One simulator with one chain.
class Chain {
 public:
  virtual ~Chain() = default;
  virtual void reset() = 0;
  virtual void advance() = 0;  // by one step of 1e-3 s
  virtual Energy energy() = 0;
  virtual double iterations() const { return 0.0; }  // of Newton's method a step, where there are some
};

std::unique_ptr<Chain> polhodeChain(int count, bool hinged);
std::unique_ptr<Chain> simbodyChain(int count,
                                    bool hinged);            // SemiExplicitEuler2, fixed step; null where not installed
std::unique_ptr<Chain> mujocoChain(int count, bool hinged);  // RK4; null where not installed

}  // namespace chain_bench
