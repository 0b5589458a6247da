#include "io/broken_models.h"

namespace polhode::test {
namespace {

BrokenModel withOrientation(const std::string& orientation, const std::string& culprit) {
  return {"orientation " + orientation,
          goodModelWith("orientation = { quaternion = [1, 0, 0, 0] }", "orientation = " + orientation), culprit};
}

BrokenModel withInertia(const std::string& inertia, const std::string& culprit) {
  return {"inertia " + inertia, goodModelWith("inertia = [0.1, 0.2, 0.25]", "inertia = " + inertia), culprit};
}

BrokenModel withShape(const std::string& shape, const std::string& culprit) {
  return {"shape " + shape, goodModelWith("shape = { cone = { radius = 0.05, height = 0.1 } }", "shape = " + shape),
          culprit};
}

/// The lines from `mass` to `inertia` and the shape replaced.
BrokenModel withMassProperties(const std::string& massLines, const std::string& culprit) {
  std::string text = goodModelWith("mass = 2.0\ninertia = [0.1, 0.2, 0.25]\n", massLines + "\n");
  const std::string shape = "shape = { cone = { radius = 0.05, height = 0.1 } }\n";
  text.erase(text.find(shape), shape.size());
  return {"mass properties " + massLines, text, culprit};
}

BrokenModel withBodyName(const std::string& name, const std::string& culprit) {
  return {"body name " + name, goodModelWith("name = \"top\"", "name = \"" + name + "\""), culprit};
}

}  // namespace

std::vector<BrokenModel> modelsWithBrokenBodies() {
  const std::string second = "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 1, 1]\n";
  return {
      {"mass that nothing resists",
       goodModelWith("mass = 2.0\ninertia = [0.1, 0.2, 0.25]", "mass = 0\ninertia = [0, 0, 0]"), "no inertia resists"},
      {"mass negative", goodModelWith("mass = 2.0", "mass = -1e-300"), "mass -1e-300"},
      {"mass beyond double", goodModelWith("mass = 2.0", "mass = 1e999"), ":9:"},

      withInertia("[1, 1, 2.1]", "triangle inequality"),
      withInertia("[5, 1, 1]", "triangle inequality"),
      withInertia("[1, 0, 0]", "triangle inequality"),
      withInertia("[-1, 1, 1]", "negative principal inertia"),
      withInertia("[1, 1, -1e-3]", "negative principal inertia"),
      withInertia("[[1, 0, 0], [0, 1, 0], [0, 0, 3]]", "triangle inequality"),
      withInertia("[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]", "not symmetric"),
      withInertia("[[1, 2, 0], [2, 1, 0], [0, 0, 1]]", "negative principal inertia"),
      withInertia("[[1, 0, 0], [0, 1, 0]]", "inertia"),
      withInertia("[[1, 0, 0], [0, 1, 0], [0, 0]]", "inertia[2]"),
      withInertia("[[1, 0, 0], [0, 1, 0], 1]", "inertia[2]"),
      withInertia("[[1, 0, 0], [0, nan, 0], [0, 0, 1]]", "inertia[1][1]"),
      withInertia("[1, [0, 1, 0], [0, 0, 1]]", "inertia[1]"),

      withOrientation("{ quaternion = [0, 0, 0, 0] }", "quaternion must not be zero"),
      withOrientation("{ quaternion = [1, 1, 0, 0] }", "normalise it"),
      withOrientation("{ quaternion = [1.00001, 0, 0, 0] }", "normalise it"),
      withOrientation("{ quaternion = [1, 0, 0] }", "quaternion must be an array of 4 numbers"),
      withOrientation("{ quaternion = [nan, 0, 0, 0] }", "quaternion[0]"),
      withOrientation("{ quaternion = [1e200, 0, 0, 0] }", "normalise it"),
      withOrientation("{ quaternoin = [1, 0, 0, 0] }", "did you mean 'quaternion'?"),
      withOrientation("{ axis = [0, 0, 0], degrees = 60 }", "axis must not be zero"),
      withOrientation("{ axis = [0, 0, 1] }", "no angle"),
      withOrientation("{ degrees = 60 }", "no axis"),
      withOrientation("{ radians = 1 }", "no axis"),
      withOrientation("{ axis = [0, 0, 1], degrees = 60, radians = 1 }", "'degrees' and 'radians'"),
      withOrientation("{ axis = [0, 0, 1], degree = 60 }", "did you mean 'degrees'?"),
      withOrientation("{ axis = [0, 0, 1], degrees = \"60\" }", "degrees must be a number"),
      withOrientation("{ axis = [0, 0, 1], degrees = inf }", "degrees must be a finite number"),
      withOrientation("{ axis = \"z\", degrees = 60 }", "axis"),
      withOrientation("{ quaternion = [1, 0, 0, 0], degrees = 60 }", "no axis"),
      withOrientation("{ quaternion = [1, 0, 0, 0], cardan = [0, 0, 0] }", "'quaternion' and 'cardan'"),
      withOrientation("{ euler313 = [0, 0] }", "euler313"),
      withOrientation("{ euler131 = [0, 0, 0] }", "did you mean 'euler313'?"),
      withOrientation("{ cardan = [0, 0, nan] }", "cardan[2]"),
      withOrientation("{ matrix = [1, 0, 0] }", "matrix[0]"),
      withOrientation("{ matrix = [[1, 0, 0], [0, 1, 0]] }", "three rows"),
      withOrientation("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1.001]] }", "not a rotation"),
      withOrientation("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]] }", "reflection"),
      withOrientation("{ matrix = [[0, 0, 0], [0, 0, 0], [0, 0, 0]] }", "not a rotation"),

      withShape("{ cone = { radius = 0.05 } }", "'height'"),
      withShape("{ cone = { radius = 0.05, height = -1 } }", "height must be positive"),
      withShape("{ cone = { radius = 0, height = 1 } }", "radius must be positive"),
      withShape("{ cone = { radius = 0.05, hight = 1 } }", "did you mean 'height'?"),
      withShape("{ cone = 1 }", "cone must be a table with radius and height"),
      withShape("{ con = { radius = 0.05, height = 0.1 } }", "did you mean 'cone'?"),
      withShape("{ sphere = { radius = inf } }", "radius must be a finite number"),
      withShape("{ sphere = { radius = 1 }, box = { size = [1, 1, 1] } }", "'sphere' and 'box'"),
      withShape("{ box = { size = [1, 0, 1] } }", "size must be positive"),
      withShape("{ box = { size = 1 } }", "size"),
      withShape("{ capsule = { radius = 1, height = 1 } }", "unknown key 'height'"),
      withShape("{ ellipsoid = { semi_axes = [1, 2] } }", "semi_axes"),
      withShape("{ cylinder = {} }", "'radius'"),

      withMassProperties("mass = 1", "no 'inertia'"),
      withMassProperties("inertia = [1, 1, 1]", "no 'mass'"),
      withMassProperties("density = 1000", "no shape"),
      withMassProperties("", "no 'mass'"),
      withMassProperties("shape = { sphere = { radius = 1 } }", "no 'mass'"),
      withMassProperties("mass = 1\ndensity = 1\nshape = { sphere = { radius = 1 } }", "a mass and a density"),
      withMassProperties("density = 1\ninertia = [1, 1, 1]\nshape = { sphere = { radius = 1 } }",
                         "an inertia and a density"),
      withMassProperties("density = -1\nshape = { sphere = { radius = 1 } }", "density must be positive"),
      withMassProperties("density = nan\nshape = { sphere = { radius = 1 } }", "density"),
      withMassProperties("density = 1e300\nshape = { sphere = { radius = 1e100 } }", "mass inf"),

      withBodyName("ground", "body 'ground'"),
      withBodyName("to.p", "a dot"),
      withBodyName("to=p", "an equals sign"),
      withBodyName(" top", "a space at an end"),
      withBodyName("to\\np", "control character"),
      {"two bodies of one name", goodModelWith("[[joint]]", second + "[[joint]]"), "body 'top'"},
      {"angular velocity without a frame",
       goodModelWith("angular_velocity = { body = [1.0, 0.0, 20.0] }", "angular_velocity = [1, 0, 20]"),
       "{ body = [..] } or { space = [..] }"},
      {"angular velocity in two frames",
       goodModelWith("{ body = [1.0, 0.0, 20.0] }", "{ body = [1, 0, 0], space = [1, 0, 0] }"), "'body' and 'space'"},
      {"angular velocity in an unknown frame", goodModelWith("{ body = [1.0, 0.0, 20.0] }", "{ bdy = [1, 0, 0] }"),
       "did you mean 'body'?"},
      {"angular velocity not finite", goodModelWith("{ body = [1.0, 0.0, 20.0] }", "{ body = [1, 0, -inf] }"),
       "body[2]"},
  };
}

}  // namespace polhode::test
