#include "command_tree.h"
#include "commands.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode::app {

namespace {

void explain(const CLI::App& program, const std::string& command) {
  if (command.empty()) {
    fmt::print("{}", program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal));
    return;
  }
  for (const CLI::App* each : commandsOf(program))
    if (each->get_name() == command) {
      fmt::print("{}", each->help(program.get_name()));
      return;
    }
  throw InputError(
      fmt::format("there is no command {}; {}", quoted(command), suggestion(command, commandNames(program))));
}

}  // namespace

void addHelp(CLI::App& app) {
  auto command = std::make_shared<std::string>();
  CLI::App* help = app.add_subcommand("help", "Explain a command: `polhode help run`.");
  help->add_option("COMMAND", *command, "One of the commands; all of them in short if not given");
  help->callback([&app, command] { explain(app, *command); });
}

}  // namespace polhode::app
