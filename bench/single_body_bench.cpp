// One step of each single-body scheme, side by side: the heavy top at h = 1e-3 and the free body at h = 0.01.
#include "../tests/integrate/single_body/cases.h"
#include "integrate/composition.h"
#include "integrate/single_body/all_schemes.h"

#include <string>

#include <benchmark/benchmark.h>

namespace {

using namespace polhode;
using namespace polhode::single_body;

template <class Scheme>
void step(benchmark::State& run, const Case& body, double h) {
  const Scheme scheme(body.top);
  auto state = scheme.start(body.start);
  long iterations = 0, taken = 0;
  for (auto _ : run) {
    const StepReport report = scheme.step(state, h);
    if (!report.converged) {
      run.SkipWithError("a step did not converge");
      break;
    }
    iterations += report.iterations;
    if (++taken % 2000 == 0) state = scheme.start(body.start);  // eml does not last for ever
  }
  run.counters["newton"] = static_cast<double>(iterations) / static_cast<double>(taken);
}

const bool registered = [] {
  const auto add = []<class Scheme>(const std::string& order = "") {
    const std::string name = std::string(Scheme::name) + order;
    benchmark::RegisterBenchmark(("step/top/" + name).c_str(), step<Scheme>, heavyTop(), 1e-3);
    benchmark::RegisterBenchmark(("step/free/" + name).c_str(), step<Scheme>, freeBody(), 0.01);
  };
  AllSchemes::forEach([&]<class Scheme>() { add.template operator()<Scheme>(); });
  add.operator()<Composition<DirectorEm, 4>>("-4");
  add.operator()<Composition<DirectorEm, 8>>("-8");
  add.operator()<Composition<QuaternionEm, 8>>("-8");
  return true;
}();

}  // namespace
