#include "command_tree.h"
#include "commands.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

/// Scripts with which a shell completes what is typed: commands, their options, and the names that `polhode list` knows.
namespace polhode::app {

namespace {

/// What the first argument of a command may be, as `polhode list` has it: "examples" where a model is asked for.
std::string listOfArgument(const CLI::App& command) {
  for (const CommandWord& word : wordsOf(command)) {
    if (!word.isArgument) continue;
    if (word.name == "MODEL") return "examples";
    if (word.name == "NAME") return "studies";
  }
  return "";
}

constexpr const char* shells[] = {"bash", "zsh", "fish"};

/// What else it may be, where there are few.
std::vector<std::string> wordsOfArgument(const CLI::App& program, const CLI::App& command) {
  if (command.get_name() == "help") return commandNames(program);
  if (command.get_name() == "list") return listNames();
  if (command.get_name() == "completion") return {std::begin(shells), std::end(shells)};
  return {};
}

std::string namesOf(const std::string& list) {
  return fmt::format("$(polhode list {} 2>/dev/null | cut -d' ' -f1)", list);
}

std::string bashScript(const CLI::App& program) {
  const auto choice = [](const std::string& pattern, const std::string& words) {
    return fmt::format("    {}) words=\"{}\" ;;\n", pattern, words);
  };
  std::string options, values, arguments;
  std::set<std::string> valued;  // options whose values `polhode list` knows
  for (const CLI::App* command : commandsOf(program)) {
    std::vector<std::string> names;
    for (const CommandWord& word : wordsOf(*command)) {
      if (!word.isArgument) names.push_back(word.name);
      if (!listOfValues(word.name).empty()) valued.insert(word.name);
    }
    options += choice(command->get_name(), fmt::format("{}", fmt::join(names, " ")));
    if (const std::string list = listOfArgument(*command); !list.empty())
      arguments += choice(command->get_name(), namesOf(list));
    else if (const std::vector<std::string> words = wordsOfArgument(program, *command); !words.empty())
      arguments += choice(command->get_name(), fmt::format("{}", fmt::join(words, " ")));
  }
  for (const std::string& option : valued) values += choice(option, namesOf(listOfValues(option)));
  return fmt::format(
      R"(_polhode() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words=
  if ((COMP_CWORD == 1)); then
    words="{} --help --version"
  elif [[ $before == --* && $word != -* ]]; then
    case $before in
{}    esac
  elif [[ $word == -* ]]; then
    case $command in
{}    esac
  else
    case $command in
{}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o bashdefault -o default -F _polhode polhode
)",
      fmt::join(commandNames(program), " "), values, options, arguments);
}

std::string zshScript(const CLI::App& program) {
  return "#compdef polhode\nautoload -U +X bashcompinit && bashcompinit\n" + bashScript(program);
}

/// A text between single quotes, as fish reads it.
std::string quotedForFish(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string fishScript(const CLI::App& program) {
  std::string text;
  const auto names = [](const std::string& list) {
    return fmt::format("'(polhode list {} 2>/dev/null | string split -f1 \" \")'", list);
  };
  for (const CLI::App* command : commandsOf(program)) {
    const std::string inside = fmt::format("__fish_seen_subcommand_from {}", command->get_name());
    text += fmt::format("complete -c polhode -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                        quotedForFish(command->get_description()));
    if (const std::string list = listOfArgument(*command); !list.empty())
      text += fmt::format("complete -c polhode -n '{}' -a {}\n", inside, names(list));
    else if (const std::vector<std::string> words = wordsOfArgument(program, *command); !words.empty())
      text += fmt::format("complete -c polhode -n '{}' -f -a '{}'\n", inside, fmt::join(words, " "));
    for (const CommandWord& word : wordsOf(*command)) {
      if (word.isArgument || !word.name.starts_with("--")) continue;
      const std::string list = listOfValues(word.name);
      text += fmt::format("complete -c polhode -n '{}' -l {}{} -d {}\n", inside, word.name.substr(2),
                          !list.empty()         ? " -x -a " + names(list)
                          : !word.value.empty() ? " -r"
                                                : "",
                          quotedForFish(word.description));
    }
  }
  return text;
}

void printScript(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return fmt::print("{}", bashScript(program));
  if (shell == "zsh") return fmt::print("{}", zshScript(program));
  if (shell == "fish") return fmt::print("{}", fishScript(program));
  throw InputError(fmt::format("there is no completion for {}; {}", quoted(shell),
                               suggestion(shell, {std::begin(shells), std::end(shells)})));
}

}  // namespace

void addCompletion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion = app.add_subcommand(
      "completion", "Print a script that completes what is typed: source <(polhode completion bash)");
  completion->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  completion->callback([&app, shell] { printScript(app, *shell); });
}

}  // namespace polhode::app
