#include "polhode/error.h"
#include "polhode/integrate/catalogue.h"
#include "polhode/integrate/fitting.h"
#include "polhode/io/examples.h"
#include "polhode/io/model_file.h"
#include "polhode/model/joint_type.h"
#include "polhode/model/suggestion.h"
#include "polhode/system/force_type.h"
#include "polhode/system/named_system.h"

#include <algorithm>
#include <functional>
#include <map>

#include "commands.h"
#include "study.h"
#include <fmt/format.h>

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

Rows forceRows() {
  Rows rows = {{"gravity", "Uniform, from [model] gravity."}};
  for (const ForceType& type : forceTypes()) rows.emplace_back(type.name, type.summary);
  return rows;
}

Rows studyRows() {
  Rows rows;
  for (const Study& study : studies()) rows.emplace_back(study.name, study.summary);
  return rows;
}

const std::map<std::string, std::function<Rows()>>& lists() {
  static const std::map<std::string, std::function<Rows()>> all = {
      {"integrators", integratorRows},
      {"examples", exampleRows},
      {"studies", studyRows},
      {"systems", systemRows},
      {"coordinates",
       [] {
         return Rows{
             {"quaternion", "Unit quaternions (w, x, y, z): four numbers, no singularity. The choice to begin with."},
             {"director", "The nine components of the body's axes (rotation-free): no singularity, simple equations."},
             {"euler313", "Euler angles 3-1-3: three numbers, gimbal lock where the second is 0 or pi."},
             {"cardan", "Cardan angles x-y-z: three numbers, gimbal lock where the second is +-pi/2."}};
       }},
      {"formulations",
       [] {
         return Rows{
             {"null-space",
              "Position in the coordinates, velocity by the angular velocity: constraints hold on the "
              "level of velocity by construction."},
             {"absolute", "Coordinates and their derivatives, multipliers eliminated (index 0); drifts faster."},
             {"index-1", "With multipliers, constraints on the level of acceleration; integrator bdf only."},
             {"index-2", "With multipliers, constraints on the level of velocity; integrator bdf only."},
             {"index-3", "With multipliers, constraints on the level of position; integrator bdf only."},
             {"ggl",
              "Constraints on the levels of position and velocity (Gear, Gupta & Leimkuhler); integrator bdf "
              "only."}};
       }},
      {"joints", jointRows},
      {"forces", forceRows},
  };
  return all;
}

void print(const std::string& what) {
  const auto found = lists().find(what);
  if (found == lists().end()) {
    std::vector<std::string> known;
    for (const auto& [name, rows] : lists()) known.push_back(name);
    throw InputError(fmt::format("there is no list of {}; {}", quoted(what), suggestion(what, known)));
  }
  const Rows rows = found->second();
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.first.size());
  for (const Row& row : rows) fmt::print("{:<{}}  {}\n", row.first, width, row.second);
}

}  // namespace

void addList(CLI::App& app) {
  auto what = std::make_shared<std::string>();
  CLI::App* list = app.add_subcommand("list", "Explain what there is to choose from.");
  list->add_option("WHAT", *what,
                   "integrators, coordinates, formulations, joints, forces, examples, systems or studies")
      ->required();
  list->callback([what] { print(*what); });
}

}  // namespace polhode::app
