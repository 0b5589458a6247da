#include "ensemble/measure_gradient.h"

#include "ensemble/watched_run.h"
#include "polhode/error.h"

#include <limits>
#include <map>
#include <tuple>

namespace polhode::ensemble {

MatrixX measureGradient(const Member& member, const MeasureSet& measures, const std::vector<VariedModels>& parameters) {
  const auto [result, watch] =
      watchedRun(member, measures, runOptions(member.model, member.settings), MeasureWatch::Keeps::instants);
  if (!result.failure.empty()) throw SimulationError(result.final.time, result.failure);

  std::vector<Sighting> sightings;
  std::map<std::pair<std::string, double>, Eigen::Index> places;
  struct Part {
    Eigen::Index measure, sighting;
    double weight;
  };
  std::vector<Part> parts;
  MatrixX derivatives =
      MatrixX::Zero(static_cast<Eigen::Index>(measures.size()), static_cast<Eigen::Index>(parameters.size()));
  for (std::size_t k = 0; k < measures.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const std::string& name = measures.observable(k)->name;
    const std::vector<MeasureWatch::Change> changes = watch.changes(k);
    if (changes.empty()) derivatives.row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
    for (const MeasureWatch::Change& change : changes) {
      const auto [place, isNew] = places.try_emplace({name, change.time}, static_cast<Eigen::Index>(sightings.size()));
      if (isNew) sightings.push_back({name, change.time});
      parts.push_back({row, place->second, change.weight});
    }
  }
  const Gradient seen = gradientOf(member.model, parameters, member.settings, sightings);
  for (const Part& part : parts) derivatives.row(part.measure) += part.weight * seen.derivatives.row(part.sighting);
  return derivatives;
}

}  // namespace polhode::ensemble
