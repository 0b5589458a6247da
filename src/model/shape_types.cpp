#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/model/shape.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace shapes {
ShapeType sphere();
ShapeType box();
ShapeType cylinder();
ShapeType cone();
ShapeType capsule();
ShapeType ellipsoid();
}  // namespace shapes

const std::vector<ShapeType>& shapeTypes() {
  using namespace shapes;
  static const std::vector<ShapeType> all = {sphere(), box(), cylinder(), cone(), capsule(), ellipsoid()};
  return all;
}

std::size_t ShapeType::lengths() const {
  std::size_t count = 0;
  for (const ShapeKey& key : keys) count += key.lengths;
  return count;
}

const ShapeType* typeOf(const Shape& shape) {
  if (shape.own) return shape.own.get();
  const auto& all = shapeTypes();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ShapeType& type) { return type.name == shape.type; });
  return found == all.end() ? nullptr : &*found;
}

MassProperties massProperties(const Shape& shape, double density) {
  const ShapeType* type = typeOf(shape);
  if (!type || shape.lengths.size() != type->lengths())
    throw InputError(fmt::format("there is no shape {} of {} lengths; see `polhode list shapes`", quoted(shape.type),
                                 shape.lengths.size()));
  return type->homogeneous(shape.lengths, density);
}

}  // namespace polhode
