#include "shape_reader.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

Shape readShape(const Field& field) {
  std::vector<std::string> names;
  for (const ShapeType& type : shapeTypes()) names.push_back(type.name);
  const ModelSection section = field.section(names, "such as { sphere = { radius = 0.1 } }");
  const Field solid = section.exactlyOne(names);
  const ShapeType& type = *std::find_if(shapeTypes().begin(), shapeTypes().end(),
                                        [&](const ShapeType& each) { return section.has(each.name); });
  std::vector<std::string> keys;
  for (const ShapeKey& key : type.keys) keys.push_back(key.name);
  const ModelSection sizes = solid.section(keys, fmt::format("with {}", fmt::join(keys, " and ")));

  Shape shape{type.name, {}};
  for (const ShapeKey& key : type.keys) {
    const bool isOne = key.lengths == 1;
    const Field size = sizes.require(key.name, key.name + (isOne ? " = 0.1" : " = [0.1, 0.2, 0.3]"));
    for (const double length : isOne ? std::vector<double>{size.number()} : size.numbers(key.lengths)) {
      if (length <= 0.0) size.fail(fmt::format("must be positive, not {}", length));
      shape.lengths.push_back(length);
    }
  }
  return shape;
}

}  // namespace polhode
