#include "io/checkpoint_file.h"
#include "polhode/io/recording.h"
#include "support/command.h"
#include "support/json.h"

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <gtest/gtest.h>

/// What happens to a run's file when the run is killed, interrupted or out of room, and how it goes on.
namespace polhode::resume_command_test {
namespace {

using namespace std::chrono_literals;

const std::string longRun = "run peaucellier --integrator director-em --step 1e-4 --every 1e-4 --end 1000";

/// `polhode ARGUMENTS` as a process of its own, with its output in a file.
class Running {
 public:
  Running(const std::string& arguments, const std::string& output) {
    pid_ = fork();
    if (pid_ != 0) return;
    execl("/bin/sh", "sh", "-c", ("exec " + std::string(POLHODE_COMMAND) + " " + arguments + " >" + output).c_str(),
          nullptr);
    _exit(127);
  }

  /// Sends a signal and waits for the end; what waitpid says.
  int end(int signal) {
    kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    return status;
  }

 private:
  pid_t pid_;
};

void waitFor(const std::string& path) {
  while (!std::filesystem::exists(path)) std::this_thread::sleep_for(10ms);
}

class RunFiles : public testing::TestWithParam<const char*> {
 protected:
  std::string path() const { return folder_ / (std::string("run.") + GetParam()); }
  test::TemporaryFolder folder_;
};

TEST_P(RunFiles, EndInOrderOnCtrlC) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(path());
    Running run(longRun + " --json --out " + path(), folder_ / "out");
    waitFor(path());
    const int status = run.end(signal);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
    const auto json = test::parseJson(test::readFile(folder_ / "out"));
    EXPECT_EQ(json["status"].text(), "interrupted");
    const Recording recording = readRecording(path()).recording;
    EXPECT_EQ(recording.at(recording.rows() - 1, 0), json["time"].number());
  }
}

TEST_P(RunFiles, OpenAfterAKill) {
  std::mt19937 random(3);
  Recording longest;
  for (int i = 0; i < 3; ++i) {
    std::filesystem::remove(path());
    Running run(longRun + " --out " + path(), folder_ / "out");
    waitFor(path());
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 300));
    run.end(SIGKILL);
    const Recording recording = readRecording(path()).recording;
    ASSERT_GT(recording.rows(), 0u);
    // all of them are beginnings of one motion
    const Recording& shorter = recording.rows() < longest.rows() ? recording : longest;
    const Recording& longer = recording.rows() < longest.rows() ? longest : recording;
    EXPECT_TRUE(std::equal(shorter.values.begin(), shorter.values.end(), longer.values.begin()));
    longest = longer;
  }
}

TEST_P(RunFiles, HaveASentenceForAFullDisk) {
  const std::string command =
      "ulimit -f 1500; " + std::string(POLHODE_COMMAND) +
      " run peaucellier --integrator director-em --step 1e-3 --every 1e-3 --end 60 --json --out " + path() + " >" +
      (folder_ / "out") + " 2>" + (folder_ / "err");
  const int status = std::system(("bash -c '" + command + "'").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  const std::string said = test::readFile(folder_ / "err"), json = test::readFile(folder_ / "out");
  EXPECT_NE(said.find("cannot be written any longer"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_TRUE(json.starts_with("{\"status\": \"failed\", \"failure\": ")) << json.substr(0, 80);
  EXPECT_GT(readRecording(path()).recording.rows(), 100u);
}

TEST_P(RunFiles, StayWhereTheModelIsWrong) {
  std::ofstream(path()) << "old";
  EXPECT_EQ(test::polhode("run peaucellier --set body.crank.mass=-1 --out " + path()).exitCode, 2);
  EXPECT_EQ(test::polhode("run peaucellier --stop-when nobody.position.x=0 --out " + path()).exitCode, 2);
  EXPECT_EQ(test::polhode("run peaucellier --every 1e-300 --out " + path()).exitCode, 2);
  EXPECT_EQ(test::readFile(path()), "old");
}

TEST_P(RunFiles, GoOnAfterAKill) {
  const std::string run =
      "run peaucellier --integrator director-em --step 1e-3 --every 0.01 --end 10 --checkpoint 0.25 --out ";
  const std::string whole = folder_ / (std::string("whole.") + GetParam());
  ASSERT_EQ(test::polhode(run + whole).exitCode, 0);
  Running stopped(run + path(), folder_ / "out");
  waitFor(checkpointPath(path()));
  stopped.end(SIGKILL);
  const test::CommandResult resumed = test::polhode("resume " + path() + " --json");
  ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
  const Recording expected = readRecording(whole).recording, found = readRecording(path()).recording;
  EXPECT_EQ(found.columns, expected.columns);
  EXPECT_EQ(found.values, expected.values);

  // and further than its end
  EXPECT_EQ(readCheckpoint(path()).checkpoint.time, 10.0);
  EXPECT_EQ(test::polhode("resume " + path()).exitCode, 2);
  ASSERT_EQ(test::polhode("resume " + path() + " --end 10.5").exitCode, 0);
  EXPECT_EQ(readRecording(path()).recording.column("time").back(), 10.5);
}

TEST_P(RunFiles, AreNotResumedFromAnothersCheckpoint) {
  const std::string run = "run heavy-top --end 0.5 --out " + path();
  EXPECT_EQ(test::polhode("resume " + path()).exitCode, 2);
  ASSERT_EQ(test::polhode(run + " --checkpoint 0.1").exitCode, 0);
  EXPECT_TRUE(std::filesystem::exists(checkpointPath(path())));
  ASSERT_EQ(test::polhode(run).exitCode, 0);
  EXPECT_FALSE(std::filesystem::exists(checkpointPath(path()))) << "the run that it belonged to is gone";
  EXPECT_EQ(test::polhode("run heavy-top --checkpoint 0.1").exitCode, 2);
}

INSTANTIATE_TEST_SUITE_P(Formats, RunFiles, testing::Values("csv", "h5"));

/// 1e7 rows go to the disk in less than 200 MB of memory.
TEST(RunMemory, LongRunStaysSmall) {
  const test::TemporaryFolder folder;
  const std::string command = "/usr/bin/env bash -c 'ulimit -v 1000000; " + std::string(POLHODE_COMMAND) +
                              " run heavy-top --integrator director-em --step 1e-4 --every 1e-4 --end 1000 --out " +
                              (folder / "run.h5") + " & pid=$!; most=0; while kill -0 $pid 2>/dev/null; do " +
                              "now=$(grep VmHWM /proc/$pid/status 2>/dev/null | tr -dc 0-9); " +
                              "[ -n \"$now\" ] && most=$now; sleep 0.5; done; echo $most >" + (folder / "most") + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const double megabytes = std::stod(test::readFile(folder / "most")) / 1024.0;
  RecordProperty("megabytes", static_cast<int>(megabytes));
  EXPECT_LT(megabytes, 200.0);
  EXPECT_GT(std::filesystem::file_size(folder / "run.h5"), 100'000'000u);
}

}  // namespace
}  // namespace polhode::resume_command_test
