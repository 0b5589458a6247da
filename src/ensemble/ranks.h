#pragma once

#include "ensemble/member_work.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace polhode::ensemble {

/// The processes of `mpirun -n 64 polhode sweep ...`, on one machine or many. All were started with the same command. The first
/// one reads it, writes the file and hands out members as ranks get free; the others do nothing but move members, each by one
/// thread. Members come back with all their digits, so that the file is the same as that of one process.
///
/// Where a rank dies mpirun ends all of them: the first one is told by SIGTERM and has a second until it is killed, in which
/// it writes what it has. The file has all members but those under way, and the sweep goes on by `resume`.
class Ranks {
 public:
  virtual ~Ranks() = default;  // the others end

  /// Whether this process is the first, and how many others there are.
  virtual bool isFirst() const = 0;
  virtual unsigned helpers() const = 0;

  // For the first one ------------------------------------------------------------------------------------------------------

  /// Tells the others what the sweep is.
  virtual void begin(const SweepPlan& plan) = 0;

  /// Members that another one has moved; called by one thread for each helper. Throws SimulationError where it cannot.
  virtual std::vector<MemberRow> rows(unsigned helper, std::int64_t begin, std::int64_t end) = 0;

  /// The sweep is to end: who does not answer in a moment has died, or takes too long, and is not waited for.
  virtual void hurry() = 0;

  // For the others ---------------------------------------------------------------------------------------------------------

  /// Moves members until the first one ends.
  virtual void help() = 0;
};

/// Nothing where this process was not started by mpirun. Throws InputError where it was and polhode was built without MPI.
std::unique_ptr<Ranks> joinRanks();

}  // namespace polhode::ensemble
