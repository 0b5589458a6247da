#include "lipovac_runs.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

/// Figures 3.2 to 3.12 and 4.1 to 4.13.
namespace polhode::lipovac {
namespace {

constexpr Eigen::Index x = 0, z = 2;
const Window detail{0.9, 1.4, 1};  // about the first two jumps, every step

Chart chart(const std::string& title, const std::string& yLabel, std::vector<Series> series, bool logY = false) {
  return {title, "t [s]", yLabel, false, logY, std::move(series), ""};
}

std::string halved(int n) {
  return n == 0 ? "h = 1e-3" : fmt::format("h = 1e-3/{}", 1 << n);
}

std::size_t strideOf(int n) {
  return std::size_t{4} << n;
}

/// Position and velocity of the signal and of runs with three step sizes.
void refinement(StudyResult& result, const Scene& scene, const std::string& figure, const std::string& what,
                SignalVelocity velocity, const Window& window) {
  Chart position = chart(fmt::format("Figure {}: position, x", figure), "x [m]", {signalSeries(scene, x, window)});
  Chart speed = chart(fmt::format("Figure {}: velocity, x", figure), "velocity [m/s]", {});
  speed.series.push_back(velocity == SignalVelocity::given ? signalVelocity(scene, x, window)
                                                           : signalVelocityOnGrid(scene, usualStep, x, window));
  Chart drift = chart(fmt::format("Figure {}: error of the position, x", figure), "x - signal [m]", {});
  Chart error =
      chart(fmt::format("Figure {}: error of the velocity, x", what), "|velocity - signal's| [m/s]", {}, true);
  for (int n = 0; n < 3; ++n) {
    const double h = usualStep / (1 << n);
    const TrackingResult run = scene.run(servo(velocity, 0.0), h, false);
    Window sampled = window;
    sampled.stride = window.stride << n;
    position.series.push_back(component(halved(n), scene, run, Quantity::position, x, sampled));
    speed.series.push_back(component(halved(n), scene, run, Quantity::velocity, x, sampled));
    drift.series.push_back(component(halved(n), scene, run, Quantity::positionError, x, sampled));
    Series difference{halved(n), {}, {}};
    for (std::size_t k = 1; k < run.times.size(); k += sampled.stride) {
      const double t = run.times[k];
      if (t < window.begin || t > window.end) continue;
      const double target = velocity == SignalVelocity::given
                                ? scene.path.velocity(scene.path.indexAt(t))[x]
                                : (scene.path.held(t) - scene.path.held(run.times[k - 1]))[x] / h;
      difference.x.push_back(t);
      difference.y.push_back(std::max(std::abs(run.velocities[k][x] - target), 1e-18));
    }
    error.series.push_back(std::move(difference));
  }
  error.note = "Rounding: the servo constraint gives the signal's velocity exactly.";
  result.add(fmt::format("figure-{}-position.csv", figure), position);
  result.add(fmt::format("figure-{}-velocity.csv", figure), speed);
  result.add(fmt::format("figure-{}-error.csv", figure), drift);
  result.add(fmt::format("figure-{}.csv", what), error);
}

/// Position, velocity and their errors with Baumgarte's term, h = 5e-4.
void baumgarte(StudyResult& result, const Scene& scene, const std::string& figure, const std::string& errors,
               SignalVelocity velocity) {
  Chart position = chart(fmt::format("Figure {}: position, x", figure), "x [m]", {signalSeries(scene, x, detail)});
  Chart speed = chart(fmt::format("Figure {}: velocity, x", figure), "velocity [m/s]", {});
  Chart positionError = chart(fmt::format("Figure {}: error of the position, x", errors), "x - signal [m]", {});
  Chart velocityError =
      chart(fmt::format("Figure {}: error of the velocity, x", errors), "velocity - signal's [m/s]", {});
  for (const double epsilon : {0.2, 0.5, 0.8}) {
    const TrackingResult run = scene.run(servo(velocity, epsilon), usualStep / 2, false);
    const std::string name = fmt::format("ε = {}", epsilon);
    position.series.push_back(component(name, scene, run, Quantity::position, x, detail));
    speed.series.push_back(component(name, scene, run, Quantity::velocity, x, detail));
    positionError.series.push_back(component(name, scene, run, Quantity::positionError, x, detail));
    velocityError.series.push_back(component(name, scene, run, Quantity::velocityError, x, detail));
  }
  result.add(fmt::format("figure-{}-position.csv", figure), position);
  result.add(fmt::format("figure-{}-velocity.csv", figure), speed);
  result.add(fmt::format("figure-{}-position.csv", errors), positionError);
  result.add(fmt::format("figure-{}-velocity.csv", errors), velocityError);
}

struct Curve {
  std::string name;
  Law law;
};

/// One component of the position (and of the velocity) for several laws, h = 1e-3.
void family(StudyResult& result, const Scene& scene, const std::string& figure, Eigen::Index axis,
            std::vector<Curve> curves, bool gravity = false, bool velocities = false) {
  const char* letter = axis == x ? "x" : "z";
  Chart position = chart(fmt::format("Figure {}: position, {}", figure, letter), fmt::format("{} [m]", letter),
                         {signalSeries(scene, axis)});
  Chart speed = chart(fmt::format("Figure {}: velocity, {}", figure, letter), "velocity [m/s]", {});
  for (Curve& curve : curves) {
    const TrackingResult run = scene.run(std::move(curve.law), usualStep, true, gravity);
    position.series.push_back(component(curve.name, scene, run, Quantity::position, axis));
    speed.series.push_back(component(curve.name, scene, run, Quantity::velocity, axis));
  }
  result.add(fmt::format("figure-{}.csv", figure), position);
  if (velocities) result.add(fmt::format("figure-{}-velocity.csv", figure), speed);
}

std::vector<Curve> neumannCurves(const std::vector<std::pair<double, double>>& parameters, bool showFirst) {
  std::vector<Curve> curves;
  for (const auto& [rho0, rho1] : parameters)
    curves.push_back(
        {showFirst ? fmt::format("ρ0 = {:g}", rho0) : fmt::format("ρ1 = {:g}", rho1), neumann(rho0, rho1)});
  return curves;
}

std::vector<Curve> mixedCurves(const std::vector<std::pair<double, double>>& parameters, bool showFirst) {
  std::vector<Curve> curves;
  for (const auto& [rho0, rho1] : parameters)
    curves.push_back({showFirst ? fmt::format("ρ0 = {:g}", rho0) : fmt::format("ρ1 = {:g}", rho1), mixed(rho0, rho1)});
  return curves;
}

}  // namespace

void smoothActuation(StudyResult& result) {
  result.section("3.2.1 Smooth actuation",
                 "A servo constraint drives a sphere round a circle in eight seconds. The error of the position halves "
                 "with the step, that of the velocity is rounding.");
  const double w = std::numbers::pi / 4.0;
  const auto circle = [w](double t) {
    return Sample<Translation>{
        t, {std::cos(w * t), std::sin(w * t), 1.0}, {-w * std::sin(w * t), w * std::cos(w * t), 0.0}};
  };
  Chart position = chart("Figure 3.2: error of the position, x", "|x - signal| [m]", {}, true);
  Chart velocity = chart("Figure 3.2: error of the velocity, x", "|velocity - signal's| [m/s]", {}, true);
  for (int n = 0; n < 3; ++n) {
    TrackingProblem problem;
    problem.step = usualStep / (1 << n);
    problem.end = 8.0;
    problem.position = circle(0.0).place;
    problem.velocity = circle(0.0).velocity;
    const auto law = servo(SignalVelocity::given, 0.0);
    const TrackingResult run = track(problem, circle, *law);
    Series p{halved(n), {}, {}}, v{halved(n), {}, {}};
    for (std::size_t k = 0; k < run.times.size(); k += 4 * strideOf(n)) {
      const Sample<Translation> exact = circle(run.times[k]);
      p.x.push_back(run.times[k]);
      p.y.push_back(std::max(std::abs(run.positions[k][x] - exact.place[x]), 1e-18));
      v.x.push_back(run.times[k]);
      v.y.push_back(std::max(std::abs(run.velocities[k][x] - exact.velocity[x]), 1e-18));
    }
    position.series.push_back(std::move(p));
    velocity.series.push_back(std::move(v));
  }
  for (Chart* errors : {&position, &velocity}) errors->note = "What is exactly zero is drawn at 1e-18.";
  result.add("figure-3.2-position.csv", position);
  result.add("figure-3.2-velocity.csv", velocity);
}

void servoFigures(StudyResult& result, const Scene& scene) {
  result.section("3.2.2 Piecewise constant actuation",
                 "The velocity of the signal by central differences on its own grid. The position drifts off at every "
                 "jump; Baumgarte's term brings it back, and pays with velocities of many metres per second.");
  result.add("figure-3.3-position.csv", chart("Figure 3.3: the signal, x", "x [m]", {signalSeries(scene, x)}));
  result.add("figure-3.3-velocity.csv",
             chart("Figure 3.3: its velocity on its own grid, x", "velocity [m/s]", {signalVelocity(scene, x)}));
  refinement(result, scene, "3.4", "3.5", SignalVelocity::given, {});
  baumgarte(result, scene, "3.6", "3.7", SignalVelocity::given);

  result.section(
      "3.2.3 Actuation like Dirac impulses",
      "The velocity of the signal by differences on the solver's grid: zero nearly everywhere, and a jump over "
      "one step where a sample comes. With Baumgarte's term it overshoots. Shown from 0.9 to 1.4 s.");
  result.add("figure-3.8.csv", chart("Figure 3.8: velocity of the signal on the grid h = 1e-3, x", "velocity [m/s]",
                                     {signalVelocityOnGrid(scene, usualStep, x, detail)}));
  refinement(result, scene, "3.9", "3.10", SignalVelocity::onStepGrid, detail);
  baumgarte(result, scene, "3.11", "3.12", SignalVelocity::onStepGrid);
}

void l2Figures(StudyResult& result, const Scene& scene) {
  result.section("4.1 Single-step control, L2",
                 "The force of one step minimises the deviation at its end. It is a spring of stiffness h/ρ0 without a "
                 "damper: it oscillates, and changes with the step. Gravity that is not compensated leaves an offset "
                 "g ρ0/h.");
  Chart position = chart("Figure 4.1: position, x, ρ0 = 1e-5", "x [m]", {signalSeries(scene, x)});
  Chart speed = chart("Figure 4.2: velocity, x, ρ0 = 1e-5", "velocity [m/s]", {signalVelocity(scene, x)});
  Chart falling = chart("Figure 4.3: position under gravity, z, ρ0 = 1e-5", "z [m]", {signalSeries(scene, z)});
  for (int n = 0; n < 3; ++n) {
    Window window;
    window.stride = strideOf(n);
    const double h = usualStep / (1 << n);
    const TrackingResult run = scene.run(l2(1e-5), h);
    position.series.push_back(component(halved(n), scene, run, Quantity::position, x, window));
    speed.series.push_back(component(halved(n), scene, run, Quantity::velocity, x, window));
    const TrackingResult fall = scene.run(l2(1e-5, false), h, true, true);
    falling.series.push_back(component(halved(n), scene, fall, Quantity::position, z, window));
  }
  result.add("figure-4.1.csv", position);
  result.add("figure-4.2.csv", speed);
  result.add("figure-4.3.csv", falling);
  std::vector<Curve> curves;
  for (const double rho0 : {1e-5, 5e-6, 1e-6, 1e-7})
    curves.push_back({fmt::format("ρ0 = {:g}", rho0), l2(rho0, false)});
  family(result, scene, "4.4", z, std::move(curves), true);
}

void h1Figures(StudyResult& result, const Scene& scene) {
  result.section("4.2.1 Single-step control, H1 with Neumann conditions",
                 "The derivative of the force is penalised too.");
  family(result, scene, "4.5", x, neumannCurves({{1e-6, 1e-12}, {1e-6, 5e-13}, {1e-6, 1e-13}}, false), false, true);
  family(result, scene, "4.6", x, neumannCurves({{1e-5, 5e-13}, {5e-6, 5e-13}, {1e-6, 5e-13}}, true), false, true);
  family(result, scene, "4.7", x, neumannCurves({{5e-7, 5e-13}, {1e-7, 5e-13}, {1e-8, 5e-13}}, true));
  family(result, scene, "4.8", x, neumannCurves({{5e-7, 5e-13}, {5e-7, 1e-13}, {5e-7, 1e-14}}, false));

  result.section("4.2.2 Single-step control, H1 with mixed conditions",
                 "The force goes on where the last step left it. It lags, so that the spring has a negative damper.");
  family(result, scene, "4.9", x, mixedCurves({{5e-6, 1e-11}, {5e-6, 6e-12}, {5e-6, 1e-12}}, false), false, true);
  family(result, scene, "4.10", x, mixedCurves({{1e-5, 6e-12}, {5e-6, 6e-12}, {3e-6, 6e-12}}, true));
  family(result, scene, "4.11", x, mixedCurves({{6e-6, 1e-11}, {6e-6, 6e-12}, {6e-6, 3e-12}}, false));

  result.section("4.3 Constant and time-dependent forces",
                 "Under gravity, not compensated and compensated. With compensation the deviation is that of the other "
                 "components.");
  std::vector<Curve> falling;
  falling.push_back({"Neumann", neumann(1e-6, 5e-13, false)});
  falling.push_back({"mixed", mixed(5e-6, 6e-12, false)});
  family(result, scene, "4.12", z, std::move(falling), true);
  std::vector<Curve> held;
  held.push_back({"Neumann, ρ0 = 5e-7, ρ1 = 1e-13", neumann(5e-7, 1e-13)});
  family(result, scene, "4.13", z, std::move(held), true);
}

}  // namespace polhode::lipovac
