#include "system/single_body.h"

#include "system/absolute_director_body.h"
#include "system/absolute_quaternion_body.h"
#include "system/null_space_body.h"

namespace polhode {

namespace {

using Made = std::unique_ptr<SingleBodySystem>;

template <template <bool> class Equations, class... Arguments>
Made make(bool translates, const Arguments&... arguments) {
  if (translates) return std::make_unique<FormulatedBody<Equations<true>>>(Equations<true>(arguments...));
  return std::make_unique<FormulatedBody<Equations<false>>>(Equations<false>(arguments...));
}

template <bool Translates>
using QuaternionNullSpace = NullSpaceBody<QuaternionCoordinates, Translates>;
template <bool Translates>
using DirectorNullSpace = NullSpaceBody<DirectorCoordinates, Translates>;
template <bool Translates>
using Euler313NullSpace = NullSpaceBody<Euler313Coordinates, Translates>;
template <bool Translates>
using CardanNullSpace = NullSpaceBody<CardanCoordinates, Translates>;

}  // namespace

bool hasSingleBody(const std::string& formulation) {
  return formulation == "null-space" || formulation == "absolute";
}

std::unique_ptr<SingleBodySystem> makeSingleBody(const std::string& coordinates, const std::string& formulation,
                                                 const RigidBodyData& body, const UniformGravity& gravity,
                                                 std::shared_ptr<const BodyForces> otherForces) {
  const bool moves = body.translates;
  if (formulation == "null-space") {
    if (coordinates == "quaternion") return make<QuaternionNullSpace>(moves, body, gravity, otherForces);
    if (coordinates == "director") return make<DirectorNullSpace>(moves, body, gravity, otherForces);
    if (coordinates == "euler313") return make<Euler313NullSpace>(moves, body, gravity, otherForces);
    if (coordinates == "cardan") return make<CardanNullSpace>(moves, body, gravity, otherForces);
  } else if (formulation == "absolute") {
    if (coordinates == "quaternion") return make<AbsoluteQuaternionBody>(moves, body, gravity, otherForces);
    if (coordinates == "director") return make<AbsoluteDirectorBody>(moves, body, gravity, otherForces);
  }
  throw InputError(fmt::format("there is no formulation '{}' in coordinates '{}'; see `polhode list formulations`",
                               formulation, coordinates));
}

}  // namespace polhode
