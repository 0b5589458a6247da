#include "integrate/catalogue.h"
#include "io/examples.h"
#include "math/euler_map.h"
#include "polhode/analysis/run.h"
#include "polhode/io/model_file.h"
#include "system/null_space_mechanism.h"

#include <cmath>

#include <gtest/gtest.h>

/// Every integrator has its order on mechanisms: on a tree (two cylinders on ball joints) and on a loop (four bars under a
/// load that grows). The reference is a run of DOP853 at 1e-14, which other tests compare with independent solutions.
namespace polhode::mechanism_order_test {
namespace {

struct Case {
  const char* example;
  double end;  // before the load has a corner; a power of two of equal steps adds up to it exactly
};

constexpr Case tree{"spatial-double-pendulum", 0.375}, loop{"four-bar-loop", 0.375};

Model modelOf(const Case& c) {
  return readModelText(findExample(c.example)->text, c.example).model;
}

/// The largest difference in a centre of mass or an entry of a rotation matrix.
double difference(const std::vector<Body>& a, const std::vector<Body>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Matrix3 R = rotationMatrix(a[i].orientation) - rotationMatrix(b[i].orientation);
    largest = std::max({largest, (a[i].position - b[i].position).cwiseAbs().maxCoeff(), R.cwiseAbs().maxCoeff()});
  }
  return largest;
}

std::vector<Body> endOf(const Case& c, SimulationSettings settings) {
  settings.end = c.end;
  const RunResult run = simulate(modelOf(c), settings);
  EXPECT_EQ(run.failure, "") << settings.integrator;
  return run.final.bodies;
}

const std::vector<Body>& reference(const Case& c) {
  static const auto accurate = [](const Case& of) {
    SimulationSettings settings;
    settings.tolerance = 1e-14;
    return endOf(of, settings);
  };
  static const std::vector<Body> ofTree = accurate(tree), ofLoop = accurate(loop);
  return &c == &tree ? ofTree : ofLoop;
}

double errorWithStep(const Case& c, const std::string& integrator, int steps) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = c.end / steps;
  return difference(endOf(c, settings), reference(c));
}

double errorWithTolerance(const Case& c, const std::string& integrator, double tolerance) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.tolerance = tolerance;
  return difference(endOf(c, settings), reference(c));
}

/// A code that chooses its step, made to take equal ones: every error is tolerated, and no step may be longer.
double errorWithEqualSteps(const Case& c, const std::string& integrator, int steps) {
  const auto mechanism = std::make_shared<const Mechanism>(modelOf(c));
  const auto equations = makeNullSpaceMechanism(mechanism, "quaternion");
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = 1e4;
  options.initialStep = options.largestStep = c.end / steps;
  const auto stepper =
      makeOdeStepper(integrator, *equations, 0.0, equations->stateOf(initialMotion(*mechanism)), c.end, options);
  while (stepper->time() < c.end) stepper->step();
  EXPECT_EQ(stepper->work().steps, steps) << integrator;
  const MechanismMotion end = equations->motionOf(stepper->time(), stepper->state());
  std::vector<Body> bodies;
  for (std::size_t i = 0; i < end.size(); ++i)
    bodies.push_back(mechanism->bodyAt(i, end[i].at, end[i].rate.v, Vector3::Zero()));
  return difference(bodies, reference(c));
}

struct Expected {
  const char* integrator;
  double order;
  int stepsOnTree, stepsOnLoop;  // of the coarser run; the finer one has twice as many
};

template <class Error>
void expectOrder(const Expected& e, const Error& error) {
  for (const auto& [c, steps] : {std::pair{&tree, e.stepsOnTree}, std::pair{&loop, e.stepsOnLoop}}) {
    const double coarse = error(*c, e.integrator, steps), fine = error(*c, e.integrator, 2 * steps);
    // a finite step is off by its next term; the errors must be far above rounding
    EXPECT_NEAR(std::log2(coarse / fine), e.order, 0.12 * e.order) << e.integrator << " on " << c->example;
    EXPECT_GT(fine, 1e-12) << e.integrator << " on " << c->example;
  }
}

TEST(MechanismOrder, ConservingEngine) {
  for (const Expected& e : {Expected{"director-em", 2, 20, 20}, Expected{"director-em-4", 4, 8, 4},
                            Expected{"director-em-6", 6, 4, 2}, Expected{"director-em-8", 8, 3, 1}})
    expectOrder(e, errorWithStep);
}

TEST(MechanismOrder, Collocation) {
  for (const Expected& e : {Expected{"director-gauss-4", 4, 8, 4}, Expected{"director-gauss-6", 6, 4, 4},
                            Expected{"director-gauss-8", 8, 3, 1}})
    expectOrder(e, errorWithStep);
}

TEST(MechanismOrder, LivensSchemes) {
  for (const Expected& e : {Expected{"eml", 2, 20, 20}, Expected{"mpl", 2, 20, 20}, Expected{"eml-4", 4, 8, 4}})
    expectOrder(e, errorWithStep);
}

TEST(MechanismOrder, RealTimeScheme) {
  expectOrder({"linear-implicit-euler", 1, 400, 400}, errorWithStep);
}

TEST(MechanismOrder, ExplicitCodesAtEqualSteps) {
  for (const Expected& e : {Expected{"dopri5", 5, 16, 8}, Expected{"dop853", 8, 4, 2}})
    expectOrder(e, errorWithEqualSteps);
}

// Codes that choose their order as well, and radau5, which solves its equations no better than the tolerance asks: the error
// follows the tolerance.
TEST(MechanismOrder, OtherCodesFollowTheirTolerance) {
  for (const char* integrator : {"odex", "radau5", "seulex", "bdf"})
    for (const Case* c : {&tree, &loop}) {
      const double loose = errorWithTolerance(*c, integrator, 1e-5), tight = errorWithTolerance(*c, integrator, 1e-9);
      EXPECT_GT(std::log10(loose / tight), 2.5) << integrator << " on " << c->example;
      EXPECT_LT(tight, 1e-6) << integrator << " on " << c->example;
    }
}

}  // namespace
}  // namespace polhode::mechanism_order_test
