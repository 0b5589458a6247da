#include "server/finished_run.h"

#include "polhode/error.h"
#include "server/frame.h"
#include "server/scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace polhode::live {

namespace {

constexpr double notTold = std::numeric_limits<double>::quiet_NaN();  // what a run does not tell is no number
constexpr std::size_t mostBytes = 96'000'000;                         // longer runs are thinned

/// Where the columns of a recording are.
class Columns {
 public:
  Columns(const std::string& name, const Recording& recording) : name_(name) {
    for (std::size_t i = 0; i < recording.columns.size(); ++i) index_.emplace(recording.columns[i], i);
  }

  std::optional<std::size_t> find(const std::string& column) const {
    const auto found = index_.find(column);
    return found == index_.end() ? std::nullopt : std::optional(found->second);
  }

  std::size_t at(const std::string& column) const {
    if (const auto found = find(column)) return *found;
    throw InputError(
        fmt::format("{}: the run has no column '{}'; open a file that `polhode run --out` wrote", name_, column));
  }

  template <std::size_t N>
  std::array<std::size_t, N> each(const std::string& prefix, const char (&letters)[N + 1]) const {
    std::array<std::size_t, N> result;
    for (std::size_t i = 0; i < N; ++i) result[i] = at(fmt::format("{}.{}", prefix, letters[i]));
    return result;
  }

 private:
  std::string name_;
  std::map<std::string, std::size_t> index_;
};

/// A model of balls, for a run that has none: each body that has a position.
Model modelOfBalls(const std::string& name, const Recording& recording, const Columns& columns) {
  Model model;
  model.name = name;
  const std::string ending = ".position.x";
  Vector3 low = Vector3::Constant(1e300), high = -low;
  for (const std::string& column : recording.columns) {
    if (!column.ends_with(ending)) continue;
    Body body;
    body.name = column.substr(0, column.size() - ending.size());
    const auto position = columns.each<3>(body.name + ".position", "xyz");
    for (std::size_t row = 0; row < recording.rows(); ++row)
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], recording.at(row, position[static_cast<std::size_t>(i)]));
        high[i] = std::max(high[i], recording.at(row, position[static_cast<std::size_t>(i)]));
      }
    model.bodies.push_back(body);
  }
  if (model.bodies.empty())
    throw InputError(fmt::format("{}: the run has no body; open a file that `polhode run --out` wrote", name));
  const double extent = (high - low).norm();
  const double radius = std::isfinite(extent) && extent > 0.0 ? 0.06 * extent : 0.1;
  for (Body& body : model.bodies) body.shape = Shape{"sphere", {radius}};
  return model;
}

class FrameMaker {
 public:
  FrameMaker(const Recording& recording, const Columns& columns, const Model& model)
      : recording_(recording),
        time_(columns.at("time")),
        energy_(columns.find("energy")),
        kinetic_(columns.find("kinetic_energy")),
        potential_(columns.find("potential_energy")),
        work_(columns.find("work")) {
    for (const Body& body : model.bodies) {
      positions_.push_back(columns.each<3>(body.name + ".position", "xyz"));
      quaternions_.push_back(columns.each<4>(body.name + ".quaternion", "wxyz"));
    }
    for (const Sensor& sensor : model.sensors) {
      auto& found = sensors_.emplace_back();
      if (sensor.kind == SensorKind::formula)
        found.push_back(columns.find("sensor." + sensor.name));
      else
        for (const char* axis : {".x", ".y", ".z"}) found.push_back(columns.find("sensor." + sensor.name + axis));
    }
    gap_ = columns.find("constraint.position");
    gapRate_ = columns.find("constraint.velocity");
    if (columns.find("linear_momentum.x")) linear_ = columns.each<3>("linear_momentum", "xyz");
    if (columns.find("angular_momentum.x")) angular_ = columns.each<3>("angular_momentum", "xyz");
  }

  std::string frame(std::size_t row, std::size_t number) const {
    Observation o;
    o.time = recording_.at(row, time_);
    o.kineticEnergy = optional(row, kinetic_ ? kinetic_ : energy_);  // the sum where a run keeps no parts
    o.potentialEnergy = optional(row, potential_);
    o.work = optional(row, work_);
    o.positionViolation = optional(row, gap_);
    o.velocityViolation = optional(row, gapRate_);
    o.linearMomentum = linear_ ? vector<3>(row, *linear_) : Vector3::Constant(notTold);
    o.angularMomentum = angular_ ? vector<3>(row, *angular_) : Vector3::Constant(notTold);
    o.bodies.resize(positions_.size());
    for (std::size_t i = 0; i < o.bodies.size(); ++i) {
      o.bodies[i].position = vector<3>(row, positions_[i]);
      o.bodies[i].orientation = vector<4>(row, quaternions_[i]);
    }
    for (const auto& sensor : sensors_) {
      std::vector<double>& values = o.sensors.emplace_back().values;
      for (const auto& column : sensor) values.push_back(optional(row, column));
    }
    return packFrame(static_cast<double>(number), o, {}, std::nullopt);
  }

 private:
  using Three = std::array<std::size_t, 3>;

  double optional(std::size_t row, const std::optional<std::size_t>& column) const {
    return column ? recording_.at(row, *column) : notTold;
  }

  template <int N>
  Vector<double, N> vector(std::size_t row, const std::array<std::size_t, N>& columns) const {
    Vector<double, N> result;
    for (int i = 0; i < N; ++i) result[i] = recording_.at(row, columns[static_cast<std::size_t>(i)]);
    return result;
  }

  const Recording& recording_;
  std::size_t time_;
  std::optional<std::size_t> energy_, kinetic_, potential_, work_, gap_, gapRate_;
  std::optional<Three> linear_, angular_;
  std::vector<Three> positions_;
  std::vector<std::array<std::size_t, 4>> quaternions_;
  std::vector<std::vector<std::optional<std::size_t>>> sensors_;  // the columns of each; not told where there is none
};

}  // namespace

std::shared_ptr<const FinishedRun> makeFinishedRun(const std::string& name, std::shared_ptr<const Recording> shared,
                                                   const std::optional<Model>& given) {
  const Recording& recording = *shared;
  if (recording.rows() == 0) throw InputError(name + ": the run has no rows; nothing was recorded");
  const Columns columns(name, recording);
  const Model model = given ? *given : modelOfBalls(name, recording, columns);
  const FrameMaker maker(recording, columns, model);

  auto run = std::make_shared<FinishedRun>();
  run->name = name;
  run->scene = sceneJson({"run", name, &model, {}});
  const std::size_t frameBytes = maker.frame(0, 0).size();
  const std::size_t every = 1 + recording.rows() * frameBytes / mostBytes;
  run->frames.reserve(frameBytes * (1 + recording.rows() / every));
  for (std::size_t row = 0; row < recording.rows(); row += every) run->frames += maker.frame(row, row / every);
  run->every = every;
  run->recording = std::move(shared);
  run->hasModel = given.has_value();
  run->model = model;
  return run;
}

}  // namespace polhode::live
