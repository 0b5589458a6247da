#include "io/report.h"

#include "polhode/error.h"
#include "support/json.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

namespace polhode::report_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// What stands in the <script> element that holds the data, read as a browser reads it: up to the first
/// "</script".
test::Json dataOf(const std::string& html) {
  const std::string opening = R"(<script type="application/json" id="report">)";
  const std::size_t begin = html.find(opening) + opening.size();
  return test::parseJson(std::string_view(html).substr(begin, html.find("</script", begin) - begin));
}

Report reportWith(const Chart& chart) {
  return {"A title", "", "", {{"A section", "", {}, {chart}}}};
}

test::Json chartIn(const std::string& html) {
  return dataOf(html)["sections"][0]["charts"][0];
}

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

TEST(Report, DataReadsBackAsItWasGiven) {
  const Table table{"Operations", {"form", "count"}, {{"null-space", "120"}, {"ggl", "✗ 480"}}, "a note"};
  const Chart chart{"Energy", "t", "error", false, true, {{"index-3", {0, 1}, {1e-12, 0.125}, true, true}}, "hint"};
  const Report report{"Top", "heavy", "First.\n\nSecond with `code`.", {{"Energy", "text", {table}, {chart}}}};

  const test::Json data = dataOf(reportHtml(report));
  EXPECT_EQ(data["title"].text(), "Top");
  EXPECT_EQ(data["subtitle"].text(), "heavy");
  EXPECT_EQ(data["summary"].text(), "First.\n\nSecond with `code`.");

  const test::Json& section = data["sections"][0];
  EXPECT_EQ(section["title"].text(), "Energy");
  EXPECT_EQ(section["tables"][0]["columns"][1].text(), "count");
  EXPECT_EQ(section["tables"][0]["rows"][1][1].text(), "✗ 480");
  EXPECT_EQ(section["tables"][0]["note"].text(), "a note");

  const test::Json& drawn = section["charts"][0];
  EXPECT_FALSE(drawn["logX"].boolean());
  EXPECT_TRUE(drawn["logY"].boolean());
  EXPECT_EQ(drawn["series"][0]["name"].text(), "index-3");
  EXPECT_TRUE(drawn["series"][0]["points"].boolean());
  EXPECT_EQ(drawn["series"][0]["x"][1].number(), 1.0);
  EXPECT_EQ(drawn["series"][0]["y"][0].number(), 1e-12);
  EXPECT_EQ(drawn["series"][0]["y"][1].number(), 0.125);
}

TEST(Report, TextCannotBreakOutOfItsPlace) {
  const std::string hostile = "</script><script>alert(1)</script> <!-- \"quoted\" \\ & \t\x01 <title>";
  Report report{hostile, hostile, hostile, {{hostile, hostile, {}, {}}}};
  report.sections[0].tables.push_back({hostile, {hostile}, {{hostile}}, hostile});
  report.sections[0].charts.push_back({hostile, hostile, hostile, false, false, {{hostile, {}, {}}}, hostile});

  const std::string html = reportHtml(report);
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_NE(html.find("<title>&lt;/script&gt;&lt;script&gt;alert(1)"), std::string::npos);
  EXPECT_EQ(dataOf(html)["title"].text(), hostile);
  EXPECT_EQ(dataOf(html)["sections"][0]["tables"][0]["rows"][0][0].text(), hostile);
}

TEST(Report, NumbersAreShortAndGapsAreNull) {
  const Chart chart{"c", "x", "y", false, false, {{"s", {0, 1, 2, 3}, {1.0 / 3.0, nan, infinity, -0.5}}}, ""};
  const std::string html = reportHtml(reportWith(chart));
  EXPECT_NE(html.find("[0.333333333,null,null,-0.5]"), std::string::npos);
  EXPECT_TRUE(chartIn(html)["series"][0]["y"][2].isNull());
}

TEST(Report, ThinsLongSeriesAndKeepsTheirPeaks) {
  Series series{"s", {}, {}};
  for (int i = 0; i < 100'000; ++i) {
    series.x.push_back(1e-3 * i);
    series.y.push_back(std::sin(1e-2 * i));
  }
  series.y[12'345] = 7.0;
  series.y[54'321] = -9.0;
  series.y[77'777] = nan;

  const test::Json thin = chartIn(reportHtml(reportWith({"c", "x", "y", false, false, {series}, ""})))["series"][0];
  const auto& y = thin["y"].items();
  ASSERT_LE(y.size(), 4000u);
  ASSERT_EQ(thin["x"].items().size(), y.size());
  const auto holds = [&](double wanted) {
    return std::any_of(y.begin(), y.end(), [&](const auto& v) { return !v.isNull() && v.number() == wanted; });
  };
  EXPECT_TRUE(holds(7.0));
  EXPECT_TRUE(holds(-9.0));
  EXPECT_TRUE(std::any_of(y.begin(), y.end(), [](const auto& v) { return v.isNull(); }));
  EXPECT_EQ(thin["x"].items().back().number(), 99.999);
}

TEST(Report, NeedsNoNetwork) {
  const std::string html = reportHtml(reportWith({"c", "x", "y", true, true, {{"s", {1, 2}, {1, 2}}}, ""}));
  // the name of the XML namespace of drawings looks like an address, but nothing is fetched from it
  const std::string drawings = "http://www.w3.org/2000/svg";
  std::string rest = html;
  for (std::size_t at; (at = rest.find(drawings)) != std::string::npos;) rest.erase(at, drawings.size());
  EXPECT_EQ(rest.find("http://"), std::string::npos);
  EXPECT_EQ(rest.find("https://"), std::string::npos);
  EXPECT_EQ(rest.find("src="), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
}

TEST(Report, RefusesSeriesAndRowsOfUnequalLength) {
  const Chart chart{"Energy", "t", "E", false, false, {{"index-3", {0, 1, 2}, {0, 1}}}, ""};
  try {
    reportHtml(reportWith(chart));
    FAIL() << "three x and two y were taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "chart 'Energy': series 'index-3' has 3 values of x and 2 of y; give as many of each");
  }

  Report report = reportWith({});
  report.sections[0].tables.push_back({"Counts", {"form", "count"}, {{"ggl", "1"}, {"index-1"}}, ""});
  EXPECT_THROW(reportHtml(report), InputError);
}

class ReportFile : public testing::Test {
 protected:
  void SetUp() override {
    // tests may run at the same time, so each has a folder of its own
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::path(testing::TempDir()) / ("polhode_report_" + name);
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(ReportFile, IsWrittenWholeIntoNewFolders) {
  const Report report{"A title", "", "", {}};
  const auto path = folder_ / "deep" / "report.html";
  writeReport(path, report);
  writeReport(path, report);
  EXPECT_EQ(contentOf(path), reportHtml(report));
  // nothing but the report stays behind
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1);
}

TEST_F(ReportFile, NamesThePathThatCannotBeWritten) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "file") << "no folder";
  for (const auto& path : {folder_ / "file" / "report.html", folder_}) {
    try {
      writeReport(path, {});
      FAIL() << path << " was written";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace polhode::report_test
