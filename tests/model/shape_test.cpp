#include "polhode/model/shape.h"

#include "model/validation.h"
#include "polhode/error.h"

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
  SCOPED_TRACE(shape.type);
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
  expectSameAsSlices(Shape{"sphere", {r}}, {{-r, r}, [=](double z) { return round(chord(r, z)); }});
  expectSameAsSlices(Shape{"cylinder", {r, h}}, {{-h / 2, h / 2}, [=](double) { return round(r); }});
  expectSameAsSlices(Shape{"cone", {r, h}},
                     {{-0.75 * h, 0.25 * h}, [=](double z) { return round(r * (z / h + 0.75)); }});
  expectSameAsSlices(Shape{"capsule", {r, h}}, {{-h / 2 - r, -h / 2, h / 2, h / 2 + r}, [=](double z) {
                                                  return round(chord(r, std::max(0.0, std::abs(z) - h / 2)));
                                                }});
  expectSameAsSlices(Shape{"ellipsoid", {0.5, 0.8, 1.1}}, {{-1.1, 1.1}, [](double z) {
                                                             const double scale = chord(1.1, z) / 1.1;
                                                             return Eigen::Vector2d(0.5 * scale, 0.8 * scale);
                                                           }});
}

TEST(Shape, BoxHasTheInertiaOfATextbook) {
  const MassProperties box = massProperties(Shape{"box", {1.0, 2.0, 3.0}}, 2.0);
  EXPECT_DOUBLE_EQ(box.mass, 12.0);
  EXPECT_DOUBLE_EQ(box.inertia(0, 0), 13.0);
  EXPECT_DOUBLE_EQ(box.inertia(1, 1), 10.0);
  EXPECT_DOUBLE_EQ(box.inertia(2, 2), 5.0);
}

TEST(Shape, ConeIsTheHeavyTopOfBetschAndSiebert) {
  // Betsch & Siebert 2009, section 5.2: mass and inertia of the cone, the latter about the apex
  const MassProperties cone = massProperties(Shape{"cone", {0.05, 0.1}}, 2700.0);
  EXPECT_NEAR(cone.mass, 0.7068583470577034786541, 1e-15);
  EXPECT_NEAR(cone.inertia(0, 0) + cone.mass * 0.075 * 0.075, 0.00450622196249285967642, 1e-17);
  EXPECT_NEAR(cone.inertia(2, 2), 0.0005301437602932776089906, 1e-18);
}

TEST(Shape, EllipsoidWithEqualAxesIsASphere) {
  const MassProperties ellipsoid = massProperties(Shape{"ellipsoid", {2.0, 2.0, 2.0}}, 3.0);
  const MassProperties sphere = massProperties(Shape{"sphere", {2.0}}, 3.0);
  EXPECT_DOUBLE_EQ(ellipsoid.mass, sphere.mass);
  EXPECT_LT((ellipsoid.inertia - sphere.inertia).norm(), 1e-12 * sphere.inertia.norm());
}

/// Volume, and the volume's moment about z = 0, of what an outline encloses.
std::array<double, 2> enclosed(const Outline& outline) {
  if (outline.box) return {outline.box->prod(), 0.0};
  double volume = 0.0, moment = 0.0;
  for (const OutlinePart& part : outline.turned) {
    const double centre = part.centre.value_or(0.0), radius = (part.from - Eigen::Vector2d(0.0, centre)).norm();
    const int slices = 20000;
    const double thickness = (part.to.y() - part.from.y()) / slices;
    for (int i = 0; i < slices; ++i) {
      const double share = (i + 0.5) / slices, z = part.from.y() + share * (part.to.y() - part.from.y());
      const double r = part.centre ? chord(radius, z - centre) : (1.0 - share) * part.from.x() + share * part.to.x();
      volume += pi * r * r * thickness;
      moment += pi * r * r * z * thickness;
    }
  }
  return {volume * outline.stretch.prod(), moment * outline.stretch.prod() * outline.stretch.z()};
}

TEST(Shape, OfEveryKindIsDrawnAsLargeAsItIsHeavyAndAroundItsCentreOfMass) {
  const std::vector<double> some = {0.7, 1.3, 0.4};
  for (const ShapeType& type : shapeTypes()) {
    const std::vector<double> lengths(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(type.lengths()));
    const auto [volume, moment] = enclosed(type.outline(lengths));
    EXPECT_NEAR(volume, massProperties(Shape{type.name, lengths}, 1.0).mass, 1e-7 * volume) << type.name;
    EXPECT_NEAR(moment, 0.0, 1e-7 * volume) << type.name;
    EXPECT_FALSE(type.summary.empty()) << type.name;
  }
}

/// A solid that is not in the library: a thin-walled tube along z, of a radius, a height and a wall.
ShapeType tube() {
  const auto homogeneous = [](const std::vector<double>& lengths, double density) {
    const double rr = lengths[0] * lengths[0], height = lengths[1];
    const double mass = density * 2.0 * pi * lengths[0] * lengths[2] * height;
    const double across = mass * (rr / 2.0 + height * height / 12.0);
    return MassProperties{mass, Vector3(across, across, mass * rr).asDiagonal()};
  };
  const auto outline = [](const std::vector<double>& lengths) {
    return Outline{.turned = {{{lengths[0], -lengths[1] / 2.0}, {lengths[0], lengths[1] / 2.0}}}};
  };
  return {"tube", "open at both ends, axis along z", {{"radius"}, {"height"}, {"wall"}}, homogeneous, outline};
}

TEST(Shape, OfAUsersOwnKindTravelsInItsBody) {
  Model model;
  model.bodies.resize(1);
  Body& body = model.bodies[0];
  body.name = "pipe";
  body.shape = Shape{"", {0.5, 2.0, 0.01}, std::make_shared<const ShapeType>(tube())};
  const MassProperties properties = massProperties(*body.shape, 1000.0);
  EXPECT_DOUBLE_EQ(properties.mass, 20.0 * pi);
  EXPECT_DOUBLE_EQ(properties.inertia(2, 2), 5.0 * pi);
  EXPECT_NO_THROW(validate(model));
  EXPECT_EQ(typeOf(*body.shape)->name, "tube");
}

TEST(Shape, ThatIsNoneIsNamedInASentence) {
  Model model;
  model.bodies.resize(1);
  model.bodies[0].name = "top";
  const auto expect = [&](const Shape& shape, const std::string& sentence) {
    model.bodies[0].shape = shape;
    try {
      validate(model);
      FAIL() << "expected: " << sentence;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), sentence);
    }
  };
  expect({"sfere", {0.1}}, "body 'top' has an unknown shape 'sfere'; did you mean 'sphere'?");
  expect({"cone", {0.1}}, "body 'top' is a cone of 1 lengths; it has 2: radius, height");
  expect({"sphere", {-0.1}}, "body 'top' is a sphere with the length -0.1; it must be positive and finite");
  EXPECT_THROW(massProperties({"sfere", {0.1}}, 1.0), InputError);
}

}  // namespace polhode::shape_test
