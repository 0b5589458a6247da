#include "commands.h"
#include "faster_twin.h"
#include "parse_error.h"
#include "polhode/error.h"

#include <csignal>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

namespace {

/// One line on standard error, whatever the message.
int complain(const std::string& text, int code) {
  fmt::print(stderr, "{}\n", text);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace polhode;
  app::handOverToFasterTwin(argv);
  CLI::App program{
      "polhode simulates rigid bodies without singularities and without drift.\n"
      "Begin with `polhode list examples` and `polhode run MODEL`."};
  program.name("polhode");
  program.set_version_flag("--version", POLHODE_VERSION);
  program.require_subcommand(1);
#define POLHODE_ADD(Name) app::add##Name(program);
  POLHODE_COMMANDS(POLHODE_ADD)
#undef POLHODE_ADD

  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing, with a sentence of its own
  try {
    program.parse(argc, argv);
    return app::success;
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return complain(app::parseErrorSentence(program, error), app::badInput);
  } catch (const InputError& error) {
    return complain(error.what(), app::badInput);
  } catch (const SimulationError& error) {
    return complain(error.what(), app::failedSimulation);
  } catch (const std::exception& error) {
    return complain(fmt::format("polhode: internal error: {}", error.what()), app::internalError);
  }
}
