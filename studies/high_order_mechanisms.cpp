#include "high_order_mechanisms.h"

#include "cost_curve.h"

#include <fmt/format.h>

namespace polhode::schemes {

namespace {

struct Motion {
  std::string label, example;
  double end;
};

const std::vector<Motion> motions = {{"Spatial double pendulum, t = 1", "spatial-double-pendulum", 1.0},
                                     {"Bricard's mechanism, t = 1", "bricard", 1.0},
                                     {"Jansen's walker, t = 0.2", "jansen-walker", 0.2},
                                     {"Stiff governor with dampers, t = 0.2", "flyball-governor", 0.2}};

const std::vector<NamedScheme> conserving = {
    {"order 2, director-em", "director-em"},           {"order 4, director-em", "director-em-4"},
    {"order 8, director-em", "director-em-8"},         {"order 8, director-gauss", "director-gauss-8"},
    {"order 10, director-gauss", "director-gauss-10"}, {"order 12, director-gauss", "director-gauss-12"}};

/// All with chosen steps. An error below 1e-10 is not asked for, so that no tolerance is much below it.
std::vector<CostCurve> costCurves(const Motion& motion, const StudyProgress& progress) {
  constexpr double digits = 11.0, patience = 2.0;
  const Model model = exampleModel(motion.example);
  const EndError error = placementError(model, motion.end);
  std::vector<CostCurve> curves;
  for (const NamedScheme& scheme : conserving) {
    progress(fmt::format("{}: {}", model.name, scheme.label));
    curves.push_back(toleranceCurve(scheme.label, model, scheme.integrator, motion.end, digits, error, patience));
  }
  progress(fmt::format("{}: DOP853", model.name));
  curves.push_back(toleranceCurve("order 8, DOP853", model, "dop853", motion.end, 12.0, error));
  return curves;
}

}  // namespace

void addMechanisms(StudyResult& result, const StudyProgress& progress) {
  result.section(
      "Mechanisms",
      "The same question for mechanisms: a tree, loops with redundant rows, a linkage of 37 bodies, and a stiff "
      "loop with springs and dampers. All choose their steps for a tolerance from 1e-3 to 1e-11; the error is "
      "the largest of all bodies, in metres or as the norm of a rotation, against DOP853 at 1e-13. An "
      "evaluation of a conserving scheme is an iteration of Newton's method for all bodies and stages, one of "
      "DOP853 a right-hand side in minimal coordinates. Energies are balances: the work of dampers is taken "
      "away.");
  Table winners = winnerTable();
  std::vector<std::pair<Motion, std::vector<CostCurve>>> found;
  for (const Motion& motion : motions) {
    found.emplace_back(motion, costCurves(motion, progress));
    addWinners(winners, motion.label, found.back().second, {1e-2, 1e-4, 1e-6, 1e-8, 1e-9, 1e-10});
  }
  result.add("mechanisms-winners.csv", std::move(winners));
  for (const auto& [motion, curves] : found) {
    result.add(motion.example + "-time.csv",
               costChart(motion.label + ": error against time", "time [s]", curves, &Cost::seconds));
    result.add(motion.example + "-energy.csv",
               costChart(motion.label + ": energy error against time", "time [s]", curves, &Cost::seconds,
                         &Cost::energyError, "relative energy error at the end"));
  }
}

}  // namespace polhode::schemes
