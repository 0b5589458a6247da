#include "hand_signal.h"
#include "io/signal_file.h"
#include "lipovac_runs.h"
#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

/// Lipovac 2020, Real-time control of open multibody systems with discontinuous data: the figures of chapters 3 and 4 on
/// a signal that is given (the thesis' own recording is lost), and what is better.
namespace polhode {

namespace {

constexpr double duration = 4.0;
constexpr std::uint64_t defaultSeed = 7;

lipovac::Scene scene(const SignalChoice& choice) {
  if (choice.file.empty()) return {handSignal(choice.seed.value_or(defaultSeed), duration), duration};
  const SampledPath path = readSignalFile(choice.file);
  const double first = path.time(0), last = path.time(path.size() - 1);
  if (last - first < 0.1)
    throw InputError(fmt::format("{} lasts {:g} s; give a signal of 0.1 s or more", choice.file, last - first));
  // it begins when its first sample comes
  std::vector<double> times;
  std::vector<Vector3> positions;
  for (std::size_t j = 0; j < path.size(); ++j) {
    times.push_back(path.time(j) - first);
    positions.push_back(path.position(j));
  }
  return {SampledPath(std::move(times), std::move(positions)), std::floor((last - first) * 1e3) * 1e-3};
}

}  // namespace

StudyResult lipovacStudy(const StudyProgress& progress, const SignalChoice& choice) {
  const lipovac::Scene signal = scene(choice);
  StudyResult result;
  result.report.title = "Lipovac 2020: steering a body with a signal that jumps";
  result.report.subtitle = choice.file.empty() ? fmt::format("A 90 Hz signal with jitter and jumps, seed {}",
                                                             choice.seed.value_or(defaultSeed))
                                               : choice.file;
  result.report.summary =
      "A sphere of mass 1 kg is driven along a signal that a hand-held controller might send: sampled at 90 Hz, with a "
      "jitter of half a millimetre and jumps of centimetres. The laws of the thesis are as printed; the comparison "
      "sets "
      "beside them what replaces them. The partitioned Euler scheme (3.3), (3.4) steps everything.";
  progress("all laws");
  lipovac::comparison(result, signal);
  progress("chapter 3");
  lipovac::smoothActuation(result);
  lipovac::servoFigures(result, signal);
  progress("chapter 4");
  lipovac::l2Figures(result, signal);
  lipovac::h1Figures(result, signal);
  return result;
}

}  // namespace polhode
