#include "io/sweep_file.h"
#include "support/command.h"
#include "support/json.h"
#include "support/sanitized.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
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

/// The same of members that go side by side in lanes. The others move one by one, since their passages are located.
const std::string chains =
    "sweep ball-chain --vary body.rod3.mass=-0.2:2 --vary 'model.gravity=[0, 0, -uniform(5, 12)]' --samples " +
    std::to_string(members) +
    " --sampling latin --seed 7 --measure rod8.position.x --measure rod8.position.z:min --end 1 --every 0.5";

class SweepOf : public testing::TestWithParam<const char*> {
 protected:
  const bool areChains = GetParam() == std::string("chains");
  const std::string sweep = areChains ? chains : pendulums;
  const std::string impossible = areChains ? "body.rod3.mass" : "body.bob.mass";
  const std::string least = areChains ? "rod8.position.z:min" : "bob.position.y:min";
};
INSTANTIATE_TEST_SUITE_P(SweepCommand, SweepOf, testing::Values("pendulums", "chains"),
                         [](const auto& each) { return std::string(each.param); });

/// The file holds the same bytes for any number of threads.
TEST_P(SweepOf, WritesTheSameFileForAnyNumberOfThreads) {
  const test::TemporaryFolder folder;
  std::string first;
  for (const char* threads : {"1", "2", "3"}) {
    const std::string path = folder / "sweep.h5";
    const test::CommandResult result = test::polhode(sweep + " --json --threads " + threads + " --out " + path);
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const auto json = test::parseJson(result.output);
    EXPECT_EQ(json["status"].text(), "finished");
    EXPECT_EQ(json["members"].number(), members);
    EXPECT_GT(json["failed"].number(), members / 24);
    EXPECT_EQ(json["measures"][1]["name"].text(), least);
    const std::string bytes = test::readFile(path);
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes == first, true) << threads;
  }
  const SweepReader reader(folder / "sweep.h5");
  EXPECT_EQ(reader.done(), members);
  const auto failed = reader.failed();
  EXPECT_NE(reader.failures(failed.first, 1)[0].find("a mass must be finite and not negative"), std::string::npos);
  EXPECT_LT(reader.column({"parameters/" + impossible, 1, ""}, failed.first, 1)[0], 0.0);
}

/// Killed again and again it goes on, and ends with the same bytes as if nothing had happened.
TEST_P(SweepOf, GoesOnAfterAKill) {
  const test::TemporaryFolder folder;
  const std::string whole = folder / "whole.h5", path = folder / "sweep.h5";
  const std::string slow = sweep + " --step 1e-4 --threads 2 --out ";
  ASSERT_EQ(test::polhode(slow + whole).exitCode, 0);
  std::int64_t before = 0;
  std::string command = slow + path;
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

/// The members of a sweep that is killed as soon as there is anything to see of it.
void killAtOnce(const std::string& command, const std::function<bool()>& isSeen) {
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", ("exec " + std::string(POLHODE_COMMAND) + " " + command + " >/dev/null").c_str(),
          nullptr);
    _exit(127);
  }
  int status = 0;
  while (!isSeen() && waitpid(pid, &status, WNOHANG) == 0) std::this_thread::sleep_for(1ms);
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
}

std::vector<std::string> namesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& each : std::filesystem::directory_iterator(folder)) names.push_back(each.path().filename());
  return names;
}

/// Killed before there is a member it leaves a file that can be gone on with, or the one that was there before.
TEST(SweepCommand, IsKilledBeforeItsFirstMember) {
  const test::TemporaryFolder folder;
  const std::string whole = folder / "whole.h5", path = folder / "sweep.h5";
  ASSERT_EQ(test::polhode(chains + " --out " + whole).exitCode, 0);
  std::filesystem::create_directory(folder / "here");
  const std::string here = folder / "here/sweep.h5";
  killAtOnce(chains + " --out " + here, [&] { return std::filesystem::exists(here); });
  EXPECT_EQ(namesIn(folder / "here"), std::vector<std::string>{"sweep.h5"});
  ASSERT_EQ(test::polhode("resume " + here).exitCode, 0);
  EXPECT_EQ(test::readFile(here) == test::readFile(whole), true);

  std::ofstream(path) << "old";
  killAtOnce(chains + " --step 1e-4 --out " + path, [&] { return namesIn(folder / ".").size() > 3; });
  EXPECT_TRUE(test::readFile(path) == "old" || SweepReader(path).done() > 0);
}

/// What a killed process has left goes when another one writes there; what may still be written stays.
TEST(SweepCommand, ClearsUpBehindTheKilled) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "sweep.h5";
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const auto leave = [&](const std::string& name, std::chrono::seconds ago) {
    std::ofstream(folder / name) << "left";
    std::filesystem::last_write_time(folder / name, std::filesystem::file_time_type::clock::now() - ago);
  };
  const std::string abandoned = "sweep.h5." + std::to_string(gone) + ".partial";
  const std::string ofALiveOne = "sweep.h5." + std::to_string(getpid()) + ".partial";
  const std::string ofAnother = "other.h5." + std::to_string(gone) + ".partial";
  leave(abandoned, 300s);
  leave(ofALiveOne, 300s);
  leave(ofAnother, 300s);
  const std::string sweep =
      "sweep simple-pendulum --vary body.bob.mass=1:2:3 --measure energy --end 0.01 --out " + path;
  ASSERT_EQ(test::polhode(sweep).exitCode, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / abandoned));
  EXPECT_TRUE(std::filesystem::exists(folder / ofALiveOne));
  EXPECT_TRUE(std::filesystem::exists(folder / ofAnother));
  leave(abandoned, 0s);  // perhaps of another machine
  ASSERT_EQ(test::polhode(sweep).exitCode, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / abandoned));
}

/// The first half of the members runs, and the sentences of the second find no room. However fast that went, the first half is
/// there, and the sweep goes on where there is room again.
TEST(SweepCommand, KeepsWhatFoundRoom) {
  const test::TemporaryFolder folder;
  const std::string whole = folder / "whole.h5", path = folder / "sweep.h5";
  const int half = test::isSanitized ? 4000 : 17000;
  const std::string sweep =
      " sweep simple-pendulum --vary \"body.bob.mass=[1, -1]\" --vary model.gravity=[0,-9.9:-9.8:" +
      std::to_string(half) + ",0] --measure energy --end 0.001 --out ";
  ASSERT_EQ(std::system((POLHODE_COMMAND + sweep + whole + " >/dev/null").c_str()), 0);
  const auto room = std::filesystem::file_size(whole) / 1024 - static_cast<std::uintmax_t>(half) * 240 / 1024 / 2;
  const std::string command = "ulimit -f " + std::to_string(room) + "; " + POLHODE_COMMAND + sweep + path + " 2>" +
                              (folder / "err") + " >/dev/null";
  const int status = std::system(("bash -c '" + command + "'").c_str());
  const std::string said = test::readFile(folder / "err");
  ASSERT_EQ(WEXITSTATUS(status), 3) << said;
  EXPECT_NE(said.find("members are there; make room and go on with `polhode resume " + path), std::string::npos)
      << said;
  const std::int64_t done = SweepReader(path).done();
  EXPECT_GT(done, 0);
  EXPECT_LT(done, 2 * half);
  ASSERT_EQ(test::polhode("resume " + path).exitCode, 0);
  EXPECT_EQ(test::readFile(path) == test::readFile(whole), true);
}

TEST(SweepCommand, EndsInOrderOnCtrlC) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "sweep.h5";
  const std::string command = "exec " + std::string(POLHODE_COMMAND) + " " + pendulums +
                              (test::isSanitized ? " --step 2e-4" : " --step 1e-5") + " --out " + path +
                              " >/dev/null 2>" + (folder / "err");
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  while (!std::filesystem::exists(path) || SweepReader(path).done() == 0) std::this_thread::sleep_for(10ms);
  kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_NE(test::readFile(folder / "err").find("polhode resume " + path), std::string::npos);
  EXPECT_GT(SweepReader(path).done(), 0);
}

/// A resumed sweep that is stopped, perhaps while it still copies the members that are there, ends in order and loses none.
TEST(SweepCommand, EndsInOrderOnCtrlCWhileItResumes) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "here");
  const std::string path = folder / "here/sweep.h5";
  const int half = test::isSanitized ? 200 : 1000;  // short ones, and as many long ones
  const std::string sweep =
      "sweep simple-pendulum --vary 'simulation.end=[0.001, 20]' --vary model.gravity=[0,-9.9:-9.8:" +
      std::to_string(half) + ",0] --measure energy --threads 1 --out ";
  const auto done = [&] { return std::filesystem::exists(path) ? SweepReader(path).done() : 0; };
  killAtOnce(sweep + path, [&] { return done() >= half; });
  const std::int64_t before = done();
  ASSERT_GE(before, half);
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c",
          ("exec " + std::string(POLHODE_COMMAND) + " resume " + path + " >/dev/null 2>" + (folder / "err")).c_str(),
          nullptr);
    _exit(127);
  }
  while (namesIn(folder / "here").size() < 2 && done() == before) std::this_thread::sleep_for(100us);
  kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_NE(test::readFile(folder / "err").find("polhode resume " + path), std::string::npos);
  EXPECT_EQ(namesIn(folder / "here"), std::vector<std::string>{"sweep.h5"});
  EXPECT_GE(done(), before);
}

/// More threads than the machine starts are not waited for.
TEST(SweepCommand, TakesAsManyThreadsAsThereAre) {
  if (test::isSanitized) GTEST_SKIP() << "the sanitizer takes the memory that is limited here";
  const test::TemporaryFolder folder;
  const std::string sweep =
      "ulimit -v 3000000; " + std::string(POLHODE_COMMAND) +
      " sweep simple-pendulum --vary body.bob.mass=1:2:2000 --measure energy --end 0.001 --threads 100000 --out " +
      (folder / "sweep.h5") + " >/dev/null 2>&1";
  const int status = std::system(("bash -c '" + sweep + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(SweepReader(folder / "sweep.h5").done(), 2000);
}

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

/// One sentence each, and the file that was there stays.
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
      {"--vary body.bob.mass=1:2:3 --measure energy --columns energy", "give their times with --every"},
      {"--vary body.bob.mass=1:2:3 --vary body.bob.mass=3:4:2 --measure energy", "is there twice"},
      {"--vary body.bob.mass=1:2 --samples 3 --seed -1 --measure energy", "--seed is '-1'; give a whole number from 0"},
      {"--vary body.bob.mass=1:2 --samples 3 --seed 1e9 --measure energy", "--seed is '1e9'"},
      {"--vary body.bob.mass=1:2 --samples 3 --seed 99999999999999999999 --measure energy", "--seed is"},
      {"--vary body.bob.mass=1:2:3 --set \"$(printf 'model.gravity=[0,\\n-5, 0]')\" --measure energy", "several lines"},
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

/// Which members failed is an axis; of a measure that none of them has there is no chart.
TEST(SweepCommand, WritesAPageOfMembersThatFailed) {
  const test::TemporaryFolder folder;
  const std::string flags = " --measure energy --measure bob.position.x:max --end 0.01 --out " + (folder / "sweep.h5") +
                            " --report " + (folder / "sweep.html");
  for (const char* vary : {"--vary model.gravity=[0,-1e300:-1e299:3,0]", "--vary model.gravity=[0,-1e300:-9:3,0]"}) {
    const test::CommandResult result = test::polhode("sweep simple-pendulum " + std::string(vary) + flags);
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const bool didAll = result.output.find(", 3 failed") != std::string::npos;
    EXPECT_NE(result.output.find(didAll ? ", 3 failed" : ", 2 failed"), std::string::npos) << result.output;
    const std::string page = test::readFile(folder / "sweep.html");
    const auto has = [&](const std::string& part) { return page.find(part) != std::string::npos; };
    EXPECT_TRUE(has(R"("name":"failed")"));
    EXPECT_EQ(has("No member has a number for"), didAll);
    EXPECT_EQ(has("energy over model.gravity"), !didAll);
  }
}

}  // namespace
}  // namespace polhode::sweep_command_test
