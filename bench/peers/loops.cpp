// Mechanisms with loops beside Simbody and MuJoCo, where these are installed: what a fixed step costs, what is left of the energy
// and how far joints open; and how long each takes to reach an error. Times are processor times, the least of a few.
//
//     polhode_loop_bench [seconds for each simulator and mechanism]
#include "../../tests/support/mechanisms.h"
#include "polhode/io/load_model.h"
#include "polhode_loops.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>

#include <fmt/format.h>

namespace {

using namespace loop_bench;
using polhode::Model;

double processorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string firstLine(const std::exception& error) {
  const std::string words = error.what();
  return words.substr(0, words.find('\n'));
}

/// Those that are installed and take the mechanism; what others say of it is told.
std::vector<std::unique_ptr<Peer>> others(const Case& mechanism) {
  std::vector<std::unique_ptr<Peer>> all;
  for (auto make : {&simbodyPeer, &mujocoPeer}) {
    try {
      if (auto peer = make(mechanism)) all.push_back(std::move(peer));
    } catch (const std::exception& error) {
      fmt::print("{:>18} {}\n", mechanism.name, firstLine(error));
    }
  }
  return all;
}

struct Price {
  double microseconds = 1e30, drift = 0.0, gap = 0.0;
};

/// Steps of a thousandth of a second, a second or as many as the budget allows.
Price priceOf(Peer& peer, double budget) {
  constexpr double h = 1e-3;
  constexpr int most = 1000, batch = 20;
  Price price;
  double spent = 0.0;
  for (int repetition = 0; repetition < 3 && (repetition == 0 || spent < 0.5 * budget); ++repetition) {
    peer.startSteps(h);
    const double first = peer.energy();
    double seconds = 0.0, kinetic = peer.kineticEnergy(), worst = 0.0;
    int steps = 0;
    for (; steps < most && seconds < budget; steps += batch) {
      const double start = processorSeconds();
      for (int i = 0; i < batch; ++i) peer.step();
      seconds += processorSeconds() - start;
      worst = std::max(worst, std::abs(peer.energy() - first));
      kinetic = std::max(kinetic, peer.kineticEnergy());
      price.gap = std::max(price.gap, peer.gap());
    }
    spent += seconds;
    price.microseconds = std::min(price.microseconds, 1e6 * seconds / steps);
    price.drift = std::max(price.drift, worst / kinetic);
  }
  return price;
}

void printPrices(const std::string& name, const Model& model, double budget) {
  const Case mechanism = caseOf(name, model);
  const auto bodies = static_cast<double>(mechanism.parts.size());
  const auto ours = polhodePeer(model, "director-em");
  const Price own = priceOf(*ours, budget);
  const auto row = [&](const std::string& peer, const Price& price) {
    fmt::print("{:>18} {:>6} {:>12} {:10.2f} {:9.2f} {:9.1e} {:9.1e} {:>9}\n", name, mechanism.parts.size(), peer,
               price.microseconds, price.microseconds / bodies, price.drift, price.gap,
               peer == ours->name() ? "" : fmt::format("{:.1f}", price.microseconds / own.microseconds));
    std::fflush(stdout);
  };
  row(ours->name(), own);
  for (const auto& peer : others(mechanism)) {
    try {
      row(peer->name(), priceOf(*peer, budget));
    } catch (const std::exception& error) {
      fmt::print("{:>18} {:>6} {:>12} {}\n", name, mechanism.parts.size(), peer->name(), firstLine(error));
    }
  }
}

struct Reached {
  double error, seconds;
};

/// What a setting leads to.
Reached reachedBy(Peer& peer, double setting, double end, const std::vector<Three>& reference) {
  Reached result{0.0, 1e30};
  for (int repetition = 0; repetition < 3; ++repetition) {
    peer.startTo(end, setting);
    const double start = processorSeconds();
    peer.advance();
    result.seconds = std::min(result.seconds, processorSeconds() - start);
  }
  const std::vector<Three> at = peer.positions();
  for (std::size_t b = 0; b < at.size(); ++b)
    result.error = std::max(
        result.error, std::hypot(at[b][0] - reference[b][0], at[b][1] - reference[b][1], at[b][2] - reference[b][2]));
  return result;
}

/// The least time in which an error is reached, between two settings by powers; infinite where no setting reaches it.
double secondsFor(double error, const std::vector<Reached>& curve) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (!(curve[i].error <= error)) continue;
    double seconds = curve[i].seconds;
    if (i > 0 && curve[i - 1].error > error && curve[i - 1].seconds < seconds) {
      const double share = std::log(error / curve[i - 1].error) / std::log(curve[i].error / curve[i - 1].error);
      seconds = curve[i - 1].seconds * std::pow(seconds / curve[i - 1].seconds, share);
    }
    least = std::min(least, seconds);
  }
  return least;
}

void printTimes(const std::string& name, const Model& model, double end, double budget) {
  const Case mechanism = caseOf(name, model);
  const auto exact = polhodePeer(model, "dop853");
  exact->startTo(end, 1e-13);
  exact->advance();
  const std::vector<Three> reference = exact->positions();
  std::vector<std::unique_ptr<Peer>> peers;
  for (const char* const ours : {"dop853", "director-gauss-8", "director-gauss-12"})
    peers.push_back(polhodePeer(model, ours));
  for (auto& other : others(mechanism)) peers.push_back(std::move(other));
  for (const auto& peer : peers) {
    std::vector<Reached> curve;
    const bool stepped = peer->name() == "MuJoCo";
    double spent = 0.0;
    for (double setting = stepped ? 2e-3 : 1e-3; setting > (stepped ? 1e-6 : 5e-13) && spent < budget;
         setting *= stepped ? 0.5 : 0.1) {
      curve.push_back(reachedBy(*peer, setting, end, reference));
      spent += curve.back().seconds;
    }
    std::string line = fmt::format("{:>18} {:>18}", name, peer->name());
    for (const double error : {1e-3, 1e-6, 1e-9}) {
      const double seconds = secondsFor(error, curve);
      line += std::isinf(seconds) ? fmt::format("{:>12}", "-") : fmt::format("{:12.3f}", 1e3 * seconds);
    }
    double best = 1e30;
    for (const Reached& each : curve) best = std::min(best, each.error);
    fmt::print("{} {:11.1e}\n", line, best);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double budget = argc > 1 ? std::atof(argv[1]) : 2.0;
  fmt::print("a step of 1e-3 s: microseconds, energy drift relative to the largest kinetic energy, widest gap in m\n");
  fmt::print("{:>18} {:>6} {:>12} {:>10} {:>9} {:>9} {:>9} {:>9}\n", "mechanism", "bodies", "", "a step", "a body",
             "drift", "gap", "times");
  for (const char* const example : {"four-bars-40", "jansen-walker", "rope-bridge"})
    printPrices(example, polhode::loadModel(example).model, budget);
  for (const int rungs : {32, 256}) {
    Model ladder = polhode::test::ladder(rungs);
    ladder.gravity = {0.0, 6.0, -8.0};  // so that it swings
    printPrices(fmt::format("ladder-{}", rungs), ladder, budget);
  }

  fmt::print(
      "\nmilliseconds until positions are right to 1e-3, 1e-6 and 1e-9 m, and the least error of all settings\n");
  fmt::print("{:>18} {:>18} {:>11} {:>11} {:>11} {:>11}\n", "mechanism", "", "1e-3", "1e-6", "1e-9", "least");
  printTimes("double-pendulum", polhode::test::spatialDoublePendulum(), 1.0, budget);
  printTimes("ball-chain-8", polhode::test::ballChain(8), 1.0, budget);
  printTimes("spinning-loop", polhode::test::spinningLoop(), 1.0, budget);
  printTimes("jansen-walker", polhode::loadModel("jansen-walker").model, 0.5, budget);
}
