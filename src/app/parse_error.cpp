#include "parse_error.h"

#include "command_tree.h"
#include "model/suggestion.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace polhode::app {

namespace {

/// "--step" or "-h", but not "-1".
bool isOption(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1])) && word[1] != '.';
}

std::vector<std::string> optionsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CommandWord& word : wordsOf(command))
    if (!word.isArgument) names.push_back(word.name);
  return names;
}

}  // namespace

std::string parseErrorSentence(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<CLI::App*> given = program.get_subcommands();
  const CLI::App& command = given.empty() ? program : *given.front();
  const std::vector<std::string> unknown = command.remaining();
  const std::string called = given.empty() ? "polhode" : "polhode " + command.get_name();

  const auto option = std::find_if(unknown.begin(), unknown.end(), isOption);
  if (option != unknown.end()) {
    const std::string name = option->substr(0, option->find('='));
    return fmt::format("{}: there is no option {}; {}", called, quoted(name), suggestion(name, optionsOf(command)));
  }
  if (given.empty() && !unknown.empty())
    return fmt::format("polhode: there is no command {}; {}", quoted(unknown.front()),
                       suggestion(unknown.front(), commandNames(program)));
  if (given.empty() && dynamic_cast<const CLI::RequiredError*>(&error))
    return fmt::format("polhode: give a command; {}", suggestion("", commandNames(program)));
  return fmt::format("{}: {}; see `{} --help`", called, error.what(), called);
}

}  // namespace polhode::app
