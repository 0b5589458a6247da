#include "system/cyclic_directions.h"

#include "system/named_system.h"
#include "system/user_system.h"

#include <gtest/gtest.h>

namespace polhode::cyclic_directions_test {
namespace {

MatrixX cyclicDirectionsOf(const char* name) {
  const NamedSystem& named = namedSystem(name);
  const auto system = named.make();
  return cyclicDirections(*system, named.initialState().head(system->coordinates()));
}

/// Two masses on a line with a spring between them; `wind` blows on the first.
class TwoMasses : public UserSystem<TwoMasses, 2> {
 public:
  double wind = 0.0;

  std::string name() const override { return "two masses"; }
  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {
    return Position<S>(S(1.0), S(3.0)).asDiagonal();
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return (q[1] - q[0]) * (q[1] - q[0]);
  }
  template <class S>
  Position<S> externalForce(double, const Position<S>&, const Position<S>&) const {
    return Position<S>(S(wind), S(0.0));
  }
};

TEST(CyclicDirections, AzimuthOfThePendulum) {
  const MatrixX found = cyclicDirectionsOf("spring-pendulum");
  ASSERT_EQ(found.cols(), 1);
  EXPECT_EQ(VectorX(found.col(0)), VectorX(Vector3::UnitZ()));
}

TEST(CyclicDirections, NoneForMassesOnSprings) {
  EXPECT_EQ(cyclicDirectionsOf("mass-spring").cols(), 0);
}

TEST(CyclicDirections, CommonTranslation) {
  TwoMasses system;
  const MatrixX found = cyclicDirections(system, Eigen::Vector2d(0.0, 1.0));
  ASSERT_EQ(found.cols(), 1);
  EXPECT_NEAR(found(0, 0), found(1, 0), 1e-14);
  EXPECT_NEAR(found.col(0).norm(), 1.0, 1e-14);
  system.wind = 1.0;
  EXPECT_EQ(cyclicDirections(system, Eigen::Vector2d(0.0, 1.0)).cols(), 0);
}

}  // namespace
}  // namespace polhode::cyclic_directions_test
