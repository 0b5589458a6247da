#include "io/sweep_file.h"
#include "support/command.h"
#include "support/json.h"
#include "support/sanitized.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

/// `polhode sweep`: its file, whatever happens to it, and its sentences.
namespace polhode::sweep_command_test {
namespace {

using namespace std::chrono_literals;

constexpr int members = test::isSanitized ? 40 : 120;
const std::string pendulums =
    "sweep simple-pendulum --vary body.bob.mass=-0.2:2 --vary 'model.gravity=[0, -uniform(5, 12), 0]' --samples " +
    std::to_string(members) +
    " --sampling latin --seed 7 --measure bob.position.x=0:time --measure bob.position.y:min --end 1 --every 0.5";

/// The file holds the same bytes for any number of threads.
TEST(SweepCommand, WritesTheSameFileForAnyNumberOfThreads) {
  const test::TemporaryFolder folder;
  std::string first;
  for (const char* threads : {"1", "2", "3"}) {
    const std::string path = folder / "sweep.h5";
    const test::CommandResult result = test::polhode(pendulums + " --json --threads " + threads + " --out " + path);
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const auto json = test::parseJson(result.output);
    EXPECT_EQ(json["status"].text(), "finished");
    EXPECT_EQ(json["members"].number(), members);
    EXPECT_GT(json["failed"].number(), members / 24);
    EXPECT_EQ(json["measures"][1]["name"].text(), "bob.position.y:min");
    const std::string bytes = test::readFile(path);
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes == first, true) << threads;
  }
  const SweepReader reader(folder / "sweep.h5");
  EXPECT_EQ(reader.done(), members);
  const auto failed = reader.failed();
  EXPECT_NE(reader.failures(failed.first, 1)[0].find("a mass must be finite and not negative"), std::string::npos);
  EXPECT_LT(reader.column({"parameters/body.bob.mass", 1, ""}, failed.first, 1)[0], 0.0);
}

/// Killed again and again it goes on, and ends with the same bytes as if nothing had happened.
TEST(SweepCommand, GoesOnAfterAKill) {
  const test::TemporaryFolder folder;
  const std::string whole = folder / "whole.h5", path = folder / "sweep.h5";
  const std::string sweep = pendulums + " --step 5e-4 --threads 2 --out ";
  ASSERT_EQ(test::polhode(sweep + whole).exitCode, 0);
  std::int64_t before = 0;
  std::string command = sweep + path;
  for (int kills = 0; kills < 2; ++kills) {
    const pid_t pid = fork();
    if (pid == 0) {
      execl("/bin/sh", "sh", "-c", ("exec " + std::string(POLHODE_COMMAND) + " " + command + " >/dev/null").c_str(),
            nullptr);
      _exit(127);
    }
    const auto until = std::chrono::steady_clock::now() + 600s;
    int status = 0;
    while (std::chrono::steady_clock::now() < until) {
      if (waitpid(pid, &status, WNOHANG) == pid) break;
      if (std::filesystem::exists(path) && SweepReader(path).done() > before) break;
      std::this_thread::sleep_for(10ms);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    const SweepReader reader(path);  // whole at any moment
    EXPECT_GT(reader.done(), 0);
    EXPECT_GE(reader.done(), before) << "nothing is lost";
    before = reader.done();
    command = "resume " + path + " --threads 1";
  }
  const test::CommandResult resumed = test::polhode("resume " + path + " --threads 3 --json");
  ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
  EXPECT_EQ(test::parseJson(resumed.output)["done"].number(), members);
  EXPECT_EQ(test::readFile(path) == test::readFile(whole), true);

  // nothing is left to do, and what there is is told again
  EXPECT_EQ(test::polhode("resume " + path).exitCode, 0);
  EXPECT_EQ(test::polhode("resume " + path + " --end 3").exitCode, 2);
}

TEST(SweepCommand, EndsInOrderOnCtrlC) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "sweep.h5";
  const std::string command = "exec " + std::string(POLHODE_COMMAND) + " " + pendulums +
                              (test::isSanitized ? " --step 1e-4" : " --step 1e-5") + " --out " + path +
                              " >/dev/null 2>" + (folder / "err");
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  while (!std::filesystem::exists(path)) std::this_thread::sleep_for(10ms);
  kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_NE(test::readFile(folder / "err").find("polhode resume " + path), std::string::npos);
  EXPECT_GT(SweepReader(path).done(), 0);
}

/// One sentence each, and the file that was there stays.
TEST(SweepCommand, TellsWhyAnIntegratorThatNobodyChose) {
  const test::TemporaryFolder folder;
  const std::string model = folder / "ball.toml";
  std::ofstream(model) << "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n";
  const std::string sweep = "sweep " + model +
                            " --vary body.ball.mass=1:2:3 --measure ball.position.x:end --end 0.1 --out " +
                            (folder / "ball.h5");
  const auto told = [](const std::string& command) {
    const test::CommandResult result = test::polhode(command);
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    return result.output.find("no integrator is named; this one") != std::string::npos;
  };
  EXPECT_TRUE(told(sweep));
  EXPECT_TRUE(told(sweep + " --json"));
  EXPECT_FALSE(told(sweep + " --integrator dopri5"));
  EXPECT_FALSE(told(sweep + " --vary 'simulation.integrator=[dopri5, dop853]'"));
}

TEST(SweepCommand, HasASentenceForWhatIsWrong) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "sweep.h5";
  std::ofstream(path) << "old";
  const std::pair<const char*, const char*> wrong[] = {
      {"--vary body.bob.masss=1:2:3 --measure energy", "did you mean 'mass'?"},
      {"--vary body.bob.mass=2:1 --measure energy", "is empty"},
      {"--vary body.bob.mass=1:2:3 --measure enrgy", "did you mean 'energy'?"},
      {"--vary body.bob.mass=1:2:3 --measure energy --sampling sobl --samples 3", "did you mean 'sobol'?"},
      {"--vary body.bob.mass=1:2:3 --measure energy --samples 1 --sampling grid", "leave one of both out"},
      {"--vary body.bob.mass=1:2:3 --measure energy --report page.txt", "end its name with .html"},
      {"--vary body.bob.mass=1:2:3 --every 0.1", "--columns"},
      {"--vary body.bob.mass=1:2:3 --measure energy --device gp", "give cpu or gpu"},
      {"--vary body.bob.mass=1:2:3 --measure energy:max --device gpu", "without --device gpu it goes in lanes"},
      {"--vary body.bob.mass=1:2:3 --measure bob.acceleration.z:max --device gpu", "but not bob.acceleration.z"},
  };
  for (const auto& [flags, part] : wrong) {
    const test::CommandResult result = test::polhode(std::string("sweep simple-pendulum ") + flags + " --out " + path);
    EXPECT_EQ(result.exitCode, 2) << flags;
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }
  EXPECT_EQ(test::polhode("sweep simple-pendulum --vary body.bob.mass=1:2:3 --measure energy --out sweep.csv").exitCode,
            2);
  // more than the disk holds is said before the work
  const std::string command =
      "ulimit -f 1000; " + std::string(POLHODE_COMMAND) +
      " sweep simple-pendulum --vary body.bob.mass=1:2 --samples 1000000 --measure energy --out " + path + " 2>" +
      (folder / "err");
  const int status = std::system(("bash -c '" + command + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(test::readFile(folder / "err").find("File too large"), std::string::npos) << test::readFile(folder / "err");
  EXPECT_EQ(test::readFile(path), "old");
}

TEST(SweepCommand, WritesAPage) {
  const test::TemporaryFolder folder;
  const test::CommandResult result = test::polhode(
      "sweep simple-pendulum --vary body.bob.mass=1:2 --vary 'model.gravity=[0, -uniform(5, 12), 0]' --samples 8 "
      "--indices "
      "--measure bob.position.x:max --end 0.3 --out " +
      (folder / "sweep.h5") + " --report " + (folder / "sweep.html"));
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_NE(result.output.find("Sobol' indices of bob.position.x:max"), std::string::npos) << result.output;
  const std::string page = test::readFile(folder / "sweep.html");
  for (const char* part : {"\"parallels\":[{", "\"bars\":[{", "\"members\":true", "polhode run simple-pendulum --set "})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace polhode::sweep_command_test
