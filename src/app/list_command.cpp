#include "analysis/formulation.h"
#include "command_tree.h"
#include "commands.h"
#include "integrate/catalogue.h"
#include "integrate/fitting.h"
#include "io/examples.h"
#include "model/force_type.h"
#include "model/setting_words.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "polhode/model/coupling.h"
#include "polhode/model/joint_type.h"
#include "study.h"
#include "system/named_system.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode::app {

namespace {

using Row = std::pair<std::string, std::string>;
using Rows = std::vector<Row>;

Rows integratorRows() {
  Rows rows;
  for (const IntegratorInfo& info : integrators()) rows.emplace_back(info.name, info.kind + ". " + info.summary);
  rows.emplace_back("NAME-4, -6, -8",
                    "composition. Order 4, 6 or 8 of a conserving, midpoint or variational one, which "
                    "keeps what it conserves.");
  return rows;
}

Rows exampleRows() {
  Rows rows;
  for (const Example& example : examples())
    rows.emplace_back(example.name, readModelText(example.text, example.name + ".toml").model.name);
  return rows;
}

Rows systemRows() {
  Rows rows;
  for (const NamedSystem& system : namedSystems()) rows.emplace_back(system.name, system.description);
  for (const IntegratorInfo& integrator : constrainedIntegrators())
    rows.emplace_back("--integrator " + integrator.name, integrator.summary);
  rows.emplace_back("--integrator NAME-4, -6, -8", "composition of order 4, 6 or 8, which keeps what NAME keeps");
  return rows;
}

Rows jointRows() {
  Rows rows;
  for (const JointType& type : jointTypes()) rows.emplace_back(type.name, type.summary);
  return rows;
}

Rows shapeRows() {
  Rows rows;
  for (const ShapeType& type : shapeTypes()) rows.emplace_back(type.name, type.summary);
  return rows;
}

Rows forceRows() {
  Rows rows = {{"gravity", "Uniform, from [model] gravity."}};
  for (const ForceType& type : forceTypes()) rows.emplace_back(type.name, type.summary);
  return rows;
}

Rows couplingRows() {
  Rows rows;
  for (const CouplingType& type : couplingTypes()) rows.emplace_back(type.name, type.summary);
  return rows;
}

Rows studyRows() {
  Rows rows;
  for (const Study& study : studies()) rows.emplace_back(study.name, study.summary);
  return rows;
}

Rows wordRows(std::span<const SettingWord> words) {
  Rows rows;
  for (const SettingWord& word : words) rows.emplace_back(word.name, word.summary);
  return rows;
}

Rows formulationRows() {
  Rows rows;
  for (const FormulationType* type : formulationTypes()) rows.emplace_back(type->name, type->summary);
  return rows;
}

const std::map<std::string, std::function<Rows()>>& lists() {
  static const std::map<std::string, std::function<Rows()>> all = {
      {"integrators", integratorRows},
      {"examples", exampleRows},
      {"studies", studyRows},
      {"systems", systemRows},
      {"coordinates", [] { return wordRows(coordinateWords()); }},
      {"formulations", formulationRows},
      {"projections", [] { return wordRows(projectionWords()); }},
      {"joints", jointRows},
      {"couplings", couplingRows},
      {"forces", forceRows},
      {"shapes", shapeRows},
  };
  return all;
}

void print(const std::string& what) {
  const auto found = lists().find(what);
  if (found == lists().end())
    throw InputError(fmt::format("there is no list of {}; {}", quoted(what), suggestion(what, listNames())));
  const Rows rows = found->second();
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.first.size());
  for (const Row& row : rows) fmt::print("{:<{}}  {}\n", row.first, width, row.second);
}

}  // namespace

std::vector<std::string> listNames() {
  std::vector<std::string> names;
  for (const auto& [name, rows] : lists()) names.push_back(name);
  return names;
}

void addList(CLI::App& app) {
  auto what = std::make_shared<std::string>();
  CLI::App* list = app.add_subcommand("list", "Explain what there is to choose from.");
  list->add_option("WHAT", *what, fmt::format("One of {}", fmt::join(listNames(), ", ")))->required();
  list->callback([what] { print(*what); });
}

}  // namespace polhode::app
