#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// A report is one HTML file with text, tables and interactive charts. It holds its own data, style and
/// program, so that it opens anywhere, years later and without a network.
///
/// Text is plain; a blank line begins a paragraph and `backquotes` set code. Everything is escaped.

namespace polhode {

/// A curve: y over x, of equal length. Where x or y is not finite the curve has a gap. Series of one chart
/// may have different x; their x may also run backwards or repeat.
///
/// A series on the report's grid has no x of its own: y has a value for each of the grid's. Of these only so many are
/// written that lines between them are within a five-hundredth of the curve's height of those left out.
struct Series {
  std::string name;
  std::vector<double> x, y;
  bool line = true;
  bool points = false;
  bool onGrid = false;
  bool members = false;  // point number i is member number i of the report, which a click chooses
};

/// Curves over common axes. Values that are not positive are left out on a logarithmic axis.
///
/// Where every name has two parts, as in "null-space, dopri5", the first part gives the colour of a curve and
/// the second its dashes and markers; otherwise each curve has a colour, dashes and markers of its own.
struct Chart {
  std::string title, xLabel, yLabel;
  bool logX = false, logY = false;
  std::vector<Series> series;
  std::string note;
  std::size_t shownAtFirst = 0;  // of the series; the others wait in the legend. 0 for all
};

/// Rows of text. A column whose cells are numbers is aligned on the right; a cell that begins with "✓" is
/// shown as passing, one that begins with "✗" as failing.
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string note;
};

/// Parallel coordinates: an axis for each column, a line for each member of the report.
struct Parallel {
  struct Column {
    std::string name;
    bool isMeasure = false;      // set apart from what was given
    std::vector<double> values;  // of the members; not finite where it is not known
  };
  std::string title;
  std::vector<Column> columns;
  std::string note{};
};

/// Shares as bars, for each label one of each series, with the interval in which it lies.
struct Bars {
  struct Shares {
    std::string name;
    std::vector<double> values, low, high;
  };
  std::string title;
  std::vector<std::string> labels;
  std::vector<Shares> series;
  std::string note{};
};

/// One heading of the report, with its entry in the table of contents.
struct Section {
  std::string title;
  std::string text;
  std::vector<Table> tables;
  std::vector<Chart> charts;
  std::vector<Parallel> parallels{};
  std::vector<Bars> bars{};
};

/// Members of an ensemble that the page shows: their numbers, and the commands that run each alone.
struct ReportMembers {
  std::vector<std::int64_t> numbers;
  std::vector<std::string> commands;
  std::string openBy{};  // the address that opens one of them, before its number; empty where nothing does
};

/// Bodies that move, shown by a player above the sections: what they look like (the JSON of server/scene.h), and where they
/// are at each time, seven numbers a body (position, quaternion). Charts over the time are linked with it.
struct Motion {
  std::string scene;
  std::vector<double> times;
  std::vector<double> places;
};

/// All that is on the page. The summary stands above the first section.
struct Report {
  std::string title, subtitle;
  std::string summary;
  std::vector<Section> sections;
  std::vector<double> grid{};  // x of the series that are on it, increasing
  std::optional<Motion> motion{};
  std::optional<ReportMembers> members{};
};

/// The page as text. A series of more than 4000 points is thinned so that its peaks stay, but for one of members. Throws InputError
/// where a series has not as many x as y, or a row not as many cells as its table has columns.
std::string reportHtml(const Report& report);

/// Writes the page to a file, whole or not at all, and creates the folders above it. Throws InputError where
/// the file cannot be written.
void writeReport(const std::filesystem::path& path, const Report& report);

}  // namespace polhode
