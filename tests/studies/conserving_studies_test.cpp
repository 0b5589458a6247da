#include "kinon_betsch_systems.h"
#include "scheme_runs.h"

#include <gtest/gtest.h>

/// What the studies of conserving schemes say of the papers' claims.
namespace polhode::conserving_studies_test {
namespace {

using namespace schemes;

const StudyProgress quiet = [](const std::string&) {};

// All of the paper's own claims hold; that DIR_EM is the most accurate does not carry over to the free body.
TEST(BetschSiebertStudy, ClaimsAndFigures) {
  const StudyResult result = betschSiebertStudy(quiet);
  const Table& claims = result.report.sections.front().tables.front();
  EXPECT_EQ(claims.rows.size(), 9u);
  for (const auto& row : claims.rows) {
    const bool expected = row[0].find("for the free body at T = 1") == std::string::npos;
    EXPECT_EQ(row[1], expected ? "✓ yes" : "✗ no") << row[0] << ": " << row[2];
  }
  std::vector<std::string> files;
  for (const auto& [file, table] : result.tables) {
    files.push_back(file);
    EXPECT_FALSE(table.rows.empty()) << file;
  }
  for (const char* figure : {"figure-1-left.csv", "figure-1-right.csv", "figure-3-left.csv", "figure-3-right.csv",
                             "figure-4-x.csv", "figure-4-z.csv", "figure-5-x.csv", "figure-5-z.csv"})
    EXPECT_EQ(std::count(files.begin(), files.end(), figure), 1) << figure;
}

// Errata of Kinon & Betsch 2024, remark 4.5: the momentum of the azimuth is not conserved by Gonzalez' gradients.
TEST(KinonBetschStudy, MomentumOfTheAzimuthDriftsAsMeasured) {
  const auto drift = [](const char* integrator) {
    return largest(driftSeries("", kinon::systemRun("spring-pendulum", integrator), "p.3", 1.0));
  };
  EXPECT_NEAR(drift("livens-em"), 5.3e-5, 0.1e-5);
  EXPECT_LT(drift("livens-em-chain"), 1e-13);
}

// Section 5.3: the generalised energy stays, the total energy (80) jumps by up to 557 of 2500 in a step.
TEST(KinonBetschStudy, TotalEnergyJumps) {
  const RunResult run = recordedRun(exampleModel("free-body"), "eml", 0.05, 2.0);
  EXPECT_LT(run.energyDrift, 1e-14);
  EXPECT_NEAR(largest(incrementSeries("", run.recording, "node_energy")), 557.0, 1.0);
  EXPECT_NEAR(largest(valueSeries("", run.recording, "constraint.velocity")), 5.1, 0.1);
}

TEST(SchemeRuns, MeasureOrderAndLimit) {
  const Model top = exampleModel("heavy-top");
  const Convergence curve = convergence("", top, "director-em", 0.1, {100, 200, 400}, steadyTopError);
  EXPECT_NEAR(curve.order(), 2.0, 0.01);
  EXPECT_NEAR(curve.constant() / 255.03, 1.0, 0.01);
  const Convergence none = convergence("", top, "quaternion-vi", 0.1, {10}, steadyTopError);
  EXPECT_TRUE(std::isnan(none.errors.front()));
  EXPECT_NEAR(largestSolvableStep(top, "quaternion-vi", 0.1, 0.005, 0.01), 1.0 / 140.6, 5e-5);
}

}  // namespace
}  // namespace polhode::conserving_studies_test
