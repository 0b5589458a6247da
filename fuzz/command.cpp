// What a page sends to the live server, message by message, to a session whose clock is ours.
#include "input.h"
#include "io/examples.h"
#include "server/session.h"

#include <sstream>

namespace {

using namespace polhode;

constexpr int mostMessages = 12, turnsAfterEach = 2;

live::Session makeSession(double& now) {
  static const ModelFile file = readModelText(findExample("simple-pendulum")->text, "simple-pendulum.toml");
  return live::Session({"simple-pendulum", file}, {}, [&now] { return now += 1e-3; });  // each look takes a while
}

/// Examples other than the smallest take long to set up, which is not what is looked for here.
bool takesLong(const live::Command& command) {
  const auto* choice = std::get_if<live::ChooseExample>(&command);
  const Example* example = choice ? findExample(choice->name) : nullptr;
  return example && example->text.size() > 1500;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  double now = 100.0;
  live::Session session = makeSession(now);
  std::istringstream messages(fuzz::textOf(data, size));
  int count = 0;
  for (std::string message; std::getline(messages, message) && count < mostMessages; ++count) {
    const auto command = live::parseCommand(message);
    if (!command || takesLong(*command)) continue;
    session.obey(*command);
    for (int turn = 0; turn < turnsAfterEach; ++turn) session.advance();
    const live::News news = session.takeNews();
    for (const std::string& notice : news.notices) fuzz::checkSentence(notice);
    if (!news.frame) fuzz::fault("a session without a frame");
  }
  session.finish();
  return 0;
}
