#include "polhode/io/recording.h"

#include "polhode/error.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

namespace polhode::recording_test {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class RecordingFiles : public testing::Test {
 protected:
  RecordingFiles() {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::temp_directory_path() / ("polhode_recording_" + test + "_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  ~RecordingFiles() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static std::string textOf(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::size_t filesInFolder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  static void expectRefused(const std::string& path, const std::string& part) {
    try {
      checkOutputPath(path);
      ADD_FAILURE() << "accepted: " << path;
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(part), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
    EXPECT_THROW(writeRecording(path, {}, {}), InputError);
  }

 private:
  fs::path folder_;
};

Recording smallRecording() {
  Recording recording{{"time", "top.position.x", "a,b"}, {}};
  recording.append(std::vector{0.0, 0.1, 1.0});
  recording.append(std::vector{0.5, 1.0 / 3.0, -2.5e-300});
  return recording;
}

std::vector<double> readColumn(hid_t file, const char* name) {
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(dataset);
  return values;
}

/// The strings of an attribute of the file.
std::vector<std::string> readAttribute(hid_t file, const char* name) {
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  const hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
  std::vector<char*> pointers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Aread(attribute, type, pointers.data());
  const std::vector<std::string> texts(pointers.begin(), pointers.end());
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  H5Tclose(type);
  H5Sclose(space);
  H5Aclose(attribute);
  return texts;
}

}  // namespace

TEST_F(RecordingFiles, AreCommaSeparatedWithSeventeenDigits) {
  writeRecording(path("run.csv"), smallRecording(), {{"model", "Heavy top"}});
  EXPECT_EQ(textOf(path("run.csv")),
            "time,top.position.x,\"a,b\"\n0,0.10000000000000001,1\n0.5,0.33333333333333331,-2.5e-300\n");
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(RecordingFiles, AreHdf5WithTablesInGroups) {
  writeRecording(path("run.h5"), smallRecording(), {{"model", "Heavy t\xC3\xB6p"}, {"integrator", "dop853"}});
  const hid_t file = H5Fopen(path("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_EQ(readColumn(file, "time"), (std::vector{0.0, 0.5}));
  EXPECT_EQ(readColumn(file, "bodies/top/position"), (std::vector{0.1, 1.0 / 3.0}));
  EXPECT_EQ(readAttribute(file, "model"), (std::vector<std::string>{"Heavy t\xC3\xB6p"}));
  EXPECT_EQ(readAttribute(file, "integrator"), (std::vector<std::string>{"dop853"}));
  H5Fclose(file);
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(RecordingFiles, MayHaveNoRowsAndSlashesInNames) {
  const Recording recording{{"time", "a/b.x"}, {}};
  writeRecording(path("empty.csv"), recording, {});
  EXPECT_EQ(textOf(path("empty.csv")), "time,a/b.x\n");
  EXPECT_NO_THROW(writeRecording(path("empty.h5"), recording, {}));
}

TEST_F(RecordingFiles, ReplaceOldOnes) {
  std::ofstream(path("run.csv")) << "old";
  checkOutputPath(path("run.csv"));
  EXPECT_EQ(textOf(path("run.csv")), "old") << "a check must not touch the file";
  writeRecording(path("run.csv"), smallRecording(), {});
  EXPECT_TRUE(textOf(path("run.csv")).starts_with("time,"));
}

TEST_F(RecordingFiles, ReplaceWhatALinkPointsTo) {
  std::ofstream(path("target.csv")) << "old";
  fs::create_symlink(path("target.csv"), path("link.csv"));
  writeRecording(path("link.csv"), smallRecording(), {});
  EXPECT_TRUE(fs::is_symlink(path("link.csv")));
  EXPECT_TRUE(textOf(path("target.csv")).starts_with("time,"));
}

TEST_F(RecordingFiles, KeepTheOldOneWhereWritingFails) {
  std::ofstream(path("run.h5")) << "old";
  const Recording twice{{"time", "time"}, {0.0, 0.0}};
  EXPECT_THROW(writeRecording(path("run.h5"), twice, {}), InputError);
  EXPECT_EQ(textOf(path("run.h5")), "old");
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(RecordingFiles, AreRefusedWhereTheyCannotBe) {
  fs::create_directory(path("folder.csv"));
  expectRefused(path("run.txt"), ".csv or .h5");
  expectRefused(path("run"), ".csv or .h5");
  expectRefused("", ".csv or .h5");
  expectRefused(path("folder.csv"), "directory");
  expectRefused(path("missing/run.csv"), "does not exist");
  expectRefused("/proc/run.csv", "no file can be made there");
}

}  // namespace polhode::recording_test
