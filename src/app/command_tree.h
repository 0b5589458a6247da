#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// The commands of the program with their options, as help, completion and manual pages tell them. Whatever a command adds
/// to itself appears in all of these.
namespace polhode::app {

std::vector<const CLI::App*> commandsOf(const CLI::App& program);
std::vector<std::string> commandNames(const CLI::App& program);

/// An option or an argument of a command.
struct CommandWord {
  std::string name;         // "--step", or "MODEL" of an argument
  std::string shortName;    // "-h", or empty
  std::string value;        // "FLOAT"; empty where it takes none
  std::string description;  // one sentence
  bool isArgument;
};

std::vector<CommandWord> wordsOf(const CLI::App& command);

/// What `polhode list` has lists of: "coordinates", "examples", ...
std::vector<std::string> listNames();

/// What `polhode list` knows of the values of an option, such as "integrators" for --integrator; empty where it is nothing.
std::string listOfValues(const std::string& option);

}  // namespace polhode::app
