#pragma once

#include <CLI/CLI.hpp>

namespace polhode::app {

// Each adds one command with its options and its help to the command line; the command runs when it is parsed.
void addRun(CLI::App& app);
void addResume(CLI::App& app);
void addCheck(CLI::App& app);
void addEquilibrium(CLI::App& app);
void addModes(CLI::App& app);
void addInverse(CLI::App& app);
void addList(CLI::App& app);
void addStudy(CLI::App& app);
void addLive(CLI::App& app);
void addHelp(CLI::App& app);
void addCompletion(CLI::App& app);
void addMan(CLI::App& app);

/// The exit codes of the program.
enum ExitCode { success = 0, internalError = 1, badInput = 2, failedSimulation = 3 };

}  // namespace polhode::app
