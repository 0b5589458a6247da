#include "command_tree.h"

namespace polhode::app {

std::vector<const CLI::App*> commandsOf(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> commandNames(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : commandsOf(program)) names.push_back(command->get_name());
  return names;
}

std::vector<CommandWord> wordsOf(const CLI::App& command) {
  std::vector<CommandWord> words;
  for (const CLI::Option* option : command.get_options()) {
    const bool takesValue = option->get_items_expected_max() > 0;
    CommandWord word{"", "", takesValue ? option->get_type_name() : "", option->get_description(),
                     option->get_lnames().empty() && option->get_snames().empty()};
    if (word.isArgument) {
      word.name = option->get_name(true);
    } else {
      if (!option->get_lnames().empty()) word.name = "--" + option->get_lnames().front();
      if (!option->get_snames().empty()) word.shortName = "-" + option->get_snames().front();
      if (word.name.empty()) word.name.swap(word.shortName);
    }
    words.push_back(word);
  }
  return words;
}

std::string listOfValues(const std::string& option) {
  for (const std::string& list : listNames())
    if (option == "--" + list || option + "s" == "--" + list) return list;
  return "";
}

}  // namespace polhode::app
