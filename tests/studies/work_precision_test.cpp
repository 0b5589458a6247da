#include "work_precision.h"

#include "lang_cases.h"
#include "support/files.h"

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

/// The integrators against the original codes on Lang's example A: tests/data/work_precision_lang_a.json.
namespace polhode::work_precision_test {
namespace {

using test::Json;

BodyMotion referenceMotion(const Json& instant) {
  BodyMotion motion;
  for (std::size_t i = 0; i < 9; ++i)
    motion.directors(static_cast<int>(i) / 3, static_cast<int>(i) % 3) = instant["R"][i].number();
  for (std::size_t i = 0; i < 3; ++i) motion.angularVelocity[static_cast<int>(i)] = instant["Omega"][i].number();
  return motion;
}

const lang::Formulation& formulationOf(int equation) {
  for (const lang::Formulation& f : lang::formulations())
    if (f.equation == std::to_string(equation)) return f;
  throw std::out_of_range("no such equation");
}

double relative(double a, double b) {
  return std::abs(a / b - 1.0);
}
double factor(double a, double b) {
  return std::max(a / b, b / a);
}

class OriginalCodes : public testing::TestWithParam<std::string> {};

TEST_P(OriginalCodes, AreReproducedOnLangA) {
  static const Json solutions = test::readData("solutions.json");
  static const Json table = test::readData("work_precision_lang_a.json");
  const BodyMotion reference = referenceMotion(solutions["cases"]["lang_a"]["t"]["60"]);
  const bool exact = GetParam() == "dopri5" || GetParam() == "dop853";  // the same arithmetic in the same order
  int compared = 0;
  for (const Json& row : table["rows"].items()) {
    if (row["solver"].text() != GetParam()) continue;
    const lang::Formulation& formulation = formulationOf(static_cast<int>(row["form"].number()));
    SimulationSettings settings =
        lang::settings(formulation, GetParam(), std::strtod(row["tol"].text().c_str(), nullptr), 60.0);
    if (row["projection"].number() != 0.0) settings.projection = "explicit";
    SCOPED_TRACE(formulation.label + ", " + settings.projection + ", " + row["tol"].text());

    const WorkPrecision ours = measureWorkPrecision(lang::exampleA(), settings, reference);
    ASSERT_EQ(ours.failure, "");
    EXPECT_LT(relative(static_cast<double>(ours.work.rhsEvaluations), row["nfev"].number()), exact ? 0.01 : 0.15);
    ++compared;
    // Where the original has no digit right, the size of its error says nothing: ours must have none either.
    if (row["err"].number() > 1.0) {
      EXPECT_GT(ours.error(), 0.1);
      continue;
    }
    EXPECT_LT(factor(ours.rotationError, row["err_R"].number()), exact ? 1.5 : 3.0);
    EXPECT_LT(factor(ours.angularVelocityError, row["err_Omega"].number()), exact ? 1.5 : 3.0);
  }
  EXPECT_GE(compared, 10);
}

INSTANTIATE_TEST_SUITE_P(Lang, OriginalCodes, testing::Values("dopri5", "dop853", "odex", "radau5", "seulex"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace polhode::work_precision_test
