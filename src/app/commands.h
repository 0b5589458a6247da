#pragma once

#include <CLI/CLI.hpp>

namespace polhode::app {

/// All commands, in the order of the help. Each is a file with a function `addRun`, ... that adds it, with its options and
/// its help, to the command line; it runs when it is parsed.
#define POLHODE_COMMANDS(COMMAND) \
  COMMAND(Run)                    \
  COMMAND(Sweep)                  \
  COMMAND(Resume)                 \
  COMMAND(Check)                  \
  COMMAND(Equilibrium)            \
  COMMAND(Modes)                  \
  COMMAND(Inverse)                \
  COMMAND(List)                   \
  COMMAND(Study)                  \
  COMMAND(Live)                   \
  COMMAND(Help)                   \
  COMMAND(Completion)             \
  COMMAND(Man)

#define POLHODE_DECLARE(Name) void add##Name(CLI::App& app);
POLHODE_COMMANDS(POLHODE_DECLARE)
#undef POLHODE_DECLARE

/// The exit codes of the program.
enum ExitCode { success = 0, internalError = 1, badInput = 2, failedSimulation = 3 };

}  // namespace polhode::app
