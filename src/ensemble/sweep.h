#pragma once

#include "ensemble/member_mover.h"
#include "ensemble/sampling.h"
#include "ensemble/vary.h"
#include "io/sweep_file.h"
#include "io/value.h"
#include "polhode/io/model_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// An ensemble: a model, what varies in it, and what is to be known of each member.
///
/// For Sobol' indices (sobol_indices.h) the n samples are rows of two tables A and B, and each is followed by the members in
/// which one parameter i comes from the other table: A, B, A with i = 1 of B, A with i = 2 of B, ...: n (k + 2) members of k
/// dimensions.
namespace polhode::ensemble {

/// What was asked for; with it a sweep goes on anywhere.
struct SweepPlan {
  std::string source, text;             // the model's name for errors, and its file
  std::string command;                  // what `polhode run` is to be told of it: a file, or the name of an example
  std::vector<std::string> overrides;   // of --set, for all members
  std::vector<Vary> vary;               //
  std::optional<std::int64_t> samples;  // nothing: the grid
  SamplingKind sampling = SamplingKind::grid;
  std::uint64_t seed = 1;
  bool indices = false;
  std::vector<std::string> measures;
  std::optional<double> every;   // of trajectories, where they are wanted
  std::string columns;           // of trajectories (analysis/chosen_columns.h)
  bool gradient = false;         // of all measures by all parameters
  bool onGpu = false;            // its bits are not quite those of the processor, so a sweep goes on where it began
  std::optional<int> laneWidth;  // in no attribute: the numbers are the same for any

  /// As words for its file, and back. Throws InputError, which begins with `path`, where they are of another version.
  Attributes attributes() const;
  static SweepPlan of(const Attributes& attributes, const std::string& path);
};

class Sweep {
 public:
  /// Throws InputError where the plan makes no sense: keys that do not exist, ranges without a number of values on a grid,
  /// measures that cannot be observed. Members that cannot be built say so later, unless all that were tried cannot.
  explicit Sweep(SweepPlan plan);

  const SweepPlan& plan() const { return plan_; }
  std::int64_t size() const { return size_; }
  std::size_t dimensions() const { return dimensions_; }  // parameters of one file count once

  /// The first parameter of each.
  std::vector<std::string> dimensionNames() const;

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::string& modelName() const { return modelName_; }
  const Wanted& wanted() const { return *wanted_; }

  /// The values of the parameters of a member, what its model differs in, and the member itself. Throws InputError where its
  /// model is impossible.
  std::vector<double> numbers(std::int64_t member) const;
  std::vector<std::string> overrides(std::int64_t member) const;
  Member load(std::int64_t member) const;
  ModelFile file(std::int64_t member) const;

  /// Of the measures by the parameters (measure_gradient.h), all of the first measure before those of the second. Not a number
  /// where a neighbouring model is impossible or does not run.
  std::vector<double> gradient(const Member& member) const;

  /// The way that members are moved: the first that fits the one that was tried.
  const MoverType& mover() const { return *mover_; }

  /// Parameters, then measures, then gradients, then trajectories.
  SweepLayout layout() const;

 private:
  void makeDimensions();
  void makeSampling();
  void tryMembers();
  void want(const Member& member);
  double share(std::int64_t member, std::size_t parameter) const;
  /// The parameter that is elsewhere than a member has it, and where.
  struct Elsewhere {
    std::size_t parameter;
    double value;
  };
  Member loadAt(std::int64_t member, const std::optional<Elsewhere>& elsewhere) const;
  std::vector<std::string> varied(std::int64_t member, const std::optional<Elsewhere>& elsewhere = {}) const;
  void requireGradient(const SimulationSettings& settings) const;

  SweepPlan plan_;
  std::vector<Parameter> parameters_;
  std::vector<std::size_t> dimensionOf_;  // of each parameter
  std::size_t dimensions_ = 0;
  std::optional<Sampling> sampling_;
  std::optional<Value> document_;  // of the model, with what all members have; none where which URDF file it is varies
  std::int64_t size_ = 0;
  std::string modelName_;
  std::optional<Wanted> wanted_;
  const MoverType* mover_ = nullptr;
};

}  // namespace polhode::ensemble
