#include "ensemble/sweep.h"

#include "ensemble/sobol_indices.h"
#include "ensemble/sweep_run.h"
#include "io/examples.h"
#include "polhode/error.h"
#include "support/command.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

namespace polhode::ensemble::sweep_test {
namespace {

SweepPlan planOf(const std::string& example, const std::vector<std::string>& vary,
                 const std::vector<std::string>& measures) {
  SweepPlan plan;
  plan.source = example + ".toml";
  plan.command = example;
  plan.text = findExample(example)->text;
  for (const std::string& text : vary) plan.vary.push_back(parseVary(text));
  plan.measures = measures;
  return plan;
}

std::vector<MemberRow> allOf(const Sweep& sweep, unsigned threads, std::int64_t first = 0) {
  std::vector<MemberRow> rows;
  runSweep(sweep, first, threads,
           {[&](MemberRow&& row) { rows.push_back(std::move(row)); }, [] {}, [] { return false; }});
  return rows;
}

void expectRefused(const SweepPlan& plan, const std::string& part) {
  try {
    const Sweep sweep(plan);
    ADD_FAILURE() << "accepted; expected " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

/// sqrt(l / g) K(sin(A / 2)) is a quarter of a pendulum's period, K the complete elliptic integral: here of A = 90 degrees.
double quarterPeriod(double length, double gravity) {
  return std::sqrt(length / gravity) * std::comp_ellint_1(std::sqrt(0.5));
}

constexpr const char* gravityOfPendulum = "model.gravity=[0, -uniform(5, 12), 0]";
constexpr const char* lengthOfPendulum = "body.bob.position=[-uniform(0.5, 2), 0, 0]";

/// The step's own error at h = 0.001 is of the order h^2 / 24 (g / l) of the period; a hundred times that would be 1e-4.
TEST(Sweep, MeasuresAPendulumAsTheoryHasIt) {
  SweepPlan plan =
      planOf("simple-pendulum", {"body.bob.mass=0.1:3", lengthOfPendulum, gravityOfPendulum},
             {"bob.position.x=0:time", "bob.position.x=0:period", "bob.position.x=0:count", "bob.position.y:min",
              "bob.position.x:start", "energy_drift", "time", "steps", "energy:mean", "energy:drift"});
  plan.samples = 6;
  plan.sampling = SamplingKind::latin;
  plan.overrides = {"simulation.end=6"};
  const Sweep sweep(plan);
  for (const MemberRow& row : allOf(sweep, 2)) {
    ASSERT_EQ(row.failure, "");
    const double length = row.numbers[1], quarter = quarterPeriod(length, row.numbers[2]);
    const double* measured = row.numbers.data() + 3;
    EXPECT_NEAR(measured[0], quarter, 2e-6);
    EXPECT_NEAR(measured[1], 4.0 * quarter, 1e-5);
    EXPECT_EQ(measured[2], std::floor((6.0 / quarter + 1.0) / 2.0));
    EXPECT_NEAR(measured[3], -length, 1e-5 * length) << "the lowest point of those at the ends of steps";
    EXPECT_EQ(measured[4], -length);
    EXPECT_LT(measured[5], 1e-11);
    EXPECT_EQ(measured[6], 6.0);
    EXPECT_EQ(measured[7], 6000.0);
    EXPECT_NEAR(measured[8], 0.0, 1e-10) << "released from where its potential is nought";
    EXPECT_LT(measured[9], 1e-10);
  }
}

/// T = c sqrt(l / g): the mass has no share, and the others that of the variance of sqrt(l) and 1 / sqrt(g), in closed form
/// for uniform l in (1/2, 2) and g in (5, 12).
TEST(Sweep, FindsWhatAPendulumsPeriodDependsOn) {
  SweepPlan plan = planOf("simple-pendulum", {"body.bob.mass=0.1:3", lengthOfPendulum, gravityOfPendulum},
                          {"bob.position.x=0:time"});
  plan.samples = 256;
  plan.sampling = SamplingKind::sobol;
  plan.indices = true;
  plan.overrides = {"simulation.end=1.25", "simulation.step=0.01"};  // 1.18 s for the longest in the weakest gravity
  const Sweep sweep(plan);
  ASSERT_EQ(sweep.size(), 256 * 5);
  std::vector<double> times;
  for (const MemberRow& row : allOf(sweep, 2)) times.push_back(row.numbers[3]);
  const std::vector<SobolIndex> found = sobolIndices(times, 3);
  ASSERT_EQ(found.size(), 3u);

  // mean and mean square of sqrt(l) and of 1 / sqrt(g)
  const double l1 = 0.5, l2 = 2.0, g1 = 5.0, g2 = 12.0;
  const double meanL = (std::pow(l2, 1.5) - std::pow(l1, 1.5)) / (1.5 * (l2 - l1)), squareL = 0.5 * (l1 + l2);
  const double meanG = 2.0 * (std::sqrt(g2) - std::sqrt(g1)) / (g2 - g1), squareG = std::log(g2 / g1) / (g2 - g1);
  const double varianceL = squareL - meanL * meanL, varianceG = squareG - meanG * meanG;
  const double whole = squareL * squareG - meanL * meanL * meanG * meanG;
  EXPECT_NEAR(found[0].first, 0.0, 1e-9);
  EXPECT_NEAR(found[0].total, 0.0, 1e-9);
  // 256 Sobol' points: off by 7e-3 at most, half of that with twice as many
  EXPECT_NEAR(found[1].first, varianceL * meanG * meanG / whole, 1e-2);
  EXPECT_NEAR(found[2].first, varianceG * meanL * meanL / whole, 1e-2);
  EXPECT_NEAR(found[1].total, varianceL * squareG / whole, 1e-2);
  EXPECT_NEAR(found[2].total, varianceG * squareL / whole, 1e-2);
}

/// Members come in their order and are the same bit by bit for any number of threads, from wherever it begins; those that
/// cannot be built have their sentence.
TEST(Sweep, IsTheSameForAnyNumberOfThreads) {
  SweepPlan plan =
      planOf("simple-pendulum", {"body.bob.mass=-1:3", gravityOfPendulum}, {"bob.position.x:max", "energy"});
  plan.samples = 100;
  plan.sampling = SamplingKind::random;
  plan.every = 0.05;
  plan.columns = "bob.position.x";
  plan.overrides = {"simulation.end=0.12"};
  const Sweep sweep(plan);
  const std::vector<MemberRow> one = allOf(sweep, 1);
  ASSERT_EQ(one.size(), 100u);
  int failed = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].numbers[0], sweep.numbers(static_cast<std::int64_t>(i))[0]);
    ASSERT_EQ(one[i].numbers.size(), 2u + 2u + 3u);
    const bool isImpossible = one[i].numbers[0] < 0.0;
    failed += isImpossible;
    EXPECT_EQ(one[i].failure.find("mass must be") != std::string::npos, isImpossible) << one[i].failure;
    for (std::size_t k = 2; k < 7; ++k) EXPECT_EQ(std::isnan(one[i].numbers[k]), isImpossible);
    if (!isImpossible) {
      EXPECT_EQ(one[i].numbers[4], -1.0) << "where its trajectory begins";
    }
  }
  EXPECT_GT(failed, 5);
  for (const unsigned threads : {2u, 3u, 5u}) {
    const std::vector<MemberRow> many = allOf(sweep, threads, 17);
    ASSERT_EQ(many.size(), 83u);
    for (std::size_t i = 0; i < many.size(); ++i) {
      EXPECT_EQ(many[i].failure, one[i + 17].failure);
      for (std::size_t k = 0; k < 7; ++k) {
        const double a = many[i].numbers[k], b = one[i + 17].numbers[k];
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b)));
      }
    }
  }
}

/// Members that go in lanes, that do not (a rod without inertia about its axis) and that are impossible, as they come.
SweepPlan mixedPlan() {
  SweepPlan plan =
      planOf("planar-double-pendulum",
             {"body.rod1.inertia=[[0, 0.0833, 0.0833], [0.0006, 0.0833, 0.0833]]", "body.rod1.mass=-0.5:2"},
             {"rod2.position.x", "energy", "rod2.position.y:min", "energy:drift"});
  plan.samples = 120;
  plan.sampling = SamplingKind::random;
  plan.seed = 3;
  plan.overrides = {"body.rod2.inertia=[0.0006, 0.0833, 0.0833]", "simulation.integrator=director-em",
                    "simulation.step=0.002", "simulation.end=0.1"};
  return plan;
}

std::string fileOf(const Sweep& sweep, const std::vector<std::int64_t>& ends, const std::string& path) {
  SweepWriter writer(path, sweep.layout(), sweep.plan().attributes());
  MemberWork work(sweep);
  std::int64_t begin = 0;
  for (std::size_t i = 0; begin < sweep.size(); ++i) {
    const std::int64_t end = std::min(begin + ends[i % ends.size()], sweep.size());
    for (const MemberRow& row : work.rows(begin, end)) writer.append(row.numbers, row.failure);
    begin = end;
  }
  writer.sync();
  writer.takePlace();
  return test::readFile(path);
}

/// The file has the same bytes however wide the lanes are, and whichever members are moved together.
TEST(Sweep, IsTheSameFileForAnyLanesAndNeighbours) {
  const test::TemporaryFolder folder;
  SweepPlan plan = mixedPlan();
  plan.every = 0.05;
  plan.columns = "rod2.position.x";
  plan.laneWidth = 1;
  const Sweep alone(plan);
  const std::string expected = fileOf(alone, {1}, folder / "alone.h5");
  const std::vector<MemberRow> rows = MemberWork(alone).rows(0, alone.size());
  const auto count = [&](const auto& kind) { return std::count_if(rows.begin(), rows.end(), kind); };
  EXPECT_GT(count([](const MemberRow& row) { return !row.failure.empty(); }), 10);
  EXPECT_GT(count([](const MemberRow& row) { return row.failure.empty() && row.numbers[0] == 0.0; }), 30);
  EXPECT_GT(count([](const MemberRow& row) { return row.failure.empty() && row.numbers[0] == 1.0; }), 30);
  for (const int width : {1, 2, 4, 8}) {
    plan.laneWidth = width;
    const Sweep sweep(plan);
    ASSERT_EQ(sweep.wanted().laneWidth, width);
    for (const std::vector<std::int64_t>& ends : {std::vector<std::int64_t>{120}, {7}, {3, 16, 1}})
      EXPECT_EQ(fileOf(sweep, ends, folder / "some.h5") == expected, true) << width << " wide, " << ends[0] << " first";
  }
}

/// Steps that an integrator chooses are looked at within, and what happens there is located on the dense output.
TEST(Sweep, LooksWithinLongSteps) {
  SweepPlan plan =
      planOf("simple-pendulum", {"body.bob.mass=[1, 2]"}, {"bob.position.y:min", "bob.position.y=-0.5:time"});
  plan.overrides = {"simulation.integrator=dop853", "simulation.end=3"};
  const Sweep sweep(plan);
  const std::vector<MemberRow> rows = allOf(sweep, 1);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0].numbers[1], -1.0, 1e-2);
  // the time of the fall to 30 degrees below the horizontal, t = sqrt(l / 2 g) * integral of 1 / sqrt(sin a) from 0 to pi / 6,
  // by the midpoint rule in s = sqrt(sin a)
  double integral = 0.0;
  const int n = 4000;
  for (int i = 0; i < n; ++i) {
    const double s = std::sqrt(0.5) * (i + 0.5) / n;  // sin a = s^2, da = 2 s ds / sqrt(1 - s^4)
    integral += 2.0 / std::sqrt(1.0 - s * s * s * s) * std::sqrt(0.5) / n;
  }
  EXPECT_NEAR(rows[0].numbers[2], std::sqrt(1.0 / (2.0 * 9.81)) * integral, 1e-6);
}

TEST(Sweep, TakesRowsOfATableTogether) {
  const test::TemporaryFolder folder;
  const std::string table = folder / "table.csv";
  std::ofstream(table) << "m,g\n1,10\n2,20\n4,40\n";
  const Sweep sweep(planOf(
      "simple-pendulum",
      {"body.bob.mass=@" + table + ":m", "model.gravity=[0, -@" + table + ":g, 0]", "simulation.step=[0.001, 0.002]"},
      {"energy"}));
  ASSERT_EQ(sweep.size(), 6);
  EXPECT_EQ(sweep.dimensions(), 2u);
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(sweep.numbers(i)[1], 10.0 * sweep.numbers(i)[0]);
  EXPECT_EQ(sweep.overrides(5)[1], "model.gravity=[0, -40, 0]");

  // its words need no file
  std::filesystem::remove(table);
  const Sweep again(SweepPlan::of(sweep.plan().attributes(), "sweep.h5"));
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(again.overrides(i), sweep.overrides(i));
}

/// Of this grid only members with one of sixteen masses are possible, and in even steps one would meet the first mass again and
/// again.
TEST(Sweep, TriesMembersAllOver) {
  const Sweep sweep(planOf("simple-pendulum",
                           {"simulation.step=0.001:0.002:64",
                            "body.bob.mass=[-15, -14, -13, -12, -11, -10, -9, -8, -7, 8, -5, -4, -3, -2, -1, -0.5]"},
                           {"energy"}));
  EXPECT_EQ(sweep.size(), 64 * 16);
}

TEST(Sweep, RefusesWhatMakesNoSense) {
  expectRefused(planOf("simple-pendulum", {"body.bob.masss=1:2:3"}, {"energy"}), "did you mean 'mass'?");
  expectRefused(planOf("simple-pendulum", {"body.bill.mass=1:2:3"}, {"energy"}), "there is no body 'bill'");
  expectRefused(planOf("simple-pendulum", {"body.bob.mass=1:2:3"}, {"bob.position.w"}), "cannot be observed");
  expectRefused(planOf("simple-pendulum", {"body.bob.mass=1:2:3"}, {"energy:most"}), "ends with 'most'");
  expectRefused(planOf("simple-pendulum", {"body.bob.mass=1:2:3"}, {"energy=1:max"}), "ends with 'max'");
  expectRefused(planOf("simple-pendulum", {"body.bob.mass=1:2:3"}, {"energy", "energy"}), "is there twice");
  expectRefused(planOf("simple-pendulum", {"body.bob.mass=1:2"}, {"energy"}), "a grid needs a number of values");
  expectRefused(planOf("simple-pendulum", {"body.bob.mass=1:2:3"}, {}), "nothing is measured");
  expectRefused(planOf("simple-pendulum", {}, {"energy"}), "nothing varies");
  SweepPlan plan = planOf("simple-pendulum", {"body.bob.mass=1:2"}, {"energy"});
  plan.samples = 0;
  plan.sampling = SamplingKind::sobol;
  expectRefused(plan, "--samples is 0");
  plan.samples = std::int64_t(1) << 62;
  plan.indices = true;
  expectRefused(plan, "--samples 4611686018427387904 makes 1.38e+19 members");
  plan.indices = false;
  plan.samples = 10;
  plan.every = 1e-12;
  plan.columns = "energy";
  expectRefused(plan, "more than 1e+09 numbers");
}

/// Neighbouring members say what the derivative of the one between them is, to the square of their distance: for trees, which
/// carry it along, and for others; at the end, in the mean, and when something happens.
TEST(Sweep, HasTheGradientsThatItsMembersShow) {
  const struct {
    std::string example;
    std::vector<std::string> vary;
    std::string measure, end;
  } cases[] = {{"ball-chain",
                {"body.rod2.mass=0.999:1.001:3", "model.gravity=[0, 0, -9.811:-9.809:3]"},
                "rod8.position.z",
                "0.5"},
               {"ball-chain",  // by an initial value
                {"body.rod8.angular_velocity={ space = [0, 0, 1.999:2.001:3] }", "body.rod8.mass=0.999:1.001:3"},
                "rod8.position.y",
                "0.5"},
               {"simple-pendulum",
                {"body.bob.mass=1:2:3", "model.gravity=[0, -9.811:-9.809:3, 0]"},
                "bob.position.x:end",
                "0.5"},
               {"ball-chain",
                {"body.rod2.mass=0.999:1.001:3", "model.gravity=[0, 0, -9.811:-9.809:3]"},
                "rod8.position.z:rms",
                "0.2"},
               {"ball-chain",
                {"body.rod8.angular_velocity={ space = [0, 0, 1.999:2.001:3] }", "body.rod8.mass=0.999:1.001:3"},
                "rod8.position.y:mean",
                "0.2"},
               {"ball-chain",
                {"body.rod2.mass=0.999:1.001:3", "model.gravity=[0, 0, -9.811:-9.809:3]"},
                "rod8.position.z=-0.1",
                "0.2"},
               {"simple-pendulum",
                {"body.bob.position=[-1.001:-0.999:3, 0, 0]", "model.gravity=[0, -9.811:-9.809:3, 0]"},
                "bob.position.x:start",
                "0.1"}};
  for (const auto& each : cases) {
    SweepPlan plan = planOf(each.example, each.vary, {each.measure, "energy"});
    plan.gradient = true;
    plan.overrides = {"simulation.end=" + each.end, "simulation.step=0.002"};
    const Sweep sweep(plan);
    const std::vector<MemberRow> rows = allOf(sweep, 2);
    ASSERT_EQ(rows.size(), 9u);
    ASSERT_EQ(rows[4].numbers.size(), 2u + 2u + 4u);  // parameters, measures, derivatives
    for (std::size_t p = 0; p < 2; ++p) {
      const MemberRow &before = rows[p == 0 ? 1 : 3], &after = rows[p == 0 ? 7 : 5];
      for (std::size_t m = 0; m < 2; ++m) {
        const double expected = (after.numbers[2 + m] - before.numbers[2 + m]) / (after.numbers[p] - before.numbers[p]);
        EXPECT_NEAR(rows[4].numbers[4 + 2 * m + p], expected, 1e-5 * (1e-3 + std::abs(expected)))
            << each.example << ", measure " << m << " by parameter " << p;
      }
    }
  }
}

/// By length and gravity, of a pendulum let go at 90 degrees: its lowest place is -l, its periods go with sqrt(l / g), and its mass is
/// nothing to it. The step h gives periods an error of h^2 g / l / 24 of themselves; between steps the lowest place is one
/// of a parabola, to (w h)^3 / 6 of the change of the place there, w the largest rate.
TEST(Sweep, HasTheGradientsOfAPendulumsPeriod) {
  SweepPlan plan =
      planOf("simple-pendulum",
             {"body.bob.mass=1:2:2", "body.bob.position=[-1.2:-0.8:2, 0, 0]", "model.gravity=[0, -10:-9:2, 0]"},
             {"bob.position.x=0", "bob.position.x=0:period", "bob.position.y:min", "bob.position.y:drift",
              "bob.position.x:max", "bob.position.y=1"});
  plan.gradient = true;
  plan.overrides = {"simulation.end=6", "simulation.step=0.001", "simulation.integrator=\"director-em\""};
  const std::vector<MemberRow> rows = allOf(Sweep(plan), 2);
  ASSERT_EQ(rows.size(), 8u);
  for (const MemberRow& row : rows) {
    ASSERT_EQ(row.numbers.size(), 3u + 6u + 18u);
    const double length = -row.numbers[1], gravity = -row.numbers[2], quarter = quarterPeriod(length, gravity);
    const double* const byAll = &row.numbers[9];
    // time of the first passage and period: by the mass, by -l, by -g
    for (const auto& [measure, time] : {std::pair(0, quarter), std::pair(1, 4.0 * quarter)}) {
      EXPECT_NEAR(row.numbers[3 + static_cast<std::size_t>(measure)], time, 1e-5 * time);
      EXPECT_NEAR(byAll[3 * measure], 0.0, 1e-9);
      EXPECT_NEAR(byAll[3 * measure + 1], -0.5 * time / length, 1e-5);
      EXPECT_NEAR(byAll[3 * measure + 2], 0.5 * time / gravity, 1e-5);
    }
    EXPECT_NEAR(byAll[7], 1.0, 1e-5);    // lowest place
    EXPECT_NEAR(byAll[8], 0.0, 1e-5);    //
    EXPECT_NEAR(byAll[10], -1.0, 1e-5);  // how far it is below its beginning
    EXPECT_NEAR(byAll[13], -1.0, 1e-5);  // farthest to the right
    EXPECT_TRUE(std::isnan(row.numbers[8]) && std::isnan(byAll[15]) && std::isnan(byAll[17]));  // never there
  }
}

TEST(Sweep, SaysOfWhatThereIsNoGradient) {
  SweepPlan plan = planOf("simple-pendulum", {"body.bob.mass=1:2:3"}, {});
  plan.gradient = true;
  for (const char* measure :
       {"bob.position.x=0:count", "energy_drift", "time", "steps", "joint_gap", "balance_error"}) {
    plan.measures = {"energy", measure};
    expectRefused(plan, std::string("--gradient is of what changes smoothly with what varies, and '") + measure);
  }
  plan.measures = {"energy"};
  plan.vary = {parseVary("simulation.integrator=[director-em, dop853]")};
  expectRefused(plan, "'simulation.integrator' varies by words");
  plan.vary = {parseVary("simulation.step=0.001:0.002:2")};
  expectRefused(plan, "'simulation.step' is a setting of its simulation");
  plan.vary = {parseVary("body.bob.mass=1:2:3")};
  plan.overrides = {"simulation.stop_when=\"bob.position.x=0\""};
  expectRefused(plan, "these stop when 'bob.position.x=0'; leave out --stop-when and measure bob.position.x=0:time");
}

}  // namespace
}  // namespace polhode::ensemble::sweep_test
