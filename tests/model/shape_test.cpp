#include "polhode/model/shape.h"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace polhode::shape_test {
namespace {

using std::numbers::pi;

/// A solid made of elliptic slices across z: the half axes along x and y at a height.
struct Slices {
  std::vector<double> pieces;  // heights between which the half axes are smooth
  std::function<Eigen::Vector2d(double)> halfAxes;
};

/// The integral of f over the pieces, by Simpson's rule. Mass and inertia of our slices are piecewise
/// polynomials of degree 4 in the height, so that the error with 1000 intervals is near round-off.
double integral(const std::vector<double>& pieces, const std::function<double(double)>& f) {
  constexpr int intervals = 1000;
  double sum = 0.0;
  for (std::size_t piece = 0; piece + 1 < pieces.size(); ++piece) {
    const double h = (pieces[piece + 1] - pieces[piece]) / intervals;
    for (int i = 0; i < intervals; ++i) {
      const double z = pieces[piece] + i * h;
      sum += h / 6.0 * (f(z) + 4.0 * f(z + h / 2.0) + f(z + h));
    }
  }
  return sum;
}

/// Compares mass, centre of mass and inertia with those of the slices: an ellipse of half axes a and b has
/// the area pi a b and the second moments area a^2/4 and area b^2/4.
void expectSameAsSlices(const Shape& shape, const Slices& slices) {
  SCOPED_TRACE(shapeName(shape));
  constexpr double density = 1.5;
  const auto massPerHeight = [&](double z) { return density * pi * slices.halfAxes(z).prod(); };
  const auto moment = [&](int axis) {
    return integral(slices.pieces,
                    [&](double z) { return massPerHeight(z) * std::pow(slices.halfAxes(z)[axis], 2) / 4.0; });
  };
  const double mass = integral(slices.pieces, massPerHeight);
  const double xx = moment(0), yy = moment(1);
  const double zz = integral(slices.pieces, [&](double z) { return massPerHeight(z) * z * z; });
  const double centre = integral(slices.pieces, [&](double z) { return massPerHeight(z) * z; }) / mass;

  const MassProperties properties = massProperties(shape, density);
  const double tolerance = 1e-10 * mass;
  EXPECT_NEAR(centre, 0.0, 1e-12);
  EXPECT_NEAR(properties.mass, mass, tolerance);
  const Matrix3 expected = Vector3(yy + zz, zz + xx, xx + yy).asDiagonal();
  EXPECT_LT((properties.inertia - expected).cwiseAbs().maxCoeff(), tolerance) << properties.inertia << "\n\n"
                                                                              << expected;
}

Eigen::Vector2d round(double radius) {
  return {radius, radius};
}

double chord(double radius, double z) {
  return std::sqrt(std::max(0.0, radius * radius - z * z));
}

}  // namespace

TEST(Shape, MassPropertiesAreThoseOfTheirSlices) {
  const double r = 0.7, h = 1.3;
  expectSameAsSlices(Sphere{r}, {{-r, r}, [=](double z) { return round(chord(r, z)); }});
  expectSameAsSlices(Cylinder{r, h}, {{-h / 2, h / 2}, [=](double) { return round(r); }});
  expectSameAsSlices(Cone{r, h}, {{-0.75 * h, 0.25 * h}, [=](double z) { return round(r * (z / h + 0.75)); }});
  expectSameAsSlices(Capsule{r, h}, {{-h / 2 - r, -h / 2, h / 2, h / 2 + r},
                                     [=](double z) { return round(chord(r, std::max(0.0, std::abs(z) - h / 2))); }});
  expectSameAsSlices(Ellipsoid{{0.5, 0.8, 1.1}}, {{-1.1, 1.1}, [](double z) {
                                                    const double scale = chord(1.1, z) / 1.1;
                                                    return Eigen::Vector2d(0.5 * scale, 0.8 * scale);
                                                  }});
}

TEST(Shape, BoxHasTheInertiaOfATextbook) {
  const MassProperties box = massProperties(Box{{1.0, 2.0, 3.0}}, 2.0);
  EXPECT_DOUBLE_EQ(box.mass, 12.0);
  EXPECT_DOUBLE_EQ(box.inertia(0, 0), 13.0);
  EXPECT_DOUBLE_EQ(box.inertia(1, 1), 10.0);
  EXPECT_DOUBLE_EQ(box.inertia(2, 2), 5.0);
}

TEST(Shape, ConeIsTheHeavyTopOfBetschAndSiebert) {
  // Betsch & Siebert 2009, section 5.2: mass and inertia of the cone, the latter about the apex
  const MassProperties cone = massProperties(Cone{0.05, 0.1}, 2700.0);
  EXPECT_NEAR(cone.mass, 0.7068583470577034786541, 1e-15);
  EXPECT_NEAR(cone.inertia(0, 0) + cone.mass * 0.075 * 0.075, 0.00450622196249285967642, 1e-17);
  EXPECT_NEAR(cone.inertia(2, 2), 0.0005301437602932776089906, 1e-18);
}

TEST(Shape, EllipsoidWithEqualAxesIsASphere) {
  const MassProperties ellipsoid = massProperties(Ellipsoid{{2.0, 2.0, 2.0}}, 3.0);
  const MassProperties sphere = massProperties(Sphere{2.0}, 3.0);
  EXPECT_DOUBLE_EQ(ellipsoid.mass, sphere.mass);
  EXPECT_LT((ellipsoid.inertia - sphere.inertia).norm(), 1e-12 * sphere.inertia.norm());
}

}  // namespace polhode::shape_test
