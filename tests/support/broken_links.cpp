#include "io/broken_models.h"

namespace polhode::test {
namespace {

BrokenModel withJointType(const std::string& type, const std::string& culprit) {
  return {"joint of type " + type, goodModelWith("type = \"spherical\"", "type = \"" + type + "\""), culprit};
}

BrokenModel withJointBodies(const std::string& bodies, const std::string& culprit) {
  return {"joint between " + bodies, goodModelWith("bodies = [\"ground\", \"top\"]", "bodies = " + bodies), culprit};
}

BrokenModel withForceType(const std::string& type, const std::string& culprit) {
  return {"force of type " + type, goodModelWith("type = \"spring\"", "type = \"" + type + "\""), culprit};
}

BrokenModel withSpringBodies(const std::string& bodies, const std::string& culprit) {
  return {"spring between " + bodies, goodModelWith("bodies = [\"top\", \"ground\"]", "bodies = " + bodies), culprit};
}

BrokenModel withSpringPoints(const std::string& points, const std::string& culprit) {
  return {"spring between points " + points, goodModelWith("points = [[0, 0, 0.6], [0, 0, 2]]", "points = " + points),
          culprit};
}

BrokenModel withSpringKey(const std::string& line, const std::string& culprit) {
  return {"spring with " + line, goodModelWith("length = 0.2", line), culprit};
}

BrokenModel withSetting(const std::string& good, const std::string& bad, const std::string& culprit) {
  return {"simulation with " + bad, goodModelWith(good, bad), culprit};
}

/// A [[coupling]] with these lines.
BrokenModel withCoupling(const std::string& lines, const std::string& culprit) {
  return {"coupling with " + lines,
          goodModelWith("[simulation]", "[[coupling]]\nname = \"mesh\"\n" + lines + "\n[simulation]"), culprit};
}

/// Something put in front of [simulation].
BrokenModel withTable(const std::string& name, const std::string& table, const std::string& culprit) {
  return {name, goodModelWith("[simulation]", table + "\n[simulation]"), culprit};
}

}  // namespace

std::vector<BrokenModel> modelsWithBrokenLinks() {
  const std::string rod = "[[body]]\nname = \"rod\"\nmass = 1\ninertia = [1, 1, 0]\n";
  return {
      withCoupling("type = \"gaer\"\njoint = \"tip\"", "did you mean 'gear'"),
      withCoupling("type = \"gear\"\nratio = 2", "joints"),
      withCoupling("type = \"gear\"\njoints = [\"tip\"]\nratio = 2", "two joints"),
      withCoupling("type = \"gear\"\njoints = [\"tip\", \"tap\"]", "teeth"),
      withCoupling("type = \"gear\"\njoints = [\"tip\", \"tap\"]\nteeth = [20.5, 60]", "20.5 teeth"),
      withCoupling("type = \"gear\"\njoints = [\"tip\", \"tap\"]\nratio = 2\ninternal = true", "internal"),
      withCoupling("type = \"gear\"\njoints = [\"tip\", \"tip\"]\nratio = 2", "to itself"),
      withCoupling("type = \"gear\"\njoints = [\"top\", \"tip\"]\nratio = 2", "unknown joint 'top'"),
      withCoupling("type = \"screw\"\njoint = \"tip\"\npitch = 0.01", "a spherical joint has none"),
      withCoupling("type = \"screw\"\njoint = \"tip\"\nradius = 0.01", "'radius'"),
      withJointType("revolute", "has no 'axis'"),
      withJointType("universal", "has no 'axes'"),
      withJointType("distance", "'point', which a distance joint does not have"),
      withJointType("sperical", "did you mean 'spherical'?"),
      withJointType("hinge", "unknown type 'hinge'"),
      withJointBodies("[\"ground\", \"tpo\"]", "did you mean 'top'?"),
      withJointBodies("[\"grund\", \"top\"]", "did you mean 'ground'?"),
      withJointBodies("[\"ground\", \"pendulum\"]", "unknown body 'pendulum'"),
      withJointBodies("[\"top\", \"top\"]", "connects 'top' to itself"),
      withJointBodies("[\"ground\", \"ground\"]", "connects 'ground' to itself"),
      withJointBodies("[\"ground\"]", "the names of two bodies"),
      withJointBodies("[\"ground\", \"top\", \"top\"]", "the names of two bodies"),
      withJointBodies("[\"ground\", 1]", "bodies[1]"),
      withJointBodies("\"top\"", "the names of two bodies"),
      {"joint with an axis", goodModelWith("point = [0, 0, 0]", "point = [0, 0, 0]\naxis = [0, 0, 1]"), "axis"},
      {"joint with an axis of zero length",
       goodModelWith("type = \"spherical\"", "type = \"revolute\"\naxis = [0, 0, 0]"), "axis of zero length"},
      {"joint with a point too many",
       goodModelWith("point = [0, 0, 0]", "point = [0, 0, 0]\npoints = [[0, 0, 0], [0, 0, 0]]"),
       "both 'point' and 'points'"},
      {"joint that is open", goodModelWith("point = [0, 0, 0]", "points = [[0, 0, 0], [0, 0, 0.01]]"),
       "joint 'tip' is open at t = 0: a gap of 0.01 m"},
      {"universal joint with parallel arms",
       goodModelWith("type = \"spherical\"", "type = \"universal\"\naxes = [[0, 0, 1], [0, 0, 1]]"),
       "joint 'tip' is open at t = 0: a gap of 1.57 rad"},
      {"joint violated by the velocity", goodModelWith("velocity = [0.0, -0.5, 0.0]", "velocity = [0, -0.5, 0.1]"),
       "joint 'tip' is violated: its points part at 0.1 m/s"},
      {"joint violated by a body at rest", goodModelWith("velocity = [0.0, -0.5, 0.0]", "velocity = [0, 0, 0]"),
       "joint 'tip' is violated"},
      {"joint violated just so", goodModelWith("velocity = [0.0, -0.5, 0.0]", "velocity = [0, -0.50002, 0]"),
       "joint 'tip' is violated"},
      withTable("two joints of one name",
                rod + "[[joint]]\nname = \"tip\"\ntype = \"spherical\"\nbodies = [\"ground\", \"rod\"]\n"
                      "point = [0, 0, 0]\n",
                "joint 'tip'"),
      withTable("two joints that contradict each other",
                "[[joint]]\nname = \"top end\"\ntype = \"spherical\"\nbodies = [\"ground\", \"top\"]\n"
                "point = [0, 0, 1]\n",
                "joint 'top end' is violated"),

      withForceType("damper", "'stiffness', which a damper does not have"),
      withForceType("bushing", "'points', which a bushing does not have"),
      withForceType("load", "'bodies', which a load does not have"),
      withForceType("joint-spring", "'bodies', which a joint-spring does not have"),
      withForceType("sprnig", "did you mean 'spring'?"),
      withForceType("magnet", "unknown type 'magnet'"),
      withSpringBodies("[\"tap\", \"ground\"]", "did you mean 'top'?"),
      withSpringBodies("[\"top\", \"top\"]", "connects 'top' to itself"),
      withSpringBodies("[\"top\"]", "the names of two bodies"),
      withSpringPoints("[[0, 0, 1]]", "two points"),
      withSpringPoints("[[0, 0, 1], [0, 0]]", "points[1]"),
      withSpringPoints("[[0, 0, 1], [0, 0, nan]]", "points[1][2]"),
      withSpringPoints("[[0, 0, 1], [0, 0, 1]]", "coincide"),
      {"spring without stiffness", goodModelWith("stiffness = 100", "stiffness = 0"), "stiffness 0"},
      withSpringKey("damping = -1", "damping -1"),
      withSpringKey("law = \"x\"", "both 'stiffness' and 'law'"),
      {"law without coefficients", goodModelWith("stiffness = 100", "law = { polynomial = [] }"),
       "without coefficients"},
      {"law of one point", goodModelWith("stiffness = 100", "law = { table = [[0, 0]] }"), "fewer than two points"},
      {"law that goes back", goodModelWith("stiffness = 100", "law = { table = [[0, 0], [0, 1]] }"), "do not increase"},
      {"law without x", goodModelWith("stiffness = 100", "law = { formula = \"5*pi\" }"), "does not depend on x"},
      {"law of time", goodModelWith("stiffness = 100", "law = { formula = \"5*t\" }"), "'t' is unknown"},
      {"law of two kinds", goodModelWith("stiffness = 100", "law = { formula = \"5*x\", polynomial = [5] }"),
       "formula"},
      {"law of another kind", goodModelWith("stiffness = 100", "law = { cubic = 1 }"), "unknown key 'cubic'"},
      withSpringKey("torque = [0, 0, 1]", "'torque', which a spring does not have"),
      withSpringKey("body = \"top\"", "'body', which a spring does not have"),
      withTable("load without a force", "[[force]]\nname = \"push\"\ntype = \"load\"\nbody = \"top\"\n", "no 'force'"),
      withTable("load on an unknown body",
                "[[force]]\nname = \"push\"\ntype = \"load\"\nbody = \"tpo\"\nforce = [1, 0, 0]\n",
                "did you mean 'top'?"),
      withTable("load with a broken formula",
                "[[force]]\nname = \"push\"\ntype = \"load\"\nbody = \"top\"\nforce = [1, 0, 0]\n"
                "scale = { formula = \"sin(\" }\n",
                "force 'push': scale: formula"),
      withTable("load with a table that goes back",
                "[[force]]\nname = \"push\"\ntype = \"load\"\nbody = \"top\"\nforce = [1, 0, 0]\n"
                "scale = { table = [[1, 0], [0, 1]] }\n",
                "force 'push': scale: table"),
      withTable("spring on an unknown joint",
                "[[force]]\nname = \"coil\"\ntype = \"joint-spring\"\njoint = \"tap\"\nstiffness = 1\n",
                "did you mean 'tip'?"),
      withTable("spring on a joint without a coordinate",
                "[[force]]\nname = \"coil\"\ntype = \"joint-spring\"\njoint = \"tip\"\nstiffness = 1\n",
                "a spherical joint has no coordinate"),
      withTable("two forces of one name",
                "[[force]]\nname = \"cord\"\ntype = \"spring\"\nbodies = [\"ground\", \"top\"]\n"
                "points = [[0, 0, 1], [0, 0, 0.5]]\nstiffness = 1\n",
                "force 'cord'"),
      withTable("actuator", "[[actuator]]\nname = \"hand\"\nbody = \"top\"\n", "actuator 'hand'"),
      withTable("two actuators of one name",
                "[[actuator]]\nname = \"hand\"\nbody = \"top\"\nfollow = \"live\"\n"
                "[[actuator]]\nname = \"hand\"\nbody = \"top\"\nfollow = \"live\"\n",
                "actuator 'hand'"),
      withTable("single actuator table", "[actuator]\nname = \"hand\"\n", "[[actuator]]"),

      withSetting("projection = \"none\"", "projection = \"polr\"", "did you mean 'polar'?"),
      withSetting("projection = \"none\"", "projection = \"orthogonal\"", "unknown word 'orthogonal'"),
      withSetting("step = 0.01", "step = 0", "step must be positive"),
      withSetting("end = 2.0", "end = 0.0", "end must be positive"),
      withSetting("tolerance = 1e-9", "tolerance = 0", "tolerance must be positive"),
      withSetting("tolerance = 1e-9", "tolerance = 1.0", "tolerance must be below 1"),
      withSetting("output = { every = 0.05 }", "output = { evry = 0.05 }", "did you mean 'every'?"),
      withSetting("output = { every = 0.05 }", "output = { every = 0 }", "every must be positive"),
      withSetting("output = { every = 0.05 }", "output = { every = nan }", "every"),
      withSetting("output = { every = 0.05 }", "output = { every = \"step\" }", "every"),
      {"assemble with a word", goodModelWith("step = 0.01", "step = 0.01\nassemble = \"please\""), "assemble"},
  };
}

}  // namespace polhode::test
