#pragma once

#include "io/report.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polhode {

/// What a study found: the page, and the same data as tables to be written as CSV files.
class StudyResult {
 public:
  Report report;
  std::vector<std::pair<std::string, Table>> tables;  // name of the file, its content

  /// Adds to the report's last section, and to the files.
  void add(const std::string& file, Chart chart);
  void add(const std::string& file, Table table);

  /// Begins a section of the report.
  void section(const std::string& title, const std::string& text);
};

/// A statement of a paper and what was measured.
struct Claim {
  std::string statement;
  std::string measured;
  bool holds;
};

/// The claims of a paper and whether they hold.
Table claimTable(const std::vector<Claim>& claims);

/// Called with a few words on what is being computed.
using StudyProgress = std::function<void(const std::string&)>;

/// Which signal a study of signals is to follow: a CSV file with t, x, y, z, or the one that belongs to a seed.
struct SignalChoice {
  std::string file;
  std::optional<std::uint64_t> seed;

  bool given() const { return !file.empty() || seed; }
};

/// What reproduces a paper.
struct Study {
  std::string name;
  std::string summary;
  std::function<StudyResult(const StudyProgress&)> run;
  std::function<StudyResult(const StudyProgress&, const SignalChoice&)> runOnSignal = nullptr;  // of studies of signals
};

/// All studies.
const std::vector<Study>& studies();

/// Throws InputError with the nearest name.
const Study& findStudy(const std::string& name);

/// The report's first table as text: what was found, in short.
std::string studySummary(const Report& report);

/// Writes a table as CSV, whole or not at all.
void writeTextTable(const std::string& path, const Table& table);

// The studies, each in a file of its name.
StudyResult tourStudy(const StudyProgress& progress);
StudyResult langStudy(const StudyProgress& progress);
StudyResult langCStudy(const StudyProgress& progress);
StudyResult betschSiebertStudy(const StudyProgress& progress);
StudyResult kinonBetschStudy(const StudyProgress& progress);
StudyResult fourBarLoopStudy(const StudyProgress& progress);
StudyResult highOrderStudy(const StudyProgress& progress);
StudyResult benchmarksStudy(const StudyProgress& progress);
StudyResult lipovacStudy(const StudyProgress& progress, const SignalChoice& choice);

}  // namespace polhode
