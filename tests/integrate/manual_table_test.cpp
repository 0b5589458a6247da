#include "integrate/catalogue.h"
#include "support/files.h"

#include <map>
#include <regex>

#include <gtest/gtest.h>

/// The tables of docs/integrators/index.md against the catalogue.
namespace polhode::manual_table_test {
namespace {

struct Told {
  std::string order;
  bool composes;
  auto operator<=>(const Told&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Told& told) {
  return out << "order " << told.order << (told.composes ? ", with compositions" : "");
}

std::vector<std::string> allMatches(const std::string& text, const std::regex& pattern, std::size_t group) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.push_back((*at)[group]);
  return found;
}

/// Rows "| [`radau5`](radau5.md) | 5 | what it is for |"; several names in a row have as many orders.
std::map<std::string, Told> ofTheManual() {
  const std::string text = test::readFile(POLHODE_EXAMPLES "/../docs/integrators/index.md");
  std::map<std::string, Told> told;
  const std::regex row(R"(\n\| ([^|\n]*`[^|\n]*) \| ([^|\n]+) \|)");
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    const std::vector<std::string> names = allMatches((*at)[1], std::regex("`([^`]+)`"), 1),
                                   orders = allMatches((*at)[2], std::regex("[0-9]+|-"), 0);
    EXPECT_EQ(names.size(), orders.size()) << at->str();
    const bool composes = (*at)[1].str().ends_with("+");
    for (std::size_t i = 0; i < std::min(names.size(), orders.size()); ++i)
      EXPECT_TRUE(told.try_emplace(names[i], Told{orders[i], composes}).second) << names[i] << " stands there twice";
  }
  return told;
}

TEST(ManualTable, HasAllIntegratorsWithTheirOrders) {
  std::map<std::string, Told> known;
  for (const auto& all : {integrators(), constrainedIntegrators()})
    for (const IntegratorInfo& info : all)
      known[info.name] = {info.order == 0 ? "-" : std::to_string(info.order), info.composes};
  EXPECT_EQ(ofTheManual(), known);
}

}  // namespace
}  // namespace polhode::manual_table_test
