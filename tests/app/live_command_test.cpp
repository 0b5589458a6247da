#include "polhode/io/recording.h"
#include "support/command.h"
#include "support/live_client.h"

#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>

namespace polhode::live_command_test {
namespace {

/// `polhode live ...` as a process of its own.
class LiveProcess {
 public:
  explicit LiveProcess(const std::vector<std::string>& arguments) : output_(folder_ / "out") {
    std::vector<std::string> words = {POLHODE_COMMAND, "live", "--port", "0"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (posix_spawn(&process_, POLHODE_COMMAND, &actions, nullptr, pointers.data(), environ) != 0)
      throw std::runtime_error("cannot start " POLHODE_COMMAND);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~LiveProcess() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }

  /// The port that it has told.
  unsigned short port() const {
    const std::string start = "http://127.0.0.1:";
    for (;;) {
      const std::string told = test::readFile(output_);
      if (told.starts_with(start) && told.find('/', start.size()) != std::string::npos)
        return static_cast<unsigned short>(std::stoi(told.substr(start.size())));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  /// Ends it by a signal; its exit code.
  int end(int signal) {
    ::kill(process_, signal);
    int status = 0;
    ::waitpid(std::exchange(process_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  test::TemporaryFolder folder_;
  std::string output_;
  pid_t process_ = 0;
};

TEST(LiveCommandLine, CtrlCEndsItWithItsRecordingComplete) {
  const test::TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string path = folder / "all.h5";
    LiveProcess process({"heavy-top", "--out", path});
    test::LiveClient page(process.port());
    double seen = 0.0;
    while (seen < 0.3) seen = page.readFrame()[1];
    EXPECT_EQ(process.end(signal), 0);
    const Recording recording = readRecording(path).recording;
    EXPECT_GE(recording.column("time").back(), seen - 0.011);
  }
}

TEST(LiveCommandLine, SaysWhatIsWrong) {
  EXPECT_EQ(test::polhode("live no-such-model.toml").exitCode, 2);
  EXPECT_EQ(test::polhode("live no-such-run.h5").exitCode, 2);
  EXPECT_EQ(test::polhode("live heavy-top --bind nowhere --port 0").exitCode, 2);
  EXPECT_EQ(test::polhode("live heavy-top --out /nowhere/x.csv --port 0").exitCode, 2);
  EXPECT_EQ(test::polhode("live heavy-top --integrator nothing --port 0").exitCode, 2);
}

}  // namespace
}  // namespace polhode::live_command_test
