#pragma once

namespace polhode::app {

/// While it lives, Ctrl-C and SIGTERM do not end the program but are remembered, so that a run can end in order; the second
/// one ends it at once.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that came; zero if none.
  static int signal();
};

}  // namespace polhode::app
