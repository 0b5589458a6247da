#include "report_json.h"

#include "io/thinning.h"
#include "polhode/error.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr std::size_t mostPoints = 4000;

/// Appends values to a text: one function `value` for each kind, and objects and arrays made of them.
class JsonText {
 public:
  void value(const std::string& text) {
    text_ += '"';
    for (const char c : text) appendCharacter(c);
    text_ += '"';
  }

  void value(bool yes) { text_ += yes ? "true" : "false"; }

  void value(double number) {
    if (std::isfinite(number)) {
      fmt::format_to(std::back_inserter(text_), "{:.9g}", number);
    } else {
      text_ += "null";
    }
  }

  void value(const Series& series, bool logX) {
    const auto kept = thinned(series.x, series.y, logX, mostPoints);
    const auto coordinates = [&](const std::vector<double>& all) {
      array(kept, [&](std::size_t i) { value(all[i]); });
    };
    object([&] {
      member("name", [&] { value(series.name); });
      member("line", [&] { value(series.line); });
      member("points", [&] { value(series.points); });
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
      member("series", [&] { array(chart.series, [&](const Series& s) { value(s, chart.logX); }); });
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

  void value(const Section& section) {
    object([&] {
      member("title", [&] { value(section.title); });
      member("text", [&] { value(section.text); });
      member("tables", [&] { array(section.tables, [&](const Table& table) { value(table); }); });
      member("charts", [&] { array(section.charts, [&](const Chart& chart) { value(chart); }); });
    });
  }

  void value(const Report& report) {
    object([&] {
      member("title", [&] { value(report.title); });
      member("subtitle", [&] { value(report.subtitle); });
      member("summary", [&] { value(report.summary); });
      member("sections", [&] { array(report.sections, [&](const Section& section) { value(section); }); });
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
};

void check(const Chart& chart) {
  for (const Series& series : chart.series) {
    if (series.x.size() != series.y.size()) {
      throw InputError(fmt::format("chart '{}': series '{}' has {} values of x and {} of y; give as many of each",
                                   chart.title, series.name, series.x.size(), series.y.size()));
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
    for (const Chart& chart : section.charts) check(chart);
    for (const Table& table : section.tables) check(table);
  }
  JsonText json;
  json.value(report);
  return json.take();
}

}  // namespace polhode
