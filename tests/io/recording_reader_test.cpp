#include "io/csv_writer.h"
#include "io/run_attributes.h"
#include "polhode/error.h"
#include "polhode/io/recording.h"
#include "support/command.h"

#include <limits>

#include <gtest/gtest.h>
#include <hdf5.h>

namespace polhode::recording_reader_test {
namespace {

Recording sample() {
  return {{"time", "a, \"b\".position.x", "energy"},
          {0.0, 1.0 / 3.0, -1e-300, 0.1, std::numeric_limits<double>::max(), 5}};
}

TEST(ReadRecording, GivesBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  for (const char* name : {"run.csv", "run.h5"}) {
    writeRecording(folder / name, sample(), {{"model", "A top"}, {"note", "two\nlines"}});
    const RecordingFile file = readRecording(folder / name);
    EXPECT_EQ(file.recording.columns, sample().columns) << name;
    EXPECT_EQ(file.recording.values, sample().values) << name;
  }
  const Attributes attributes = readRecording(folder / "run.h5").attributes;
  EXPECT_EQ(attributes, (Attributes{{"model", "A top"}, {"note", "two\nlines"}}));
}

/// As `polhode run --out` wrote files until layout 2: a table for each column, and their names in one attribute.
TEST(ReadRecording, ReadsTheOldLayout) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "old.h5";
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const hsize_t two = 2, three = 3;
  const hid_t names = H5Screate_simple(1, &two, nullptr), rows = H5Screate_simple(1, &three, nullptr);
  const char* columns[] = {"time", "top.position.x"};
  const hid_t attribute = H5Acreate2(file, "columns", text, names, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, text, columns);
  const double values[2][3] = {{0, 1, 2}, {5, 6, 7}};
  for (int i = 0; i < 2; ++i) {
    const hid_t dataset = H5Dcreate2(file, columns[i], H5T_IEEE_F64LE, rows, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values[i]);
    H5Dclose(dataset);
  }
  H5Aclose(attribute), H5Sclose(names), H5Sclose(rows), H5Tclose(text), H5Fclose(file);

  const Recording recording = readRecording(path).recording;
  EXPECT_EQ(recording.columns, (std::vector<std::string>{"time", "top.position.x"}));
  EXPECT_EQ(recording.values, (std::vector<double>{0, 5, 1, 6, 2, 7}));
}

/// 200 bodies did not fit into the attribute that held the names; from 1001 on a table holds all of them.
TEST(ReadRecording, HoldsManyBodies) {
  const test::TemporaryFolder folder;
  for (const std::size_t bodies : {200u, 1001u}) {
    Recording recording{{"time"}, {}};
    for (std::size_t b = 0; b < bodies; ++b)
      for (const char* end : {"position.x", "position.y", "position.z", "spin"})
        recording.columns.push_back("link" + std::to_string(b) + "." + end);
    for (std::size_t i = 0; i < 3 * recording.columns.size(); ++i) recording.values.push_back(static_cast<double>(i));
    writeRecording(folder / "many.h5", recording, {});
    const Recording read = readRecording(folder / "many.h5").recording;
    ASSERT_EQ(read.columns.size(), recording.columns.size());
    ASSERT_EQ(read.rows(), 3u);
    for (const char* column : {"time", "link0.position.x", "link199.position.z", "link7.spin"})
      EXPECT_EQ(read.column(column), recording.column(column)) << bodies << " bodies, " << column;
  }
}

TEST(ReadRecording, LeavesOutALineThatWasNotWrittenWhole) {
  EXPECT_EQ(parseRecording("cut", "time,x\n0,1\n1,2.34").recording.values, (std::vector<double>{0, 1}));
}

TEST(ReadRecording, ARunCarriesItsModel) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "run.h5";
  ASSERT_EQ(test::polhode("run heavy-top --set body.top.density=1000 --end 0.05 --out " + path).exitCode, 0);
  const auto model = modelOfRun(readRecording(path).attributes, path);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->model.name, "Heavy top on a ball joint");
  EXPECT_NEAR(model->model.bodies[0].mass, 0.70685834705770348 / 2.7, 1e-12);
}

TEST(ReadRecording, RefusesWhatIsNoRun) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(readRecording(folder / "none.h5"), InputError);
  writeRecording(folder / "run.h5", sample(), {});
  const std::string good = test::readFile(folder / "run.h5");
  for (std::size_t length = 8; length < good.size(); length += 97)
    EXPECT_THROW(parseRecording("cut", std::string_view(good).substr(0, length)), InputError) << length;
  EXPECT_THROW(parseRecording("empty", ""), InputError);
  EXPECT_THROW(parseRecording("words", "time,x\n1,two\n"), InputError);
  EXPECT_THROW(parseRecording("short", "time,x\n1\n"), InputError);
  EXPECT_THROW(parseRecording("long", "time,x\n1,2,3\n"), InputError);
  for (const char* names :
       {"time,", ",time", "time,\"x\"y", "\"\""})  // a column without a name, or more behind its quotes
    EXPECT_THROW(parseRecording("names", std::string(names) + "\n1,2\n"), InputError) << names;
  // on this one HDF5 1.10 itself reads where there is no memory
  EXPECT_THROW(parseRecording("damaged", test::readFile(POLHODE_TEST_DATA "/damaged_run.h5")), InputError);
  EXPECT_EQ(parseRecording("good", "time,x\r\n1,2\r\n").recording.values, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace polhode::recording_reader_test
