#pragma once

#include "polhode/io/recording.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// The file of an ensemble: a table for each parameter and each measure, with one row a member.
///
///     /done                       how many members are there, from the first one on; always written last
///     /parameters/body.top.mass   (n)         /measures/top.position.z:max   (n)
///     /gradients/top.position.z     (n x parameters)  where derivatives were asked for
///     /trajectories/top.position.z  (n x rows)  where whole trajectories were asked for
///     /status                     (n)  0 not yet run, 1 run, 2 failed
///     /sentence                   (n)  why a member failed
///
/// All tables have their full length from the beginning and lie in one piece, so that only their contents change: the file can
/// be opened at any moment, also where the process that writes it was killed, and members that are there stay there. Its bytes
/// depend on the members alone, not on when they were written. The room on the disk is taken at the beginning: where there is
/// too little, that is said before the work.
namespace polhode {

struct SweepColumn {
  std::string path;    // "measures/top.position.z:max"
  std::size_t width;   // numbers a member; 1 is a table of one dimension
  std::string values;  // what the numbers 0, 1, ... stand for, a line each; empty where they are numbers
};

struct SweepLayout {
  std::int64_t members = 0;
  std::vector<SweepColumn> columns;

  std::size_t numbers() const {
    std::size_t sum = 0;
    for (const SweepColumn& column : columns) sum += column.width;
    return sum;
  }
};

class SweepWriter {
 public:
  /// Under another name beside `path` until it takes its place. What processes that are no more have left there under such names
  /// goes. Throws InputError where it cannot be made.
  SweepWriter(const std::string& path, const SweepLayout& layout, const Attributes& attributes);
  ~SweepWriter();

  /// The next member: the numbers of all columns, one behind the other, and why it failed (empty where it did not). Throws
  /// as sync does, which it calls now and then.
  void append(std::span<const double> numbers, const std::string& failure);

  /// Everything so far is in the file when this returns. Throws SimulationError where that is not possible any longer.
  void sync();

  /// Takes the place of a file of that name, in one motion: now, or as soon as members are in it. Where there is no such file
  /// nothing is lost with it, and it is done at once, so that a kill at any moment leaves a file that can be gone on with.
  void takePlace();
  void takePlaceWithMembers();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Whether a file is one that SweepWriter wrote.
bool isSweepFile(const std::string& path);

class SweepReader {
 public:
  /// Throws InputError for what is not such a file.
  explicit SweepReader(const std::string& path);
  ~SweepReader();

  std::int64_t members() const;  // that there will be
  std::int64_t done() const;
  const Attributes& attributes() const;

  /// The numbers of some members, in their order.
  std::vector<double> column(const SweepColumn& column, std::int64_t first, std::int64_t count) const;

  /// Hands over the number of each member that is there, of a column with one for each: some at a time, so that the memory does
  /// not depend on how many there are.
  void forEach(const std::string& column, const std::function<void(double)>& take) const;

  /// How many failed, and the first of them (-1 where none did).
  struct Failed {
    std::int64_t count = 0, first = -1;
  };
  Failed failed() const;

  /// Empty where a member did not fail.
  std::vector<std::string> failures(std::int64_t first, std::int64_t count) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace polhode
