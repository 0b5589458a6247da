#include "report_json.h"

#include "io/thinning.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr std::size_t mostPoints = 4000;
constexpr double invisible = 1.0 / 500.0;  // of the height of a curve
constexpr double levels = 65535.0;         // of numbers that are written in 16 bits

/// Bytes as letters that JSON takes (RFC 4648).
std::string base64(const void* data, std::size_t size) {
  constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t left = std::min<std::size_t>(3, size - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < left ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? letters[word >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

/// Numbers between two bounds, to a 65535th of their distance; what is no number becomes the lowest one.
struct Bounds {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void include(double number) {
    if (!std::isfinite(number)) return;
    low = std::min(low, number);
    high = std::max(high, number);
  }
  std::uint16_t level(double number) const {
    if (!(high > low) || !std::isfinite(number)) return 0;
    return static_cast<std::uint16_t>(std::lround((number - low) / (high - low) * levels));
  }
};

/// Appends values to a text: one function `value` for each kind, and objects and arrays made of them.
class JsonText {
 public:
  void value(const std::string& text) {
    text_ += '"';
    for (const char c : text) appendCharacter(c);
    text_ += '"';
  }

  void value(bool yes) { text_ += yes ? "true" : "false"; }

  void value(double number, int digits = 9) {
    if (std::isfinite(number)) {
      fmt::format_to(std::back_inserter(text_), "{:.{}g}", number, digits);
    } else {
      text_ += "null";
    }
  }

  template <class Number>
  void packed(const std::vector<Number>& numbers) {
    text_ += '"';
    text_ += base64(numbers.data(), numbers.size() * sizeof(Number));
    text_ += '"';
  }

  /// Indices into the grid and values, each in 16 bits; where the index repeats the one before the curve has a gap.
  void valueOnGrid(const Series& series, const std::vector<double>& grid) {
    Bounds bounds;
    for (const double y : series.y) bounds.include(y);
    std::vector<std::uint16_t> indices, values;
    for (const std::size_t i : thinnedByError(grid, series.y, invisible * (bounds.high - bounds.low))) {
      indices.push_back(static_cast<std::uint16_t>(i));
      values.push_back(bounds.level(series.y[i]));
      if (std::isfinite(series.y[i])) continue;
      indices.push_back(indices.back());
      values.push_back(0);
    }
    object([&] {
      member("name", [&] { value(series.name); });
      member("line", [&] { value(series.line); });
      member("points", [&] { value(series.points); });
      member("low", [&] { value(bounds.low, 17); });
      member("high", [&] { value(bounds.high, 17); });
      member("indices", [&] { packed(indices); });
      member("values", [&] { packed(values); });
    });
  }

  /// The rows that stay, with positions between the bounds of all of them and quaternions between -1 and 1.
  void value(const Motion& motion) {
    Bounds space;
    const std::size_t rows = motion.times.size(), stride = rows ? motion.places.size() / rows : 0;
    for (std::size_t i = 0; i < motion.places.size(); ++i)
      if (i % 7 < 3) space.include(motion.places[i]);
    const double size = space.high > space.low ? space.high - space.low : 1.0;
    const Bounds unit{-1.0, 1.0};
    std::vector<double> times;
    std::vector<std::uint16_t> places;
    for (const std::size_t row : thinnedMotion(motion.times, motion.places, 5e-4 * size, 4e-3)) {
      times.push_back(motion.times[row]);
      for (std::size_t i = 0; i < stride; ++i)
        places.push_back((i % 7 < 3 ? space : unit).level(motion.places[row * stride + i]));
    }
    object([&] {
      member("scene", [&] { appendEscaped(motion.scene); });
      member("low", [&] { value(space.low, 17); });
      member("high", [&] { value(space.high, 17); });
      member("times", [&] { packed(times); });
      member("places", [&] { packed(places); });
    });
  }

  void value(const Series& series, bool logX) {
    auto kept = thinned(series.x, series.y, logX, mostPoints);
    if (series.members) {
      kept.resize(series.x.size());
      std::iota(kept.begin(), kept.end(), std::size_t(0));
    }
    const auto coordinates = [&](const std::vector<double>& all) {
      array(kept, [&](std::size_t i) { value(all[i]); });
    };
    object([&] {
      member("name", [&] { value(series.name); });
      member("line", [&] { value(series.line); });
      member("points", [&] { value(series.points); });
      if (series.members) member("members", [&] { value(true); });
      member("x", [&] { coordinates(series.x); });
      member("y", [&] { coordinates(series.y); });
    });
  }

  void value(const Chart& chart) {
    object([&] {
      member("title", [&] { value(chart.title); });
      member("xLabel", [&] { value(chart.xLabel); });
      member("yLabel", [&] { value(chart.yLabel); });
      member("logX", [&] { value(chart.logX); });
      member("logY", [&] { value(chart.logY); });
      member("series", [&] {
        array(chart.series, [&](const Series& s) { s.onGrid ? valueOnGrid(s, *grid_) : value(s, chart.logX); });
      });
      if (chart.shownAtFirst > 0) member("shownAtFirst", [&] { value(static_cast<double>(chart.shownAtFirst)); });
      member("note", [&] { value(chart.note); });
    });
  }

  void value(const Table& table) {
    const auto texts = [&](const std::vector<std::string>& cells) {
      array(cells, [&](const std::string& cell) { value(cell); });
    };
    object([&] {
      member("title", [&] { value(table.title); });
      member("columns", [&] { texts(table.columns); });
      member("rows", [&] { array(table.rows, texts); });
      member("note", [&] { value(table.note); });
    });
  }

  void value(const Parallel& parallel) {
    object([&] {
      member("title", [&] { value(parallel.title); });
      member("columns", [&] {
        array(parallel.columns, [&](const Parallel::Column& column) {
          object([&] {
            member("name", [&] { value(column.name); });
            member("isMeasure", [&] { value(column.isMeasure); });
            member("values", [&] { numbers(column.values); });
          });
        });
      });
      member("note", [&] { value(parallel.note); });
    });
  }

  void value(const Bars& bars) {
    object([&] {
      member("title", [&] { value(bars.title); });
      member("labels", [&] { array(bars.labels, [&](const std::string& label) { value(label); }); });
      member("series", [&] {
        array(bars.series, [&](const Bars::Shares& shares) {
          object([&] {
            member("name", [&] { value(shares.name); });
            member("values", [&] { numbers(shares.values); });
            member("low", [&] { numbers(shares.low); });
            member("high", [&] { numbers(shares.high); });
          });
        });
      });
      member("note", [&] { value(bars.note); });
    });
  }

  void value(const ReportMembers& members) {
    object([&] {
      member("numbers", [&] { array(members.numbers, [&](std::int64_t n) { value(static_cast<double>(n), 17); }); });
      member("commands", [&] { array(members.commands, [&](const std::string& command) { value(command); }); });
      if (!members.openBy.empty()) member("openBy", [&] { value(members.openBy); });
    });
  }

  void numbers(const std::vector<double>& all) {
    array(all, [&](double number) { value(number); });
  }

  void value(const Section& section) {
    object([&] {
      member("title", [&] { value(section.title); });
      member("text", [&] { value(section.text); });
      member("tables", [&] { array(section.tables, [&](const Table& table) { value(table); }); });
      member("charts", [&] { array(section.charts, [&](const Chart& chart) { value(chart); }); });
      if (!section.parallels.empty())
        member("parallels", [&] { array(section.parallels, [&](const Parallel& parallel) { value(parallel); }); });
      if (!section.bars.empty()) member("bars", [&] { array(section.bars, [&](const Bars& bars) { value(bars); }); });
    });
  }

  void value(const Report& report) {
    grid_ = &report.grid;
    object([&] {
      member("title", [&] { value(report.title); });
      member("subtitle", [&] { value(report.subtitle); });
      member("summary", [&] { value(report.summary); });
      member("sections", [&] { array(report.sections, [&](const Section& section) { value(section); }); });
      if (!report.grid.empty()) member("grid", [&] { packed(report.grid); });
      if (report.motion) member("motion", [&] { value(*report.motion); });
      if (report.members) member("members", [&] { value(*report.members); });
    });
  }

  std::string take() { return std::move(text_); }

 private:
  /// "<" is written as an escape, so that no text can end the <script> element or begin a comment in it.
  void appendCharacter(char c) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (c == '<' || static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      text_ += c;
    }
  }

  /// JSON that is ready, with "<" as above; it is in texts alone that JSON has one.
  void appendEscaped(const std::string& json) {
    for (const char c : json) {
      if (c == '<')
        text_ += "\\u003c";
      else
        text_ += c;
    }
  }

  void separate() {
    if (text_.back() != '{' && text_.back() != '[') text_ += ',';
  }

  template <class Members>
  void object(const Members& members) {
    text_ += '{';
    members();
    text_ += '}';
  }

  template <class Write>
  void member(const char* name, const Write& write) {
    separate();
    fmt::format_to(std::back_inserter(text_), "\"{}\":", name);
    write();
  }

  template <class Items, class Write>
  void array(const Items& items, const Write& write) {
    text_ += '[';
    for (const auto& item : items) {
      separate();
      write(item);
    }
    text_ += ']';
  }

  std::string text_;
  const std::vector<double>* grid_ = nullptr;
};

void check(const Chart& chart, const std::vector<double>& grid) {
  for (const Series& series : chart.series) {
    const std::size_t xs = series.onGrid ? grid.size() : series.x.size();
    if (xs != series.y.size()) {
      throw InputError(fmt::format("chart '{}': series '{}' has {} values of x and {} of y; give as many of each",
                                   chart.title, series.name, xs, series.y.size()));
    }
  }
}

void check(const Table& table) {
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row].size() != table.columns.size()) {
      throw InputError(fmt::format("table '{}': row {} has {} cells but there are {} columns; give one cell a column",
                                   table.title, row + 1, table.rows[row].size(), table.columns.size()));
    }
  }
}

}  // namespace

std::string reportJson(const Report& report) {
  for (const Section& section : report.sections) {
    for (const Chart& chart : section.charts) check(chart, report.grid);
    for (const Table& table : section.tables) check(table);
  }
  if (report.grid.size() > static_cast<std::size_t>(levels))
    throw InputError(fmt::format("the report has a grid of {} points; give at most {}", report.grid.size(), levels));
  JsonText json;
  json.value(report);
  return json.take();
}

}  // namespace polhode
