#include "support/command.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

namespace polhode::help_command_test {
namespace {

TEST(HelpCommand, PrintsWhatTheCommandItselfPrints) {
  for (const std::string command : {"run", "check", "live", "completion"})
    EXPECT_EQ(test::polhode("help " + command).output, test::polhode(command + " --help").output) << command;
  EXPECT_EQ(test::polhode("help").output, test::polhode("--help").output);
  const test::CommandResult unknown = test::polhode("help rnu");
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_NE(unknown.errors.find("'run'"), std::string::npos) << unknown.errors;
}

/// What bash offers for the last word of a line.
std::string offered(const std::string& script, const std::string& words, int last) {
  const test::TemporaryFolder folder;
  const std::string question = folder / "question", answer = folder / "answer";
  const std::string place = std::filesystem::path(POLHODE_COMMAND).parent_path().string();
  std::ofstream(question) << "PATH=" << place << ":$PATH\n"
                          << script << "COMP_WORDS=(" << words << ")\nCOMP_CWORD=" << last
                          << "\n_polhode\necho -n \"${COMPREPLY[*]}\"\n";
  EXPECT_EQ(std::system(("bash " + question + " >" + answer).c_str()), 0);
  return test::readFile(answer);
}

TEST(CompletionCommand, OffersCommandsOptionsAndNames) {
  const std::string script = test::polhode("completion bash").output;
  EXPECT_EQ(offered(script, "polhode re", 1), "resume");
  EXPECT_EQ(offered(script, "polhode run --check", 2), "--checkpoint");
  EXPECT_EQ(offered(script, "polhode run jansen", 2), "jansen-walker");
  EXPECT_EQ(offered(script, "polhode run bennett --integrator dop8", 4), "dop853");
  EXPECT_EQ(offered(script, "polhode list exam", 2), "examples");
  for (const char* shell : {"zsh", "fish"}) {
    const test::CommandResult result = test::polhode(std::string("completion ") + shell);
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_NE(result.output.find("checkpoint"), std::string::npos);
  }
  EXPECT_EQ(test::polhode("completion csh").exitCode, 2);
}

TEST(ManCommand, WritesAPageOfEachCommand) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(test::polhode("man " + (folder / "man1")).exitCode, 0);
  for (const char* page : {"polhode", "polhode-run", "polhode-resume", "polhode-list"}) {
    std::ifstream file(folder / ("man1/" + std::string(page) + ".1"));
    std::string first;
    std::getline(file, first);
    EXPECT_EQ(first.substr(0, 4), ".TH ") << page;
  }
}

}  // namespace
}  // namespace polhode::help_command_test
