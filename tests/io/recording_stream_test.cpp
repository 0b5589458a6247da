#include "io/recording_stream.h"

#include "polhode/error.h"
#include "support/command.h"

#include <chrono>
#include <csignal>
#include <random>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace polhode::recording_stream_test {
namespace {

using namespace std::chrono_literals;

/// "time" and so many bodies with a position.
std::vector<std::string> columnsOf(int bodies) {
  std::vector<std::string> columns{"time"};
  for (int b = 0; b < bodies; ++b)
    for (const char* axis : {"x", "y", "z"}) columns.push_back("b" + std::to_string(b) + ".position." + axis);
  return columns;
}

/// A row whose every number tells its time.
void appendRow(RowSink& sink, std::size_t width, double time) {
  std::vector<double> row(width);
  for (std::size_t i = 0; i < width; ++i) row[i] = time + static_cast<double>(i);
  sink.append(row);
}

void expectWhole(const Recording& recording) {
  for (std::size_t row = 0; row < recording.rows(); ++row)
    for (std::size_t i = 0; i < recording.columns.size(); ++i)
      ASSERT_EQ(recording.at(row, i), recording.at(row, 0) + static_cast<double>(i)) << "row " << row;
}

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// A process that writes rows with the present time until it is killed, which happens after `wait`. Returns when.
double writeUntilKilled(const std::string& path, std::chrono::milliseconds wait, std::chrono::microseconds pause) {
  const pid_t child = fork();
  if (child == 0) {
    RecordingStream stream(path, {{"model", "a clock"}});
    const auto columns = columnsOf(20);
    stream.begin(columns);
    for (;;) {
      // whole numbers of microseconds: sums with small numbers are exact
      appendRow(stream, columns.size(), std::floor(now() * 1e6));
      std::this_thread::sleep_for(pause);
    }
  }
  std::this_thread::sleep_for(wait);
  kill(child, SIGKILL);
  const double when = now();
  int status = 0;
  waitpid(child, &status, 0);
  return when;
}

/// Whether h5py opens the file, with as many times as rows; true where there is no h5py.
bool opensInPython(const std::string& path) {
  static const bool isThere = std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") == 0;
  if (!isThere) return true;
  const std::string program =
      "import h5py; f = h5py.File('" + path +
      "'); n = len(f['time']); assert all((f[p][:n, 0] == f['time'][:n] + 1).all() for p in ['bodies/b0/position'])";
  return std::system(("/usr/bin/python3 -c \"" + program + "\"").c_str()) == 0;
}

class GrowingFile : public testing::TestWithParam<const char*> {
 protected:
  std::string path() const { return folder_ / (std::string("run.") + GetParam()); }

  test::TemporaryFolder folder_;
};

TEST_P(GrowingFile, CanBeReadBeforeItsEnd) {
  RecordingStream stream(path(), {});
  const auto columns = columnsOf(2);
  stream.begin(columns);
  for (int i = 0; i < 10; ++i) appendRow(stream, columns.size(), i);
  // nothing more happens, and the rows come all the same
  const auto rows = [this] {
    return std::filesystem::exists(path()) ? readRecording(path()).recording.rows() : std::size_t{0};
  };
  while (rows() < 10u) std::this_thread::sleep_for(20ms);
  EXPECT_EQ(rows(), 10u);
  appendRow(stream, columns.size(), 10.0);
  stream.finish();
  const Recording whole = readRecording(path()).recording;
  EXPECT_EQ(whole.rows(), 11u);
  expectWhole(whole);
}

TEST_P(GrowingFile, LeavesTheOldFileAloneUntilItHasBegun) {
  std::ofstream(path()) << "old";
  {
    RecordingStream stream(path(), {});
    stream.begin(columnsOf(1));
  }
  EXPECT_EQ(test::readFile(path()), "old");
  const auto folder = std::filesystem::path(path()).parent_path();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()), 1);
}

TEST_P(GrowingFile, HoldsManyRowsInOrder) {
  RecordingStream stream(path(), {});
  const auto columns = columnsOf(3);
  stream.begin(columns);
  for (int i = 0; i < 150'000; ++i) appendRow(stream, columns.size(), i);
  stream.finish();
  const Recording whole = readRecording(path()).recording;
  ASSERT_EQ(whole.rows(), 150'000u);
  expectWhole(whole);
}

/// A file that may not grow beyond a megabyte stands for a full disk: a sentence, and what is there can be read.
TEST_P(GrowingFile, EndsInASentenceOnAFullDisk) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{1 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  std::string message;
  std::size_t told = 0;
  {
    RecordingStream stream(path(), {});
    const auto columns = columnsOf(50);
    stream.begin(columns);
    std::mt19937_64 random(1);
    std::vector<double> row(columns.size());
    try {
      for (int i = 0; i < 100'000; ++i) {
        for (double& value : row) value = static_cast<double>(random());
        row[0] = i;
        stream.append(row);
      }
      stream.finish();
    } catch (const SimulationError& error) {
      message = error.what();
      told = stream.rows();
    }
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(message.find("cannot be written"), std::string::npos) << message;
  if (message.find("first") == std::string::npos) {
    EXPECT_FALSE(std::filesystem::exists(path()));  // not even the first rows found room
    return;
  }
  const Recording there = readRecording(path()).recording;
  EXPECT_GT(there.rows(), 0u);
  EXPECT_LE(there.rows(), told);
  for (std::size_t row = 0; row < there.rows(); ++row) ASSERT_EQ(there.at(row, 0), static_cast<double>(row));
}

TEST_P(GrowingFile, OpensAfterItsWriterWasKilled) {
  std::mt19937 random(7);
  for (int i = 0; i < 3; ++i) {
    writeUntilKilled(path(), std::chrono::milliseconds(600 + random() % 500), 200us);
    if (!std::filesystem::exists(path())) continue;
    expectWhole(readRecording(path()).recording);
    EXPECT_TRUE(std::string(GetParam()) != "h5" || opensInPython(path()));
  }
}

/// 100 moments: every file opens, here and in h5py, and lacks no more than the last second.
TEST_P(GrowingFile, LongRunLosesNoMoreThanASecond) {
  std::mt19937 random(11);
  double worst = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double killed = writeUntilKilled(path(), std::chrono::milliseconds(1200 + random() % 1500),
                                           std::chrono::microseconds(i % 3 == 0   ? 10
                                                                     : i % 3 == 1 ? 500
                                                                                  : 40'000));
    const Recording there = readRecording(path()).recording;
    ASSERT_GT(there.rows(), 0u);
    expectWhole(there);
    worst = std::max(worst, killed - 1e-6 * there.at(there.rows() - 1, 0));
    EXPECT_TRUE(std::string(GetParam()) != "h5" || opensInPython(path()));
  }
  RecordProperty("worst_milliseconds", static_cast<int>(1e3 * worst));
  EXPECT_LT(worst, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Formats, GrowingFile, testing::Values("csv", "h5"));

}  // namespace
}  // namespace polhode::recording_stream_test
