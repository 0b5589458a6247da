#include "server/told_part.h"

#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "support/json.h"
#include "support/live_frame.h"

#include <gtest/gtest.h>

namespace polhode::live::told_part_test {
namespace {

using test::Json;

/// What pages read of a part: its description, and a row of numbers for each frame.
struct Told {
  Json text;
  std::vector<double> numbers;
  std::size_t width, rows;

  explicit Told(const std::string& bytes) {
    const auto length = static_cast<std::size_t>(test::frameNumbers(std::string_view(bytes).substr(0, 8)).front());
    text = test::parseJson(bytes.substr(8, length));
    numbers = test::frameNumbers(std::string_view(bytes).substr(8 + length));
    width = static_cast<std::size_t>(text["width"].number());
    rows = numbers.size() / width;
  }

  double at(std::size_t row, const std::string& name, const std::string& unit, std::size_t component = 0) const {
    for (const Json& quantity : text["quantities"].items())
      if (quantity["name"].text() == name) {
        EXPECT_EQ(quantity["unit"].text(), unit) << name;
        return numbers.at(row * width + static_cast<std::size_t>(quantity["start"].number()) + component);
      }
    ADD_FAILURE() << name << " is not told";
    return 0.0;
  }
};

struct ToldPart : testing::Test {
  ModelFile file = readModelText(findExample("quarter-car")->text, "quarter-car.toml");
  std::shared_ptr<const Recording> recording = [this] {
    SimulationSettings settings = file.simulation;
    settings.end = 0.5;
    return std::make_shared<const Recording>(simulate(file.model, settings, true).recording);
  }();
  std::shared_ptr<const FinishedRun> run = makeFinishedRun("run.h5", recording, file.model);

  double column(std::size_t row, const std::string& name) const { return recording->column(name).at(row); }
};

TEST_F(ToldPart, HasTheColumnsOfItsPartARowForEachFrame) {
  const Told car(toldPart(*run, {"body", 1})), guide(toldPart(*run, {"joint", 1})),
      spring(toldPart(*run, {"force", 0}));
  EXPECT_EQ(car.text["properties"][0][1].text(), "300 kg");
  for (const Told* each : {&car, &guide, &spring}) EXPECT_EQ(each->rows, recording->rows());
  for (const std::size_t row : {std::size_t{0}, recording->rows() / 2, recording->rows() - 1}) {
    EXPECT_EQ(car.at(row, "position", "m", 2), column(row, "car.position.z"));
    EXPECT_EQ(car.at(row, "quaternion", "1"), column(row, "car.quaternion.w"));
    EXPECT_EQ(guide.at(row, "displacement", "m"), column(row, "joint.car guide.displacement"));
    EXPECT_EQ(guide.at(row, "force", "N", 1), column(row, "joint.car guide.force.y"));
    EXPECT_EQ(spring.at(row, "tension", "N"), column(row, "spring.tension"));
    const double speed = column(row, "car.velocity.z");  // it moves up and down alone
    EXPECT_NEAR(car.at(row, "kinetic_energy", "J"), 0.5 * 300 * speed * speed, 1e-12);
    EXPECT_EQ(car.at(row, "rotation_vector", "rad", 0), 0.0);
  }
  EXPECT_EQ(test::frameNumbers(run->frames).at(0), 0.0);  // frames are numbered as the rows of parts are
}

// Without its model a recording has bodies alone, of which nobody knows how heavy they are.
TEST_F(ToldPart, TellsNoEnergyWithoutAModel) {
  const auto bare = makeFinishedRun("run.csv", recording, std::nullopt);
  const Told car(toldPart(*bare, {"body", 1}));
  EXPECT_TRUE(car.text["properties"].items().empty());
  EXPECT_EQ(car.at(3, "position", "m", 2), column(3, "car.position.z"));
  for (const Json& quantity : car.text["quantities"].items()) EXPECT_NE(quantity["name"].text(), "kinetic_energy");
  EXPECT_THROW(toldPart(*bare, {"joint", 0}), InputError);
}

TEST_F(ToldPart, OfAPartThatIsNotThereNothingIsTold) {
  EXPECT_THROW(toldPart(*run, {"body", 2}), InputError);
  EXPECT_THROW(toldPart(*run, {"actuator", 0}), InputError);
}

}  // namespace
}  // namespace polhode::live::told_part_test
