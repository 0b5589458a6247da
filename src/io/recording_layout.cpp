#include "io/recording_layout.h"

#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace polhode {
namespace {

/// What a column's name says.
struct ColumnPlace {
  std::string group;      // "bodies"; empty for the quantities of the whole
  std::string before;     // "joint."
  std::string object;     // "knee"
  std::string quantity;   // "force", the last part of the path
  std::string after;      // ".force"
  std::string component;  // "x"; empty for a single number
};

bool isComponent(std::string_view word) {
  if (word == "x" || word == "y" || word == "z" || word == "w") return true;
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Quantities of the whole: where they lie, and what their names share.
ColumnPlace wholePlace(const std::string& stem) {
  ColumnPlace place;
  place.before = stem;
  const auto ends = [&](std::string_view tail) { return stem.size() > tail.size() && stem.ends_with(tail); };
  if (stem == "energy")
    place.group = "energy", place.quantity = "total";
  else if (stem == "work")
    place.group = "energy", place.quantity = stem;
  else if (ends("_energy"))
    place.group = "energy", place.quantity = stem.substr(0, stem.size() - 7);
  else if (ends("_momentum"))
    place.group = "momentum", place.quantity = stem.substr(0, stem.size() - 9);
  else if (stem == "multiplier")
    place.quantity = "multipliers";
  else
    place.quantity = stem;
  return place;
}

ColumnPlace placeOf(const std::string& column) {
  const auto lastDot = column.rfind('.');
  std::string stem = column, component;
  if (lastDot != std::string::npos && lastDot > 0 && isComponent(column.substr(lastDot + 1))) {
    stem = column.substr(0, lastDot);
    component = column.substr(lastDot + 1);
  }
  ColumnPlace place;
  const auto dot = stem.rfind('.');
  if (stem.starts_with("constraint.")) {
    place.group = "constraints", place.before = stem, place.quantity = stem.substr(11);
  } else if (stem == "hand.force" || stem == "hand.torque" || stem == "hand.body") {
    place.group = "hand", place.before = stem, place.quantity = stem.substr(5);
  } else if (stem.starts_with("sensor.") && stem.size() > 7) {
    place.group = "sensors", place.before = stem, place.quantity = stem.substr(7);
  } else if (dot == std::string::npos || dot == 0 || dot + 1 == stem.size()) {
    place = wholePlace(stem);
  } else {
    place.group = "bodies", place.object = stem.substr(0, dot);
    for (const auto& [word, group] : {std::pair{"joint.", "joints"}, {"force.", "forces"}, {"actuator.", "actuators"}})
      if (place.object.starts_with(word) && place.object.size() > std::string_view(word).size())
        place.group = group, place.before = word, place.object = place.object.substr(place.before.size());
    place.quantity = stem.substr(dot + 1);
    place.after = "." + place.quantity;
  }
  place.component = component;
  return place;
}

/// "rad" and "rad/s" for an angle and its rate, and so on; empty where the name does not tell.
std::string unitOf(const std::string& group, const std::string& quantity) {
  static const std::map<std::string, std::string, std::less<>> units = {{"time", "s"},
                                                                        {"position", "m"},
                                                                        {"quaternion", "1"},
                                                                        {"velocity", "m/s"},
                                                                        {"acceleration", "m/s^2"},
                                                                        {"angular_velocity", "rad/s"},
                                                                        {"angle", "rad"},
                                                                        {"rotation_vector", "rad"},
                                                                        {"displacement", "m"},
                                                                        {"angular_acceleration", "rad/s^2"},
                                                                        {"force", "N"},
                                                                        {"torque", "N m"},
                                                                        {"power", "W"},
                                                                        {"length", "m"},
                                                                        {"work", "J"},
                                                                        {"kinetic_energy", "J"},
                                                                        {"tension", "N"},
                                                                        {"elongation", "m"}};
  if (group == "energy") return "J";
  if (group == "momentum") return quantity == "linear" ? "kg m/s" : "kg m^2/s";
  if (group == "constraints") return quantity == "position" ? "m or 1" : "m/s or 1/s";
  if (group.empty() && quantity != "time") return {};
  if (const auto found = units.find(quantity); found != units.end()) return found->second;
  if (quantity.ends_with("_rate")) {
    const std::string unit = unitOf(group, quantity.substr(0, quantity.size() - 5));
    return unit.empty() ? unit : unit + "/s";
  }
  // "second_angle", "angle_1"
  if (quantity.find("angle") != std::string::npos) return "rad";
  if (quantity.find("displacement") != std::string::npos) return "m";
  return {};
}

std::string frameOf(const std::string& group, const std::string& quantity) {
  if (group == "momentum") return quantity == "angular" ? "space, about the origin" : "space";
  if (quantity == "quaternion") return "from body to space, scalar first";
  if (quantity == "angular_velocity" || quantity == "angular_acceleration") return "body";
  static constexpr std::array<std::string_view, 5> inSpace = {"position", "velocity", "acceleration", "force",
                                                              "torque"};
  const bool ofObject = group == "bodies" || group == "joints" || group == "forces" || group == "hand";
  return ofObject && std::find(inSpace.begin(), inSpace.end(), quantity) != inSpace.end() ? "space" : "";
}

/// A name as part of a path: HDF5 gives "." and "" a meaning of their own; a slash makes a group in a group.
std::string pathPart(const std::string& name) {
  const bool special = name.find_first_not_of('.') == std::string::npos || name.front() == '/' || name.back() == '/';
  return special ? "_" + name + "_" : name;
}

std::string pathOf(const ColumnPlace& place) {
  std::string path;
  for (const std::string* part : {&place.group, &place.object})
    if (!part->empty()) path += pathPart(*part) + "/";
  return path + pathPart(place.quantity);
}

void requireDifferent(const std::vector<std::string>& columns) {
  std::set<std::string_view> seen;
  for (const std::string& column : columns)
    if (!seen.insert(column).second)
      throw InputError(
          fmt::format("two columns of the recording are called {}; give each a name of its own", quoted(column)));
}

/// A table for each quantity of each object.
std::vector<RecordedTable> tablesOfColumns(const std::vector<std::string>& columns, std::vector<ColumnPlace>& places) {
  std::vector<RecordedTable> tables;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnPlace place = placeOf(columns[i]);
    const std::string path = pathOf(place);
    const bool goesOn =
        !tables.empty() && !place.component.empty() && !tables.back().components.empty() && tables.back().path == path;
    if (!goesOn) {
      RecordedTable table{path,
                          unitOf(place.group, place.quantity),
                          frameOf(place.group, place.quantity),
                          {},
                          {},
                          place.before,
                          place.object + place.after,
                          {i}};
      tables.push_back(std::move(table));
      places.push_back(place);
    }
    if (!place.component.empty()) tables.back().components.push_back(place.component);
  }
  return tables;
}

}  // namespace

std::string RecordedTable::columnName(std::size_t k) const {
  std::string name = before;
  if (!objects.empty()) name += objects[k / width()];
  name += after;
  return components.empty() ? name : name + "." + components[k % width()];
}

std::vector<RecordedTable> recordingLayout(const std::vector<std::string>& columns) {
  requireDifferent(columns);
  std::vector<ColumnPlace> places;
  std::vector<RecordedTable> single = tablesOfColumns(columns, places);

  std::map<std::string, std::set<std::string_view>> objects;  // of each group
  for (const ColumnPlace& place : places)
    if (!place.object.empty()) objects[place.group].insert(place.object);

  std::vector<RecordedTable> tables;
  std::map<std::string, std::size_t> stacked;  // by path
  for (std::size_t i = 0; i < single.size(); ++i) {
    const ColumnPlace& place = places[i];
    if (place.object.empty() || objects[place.group].size() <= mostObjects) {
      tables.push_back(std::move(single[i]));
      continue;
    }
    std::string path = place.group + "/" + pathPart(place.quantity);
    if (const auto other = stacked.find(path);
        other != stacked.end() && tables[other->second].components != single[i].components)
      path += fmt::format("_{}", single[i].width());  // of the same name, but a vector here and a number there
    const auto [found, isNew] = stacked.try_emplace(path, tables.size());
    if (isNew) {
      tables.push_back(std::move(single[i]));
      RecordedTable& table = tables.back();
      table.path = path;
      table.objects = {place.object};
      table.after = place.after;
    } else {
      RecordedTable& table = tables[found->second];
      table.objects.push_back(place.object);
      table.starts.push_back(single[i].starts.front());
    }
  }
  // a quantity that has a part of another path as its name, or two columns that lead to one table
  std::set<std::string_view> paths;
  for (const RecordedTable& table : tables)
    if (!paths.insert(table.path).second)
      throw InputError(
          fmt::format("two quantities of the recording would lie in {}; rename a body or joint", quoted(table.path)));
  return tables;
}

}  // namespace polhode
