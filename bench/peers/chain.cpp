// Chains of ball joints and of hinges, side by side: time a step over N, the fitted exponent, the energy's drift, and where
// they are installed the same chains in Simbody and MuJoCo. Times are processor times, the least of a few repetitions.
//
//     polhode_chain_bench [largest N] [seconds for each simulator and N]
#include "chain_case.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <fmt/format.h>

namespace {

using namespace chain_bench;

double processorSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Measured {
  double microseconds = NAN, drift = NAN, iterations = 0.0;
  int steps = 0;
};

/// The fall, or as much of it as the budget allows; repeated as long as there is some left.
Measured measure(Chain* chain, double budget) {
  Measured best;
  if (!chain) return best;
  double spent = 0.0;
  for (int repetition = 0; repetition < 3 && (repetition == 0 || spent < 0.5 * budget); ++repetition) {
    chain->reset();
    const Energy first = chain->energy();
    const int most = static_cast<int>(std::lround(end / step));
    double seconds = 0.0, kinetic = 0.0, worst = 0.0;
    int steps = 0;
    while (steps < most && seconds < budget) {
      const int batch = std::clamp(most - steps, 1,
                                   steps == 0 ? 1 : std::min(50, 1 + static_cast<int>(0.1 * budget * steps / seconds)));
      const double start = processorSeconds();
      for (int i = 0; i < batch; ++i) chain->advance();
      seconds += processorSeconds() - start;
      steps += batch;
      const Energy now = chain->energy();
      kinetic = std::max(kinetic, now.kinetic);
      worst = std::max(worst, std::abs(now.kinetic + now.potential - first.kinetic - first.potential));
    }
    spent += seconds;
    const double each = 1e6 * seconds / steps;
    if (!(each >= best.microseconds)) best.microseconds = each;
    best.drift = worst / kinetic;
    best.steps = steps;
    best.iterations = chain->iterations();
  }
  return best;
}

/// The slope of log(time) over log(N).
double exponent(const std::vector<double>& counts, const std::vector<double>& times) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double a = std::log(counts[i]), b = std::log(times[i]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

std::string number(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

void table(bool hinged, int largest, double budget) {
  fmt::print("{} joints: microseconds a step, h = 1e-3, and energy drift relative to the largest kinetic energy\n",
             hinged ? "revolute" : "ball");
  fmt::print("{:>6} {:>10} {:>7} {:>6} {:>9} | {:>10} {:>7} {:>9} | {:>11} {:>7} {:>9}\n", "N", "polhode", "a body",
             "newton", "drift", "simbody", "ratio", "drift", "mujoco rk4", "ratio", "drift");
  std::vector<double> counts, times;
  for (int count = 8; count <= largest; count *= 4) {
    const Measured ours = measure(polhodeChain(count, hinged).get(), budget);
    const Measured simbody = count <= 2048 ? measure(simbodyChain(count, hinged).get(), budget) : Measured{};
    const Measured mujoco = count <= 512 ? measure(mujocoChain(count, hinged).get(), budget) : Measured{};
    counts.push_back(count);
    times.push_back(ours.microseconds);
    fmt::print("{:6d} {:10.2f} {:7.3f} {:6.2f} {:9.1e} | {:>10} {:>7} {:>9} | {:>11} {:>7} {:>9}\n", count,
               ours.microseconds, ours.microseconds / count, ours.iterations, ours.drift,
               number(simbody.microseconds, "{:.1f}"), number(ours.microseconds / simbody.microseconds, "{:.4f}"),
               number(simbody.drift, "{:.1e}"), number(mujoco.microseconds, "{:.1f}"),
               number(ours.microseconds / mujoco.microseconds, "{:.5f}"), number(mujoco.drift, "{:.1e}"));
    std::fflush(stdout);
  }
  fmt::print("time a step grows with N to the power {:.3f}\n\n", exponent(counts, times));
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 8192;
  const double budget = argc > 2 ? std::atof(argv[2]) : 2.0;
  table(false, largest, budget);
  table(true, largest, budget);
}
