#pragma once

#include "ensemble/sweep_summary.h"
#include "io/report.h"

namespace polhode::ensemble {

/// A sweep as one page: how each measure is distributed, how it depends on each parameter, all of them as parallel coordinates,
/// and Sobol' indices where they were asked for. A click on a member tells the command that runs it, and leads to its run where
/// there is a server: to the address `openBy` with its number behind.
Report sweepPage(const Sweep& sweep, const SweepReader& file, const SweepSummary& summary,
                 const std::string& openBy = {});

}  // namespace polhode::ensemble
