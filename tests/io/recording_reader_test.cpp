#include "polhode/error.h"
#include "polhode/io/csv_writer.h"
#include "polhode/io/recording.h"
#include "polhode/io/run_attributes.h"

#include <limits>

#include "support/command.h"
#include <gtest/gtest.h>

namespace polhode {
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
  EXPECT_EQ(parseRecording("good", "time,x\r\n1,2\r\n").recording.values, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace polhode
