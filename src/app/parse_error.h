#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace polhode::app {

/// What was wrong with a command line, in one sentence: a command or an option that does not exist with those that do.
std::string parseErrorSentence(const CLI::App& program, const CLI::ParseError& error);

}  // namespace polhode::app
