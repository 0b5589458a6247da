#pragma once

#include "io/json.h"
#include "polhode/model/model.h"
#include "server/part_settings.h"

#include <string>
#include <utility>
#include <vector>

/// What pages are told of a part of a model besides its numbers, in a live run (watched.h) and in a finished one (told_part.h).
namespace polhode::live {

/// Names and values for people: ("mass", "300 kg").
using Properties = std::vector<std::pair<std::string, std::string>>;

/// Those of the model alone are none. Throws InputError where there is no such part.
Properties propertiesOf(const Part& part, const Model& model);

/// The array [["mass", "300 kg"], ...].
void writeProperties(JsonWriter& json, const Properties& properties);

/// {"name": "position", "unit": "m", "start": 0, "components": ["x", "y", "z"]}; `start` counts the numbers before its first one.
void writeQuantity(JsonWriter& json, const std::string& name, const std::string& unit,
                   const std::vector<std::string>& components, std::size_t start);

/// One for each quantity of these columns, whose numbers stand one behind the other from the first one on; units come from the names.
void writeQuantities(JsonWriter& json, const std::vector<std::string>& columns, std::size_t first);

}  // namespace polhode::live
