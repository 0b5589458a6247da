#include "command_tree.h"
#include "commands.h"
#include "io/whole_file.h"

#include <filesystem>

#include <fmt/format.h>

/// Manual pages (man 7 man) of the program and of each command, from what the command line itself says.
namespace polhode::app {

namespace {

/// Text in which troff finds no request and no hyphen that breaks.
std::string plain(const std::string& text) {
  std::string result;
  bool atStart = true;
  for (const char c : text) {
    if (atStart && (c == '.' || c == '\'')) result += "\\&";
    if (c == '-' || c == '\\') result += '\\';
    result += c;
    atStart = c == '\n';
  }
  return result;
}

std::string section(const std::string& title, const std::string& text) {
  return fmt::format(".SH {}\n{}\n", title, text);
}

std::string entry(const std::string& bold, const std::string& value, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", plain(bold), value.empty() ? "" : " \\fI" + plain(value) + "\\fR",
                     plain(text));
}

std::string firstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string optionEntries(const CLI::App& command) {
  std::string text;
  for (const CommandWord& word : wordsOf(command))
    text += entry(word.shortName.empty() ? word.name : word.shortName + ", " + word.name,
                  word.isArgument ? "" : word.value, word.description);
  return text;
}

std::string synopsis(const CLI::App& command) {
  std::string text = fmt::format("\\fBpolhode {}\\fR [\\fIoptions\\fR]", command.get_name());
  for (const CommandWord& word : wordsOf(command))
    if (word.isArgument) text += fmt::format(" \\fI{}\\fR", word.name);
  return text;
}

const char* exitCodes =
    ".TP\n0\nall went well\n.TP\n1\nan error of polhode itself\n.TP\n2\nthe input is wrong, and the message says "
    "where\n"
    ".TP\n3\nthe simulation could not go on; what was reached before is told and written\n"
    ".TP\n130, 143\nended in order by Ctrl\\-C or SIGTERM\n";

std::string commandPage(const CLI::App& command) {
  const std::string name = "polhode-" + command.get_name();
  return fmt::format(".TH {} 1 \"\" \"polhode {}\"\n", plain(name), POLHODE_VERSION) +
         section("NAME", plain(name) + " \\- " + plain(firstLine(command.get_description()))) +
         section("SYNOPSIS", synopsis(command)) + section("DESCRIPTION", plain(command.get_description())) +
         section("OPTIONS", optionEntries(command)) + section("EXIT STATUS", exitCodes) +
         section("SEE ALSO", "\\fBpolhode\\fR(1)");
}

std::string programPage(const CLI::App& program) {
  std::string commands;
  for (const CLI::App* command : commandsOf(program))
    commands += entry("polhode " + command->get_name(), "", command->get_description());
  return fmt::format(".TH polhode 1 \"\" \"polhode {}\"\n", POLHODE_VERSION) +
         section("NAME", "polhode \\- rigid bodies without singularities and without drift") +
         section("SYNOPSIS", "\\fBpolhode\\fR \\fIcommand\\fR [\\fIoptions\\fR]") +
         section("DESCRIPTION", plain(program.get_description())) + section("COMMANDS", commands) +
         section("EXIT STATUS", exitCodes);
}

void writePages(const CLI::App& program, const std::filesystem::path& folder) {
  writeWholeFile(folder / "polhode.1", programPage(program));
  for (const CLI::App* command : commandsOf(program))
    writeWholeFile(folder / ("polhode-" + command->get_name() + ".1"), commandPage(*command));
}

}  // namespace

void addMan(CLI::App& app) {
  auto folder = std::make_shared<std::string>();
  CLI::App* man = app.add_subcommand("man", "Write the manual pages into a folder, as the installation does.");
  man->add_option("FOLDER", *folder, "Where to; made if it is not there")->required();
  man->callback([&app, folder] { writePages(app, *folder); });
}

}  // namespace polhode::app
