#pragma once

#include <stdexcept>
#include <string>

namespace polhode {

/// Something is wrong with what the user gave: a model, an option, a name. The text is one sentence that
/// names the thing, says what is wrong and what to do. The command line ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A simulation could not go on: a step failed, a coordinate became singular. The text says when, what
/// happened and what to do. The command line ends with exit code 3; what was recorded is kept.
class SimulationError : public std::runtime_error {
 public:
  SimulationError(double time, const std::string& what) : std::runtime_error(what), time_(time) {}
  double time() const { return time_; }

 private:
  double time_;
};

}  // namespace polhode
