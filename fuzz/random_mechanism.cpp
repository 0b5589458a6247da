#include "random_mechanism.h"

#include "polhode/math/types.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fuzzer/FuzzedDataProvider.h>

namespace polhode::fuzz {
namespace {

/// Writes a model file part by part.
class Writer {
 public:
  explicit Writer(FuzzedDataProvider& bytes) : bytes_(bytes), digits_(bytes.ConsumeIntegralInRange(5, 15)) {
    const Vector3 axis = vector();
    const double length = axis.norm();
    plane_ = length > 0.1 ? Eigen::AngleAxisd(number(0.0, 3.1), axis / length).toRotationMatrix()
                          : Matrix3(Matrix3::Identity());
    size_ = std::pow(10.0, number(-2.0, 2.0));
  }

  RandomMechanism take() {
    switch (bytes_.ConsumeIntegralInRange(0, 2)) {
      case 0:
        tree();
        break;
      case 1:
        linkage();
        break;
      default:
        ring();
    }
    forces();
    simulation();
    const std::string gravity = choose({"[0, 0, -9.81]", "[0, 0, 0]", "[3, -8, 1]"});
    return {fmt::format("[model]\ngravity = {}\nassemble = {}\n", gravity, assemble_) + text_, digits_};
  }

 private:
  double number(double low, double high) { return low + (high - low) * bytes_.ConsumeIntegral<std::uint8_t>() / 255.0; }
  Vector3 vector() { return {number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0)}; }
  template <std::size_t N>
  const char* choose(const char* const (&words)[N]) {
    return words[bytes_.ConsumeIntegralInRange<std::size_t>(0, N - 1)];
  }

  std::string written(const Vector3& v) const {
    return fmt::format("[{:.{}g}, {:.{}g}, {:.{}g}]", v[0], digits_, v[1], digits_, v[2], digits_);
  }
  Vector3 inPlane(double x, double y) const { return size_ * (plane_ * Vector3(x, y, 0.0)); }

  std::string addBody(const Vector3& centre, const std::string& more = "") {
    const std::string name = fmt::format("b{}", bodies_.size());
    const Vector3 edge = size_ * Vector3(number(0.05, 1.0), number(0.05, 1.0), number(0.05, 1.0));
    const double mass = number(0.1, 5.0);
    const Vector3 square = edge.cwiseProduct(edge);
    text_ += fmt::format("[[body]]\nname = \"{}\"\nmass = {}\ninertia = [{}, {}, {}]\nposition = {}\n{}", name, mass,
                         mass / 12 * (square[1] + square[2]), mass / 12 * (square[0] + square[2]),
                         mass / 12 * (square[0] + square[1]), written(centre), more);
    if (bytes_.ConsumeBool())
      text_ += fmt::format("orientation = {{ cardan = [{:.3f}, {:.3f}, 0.5] }}\n", number(-1, 1), number(-1, 1));
    bodies_.push_back(name);
    centres_.push_back(centre);
    return name;
  }

  void addJoint(const std::string& type, const std::string& first, const std::string& second, const Vector3& point,
                const Vector3& axis, const std::string& more = "") {
    joints_.push_back({fmt::format("j{}", joints_.size()), type});
    text_ += fmt::format("[[joint]]\nname = \"{}\"\ntype = \"{}\"\nbodies = [\"{}\", \"{}\"]\n", joints_.back().name,
                         type, first, second);
    if (type == "distance")
      text_ += fmt::format("points = [{}, {}]\n", written(point), written(point + size_ * axis));
    else
      text_ += fmt::format("point = {}\n", written(point));
    if (type == "universal")
      text_ += fmt::format("axes = [{}, {}]\n", written(axis), written(orthogonal(axis)));
    else if (type != "spherical" && type != "fixed" && type != "distance")
      text_ += fmt::format("axis = {}\n", written(axis));
    text_ += more;
  }

  static Vector3 orthogonal(const Vector3& axis) { return axis.unitOrthogonal(); }

  /// A motion that begins at zero.
  std::string drive(const char* coordinate) {
    const char* formula = choose({"0.3*sin(2*t)", "t", "0.5*(1-cos(3*t))", "t^2", "0.2*max(0, t-0.05)"});
    return fmt::format("drive = {{ {} = {{ formula = \"{}\" }} }}\n", coordinate, formula);
  }

  void tree() {
    const int count = bytes_.ConsumeIntegralInRange(1, 5);
    for (int i = 0; i < count; ++i) {
      const bool moves = bytes_.ConsumeIntegralInRange(0, 3) == 0;
      assemble_ = assemble_ || moves;
      addBody(size_ * 2.0 * vector(),
              moves ? fmt::format("angular_velocity = {{ space = {} }}\n", written(5.0 * vector())) : "");
    }
    for (int i = 0; i < count; ++i) {
      const int parent = bytes_.ConsumeIntegralInRange(-1, i - 1);
      const std::string type = choose({"spherical", "revolute", "prismatic", "cylindrical", "planar", "universal",
                                       "fixed", "distance", "revolute"});
      Vector3 axis = vector();
      if (axis.norm() < 0.1) axis = Vector3(0.0, 0.6, 0.8);
      const bool driven = type == "revolute" && bytes_.ConsumeIntegralInRange(0, 3) == 0;
      addJoint(type, parent < 0 ? "ground" : bodies_[static_cast<std::size_t>(parent)],
               bodies_[static_cast<std::size_t>(i)], size_ * 2.0 * vector(), axis, driven ? drive("angle") : "");
    }
  }

  /// Links between points of a plane. A loop of three bars on the ground, then up to two dyads on what is there.
  void linkage() {
    const Vector3 normal = plane_.col(2);
    const Vector3 a0 = inPlane(0, 0), a = inPlane(number(-0.5, 0.5), number(0.1, 0.8)),
                  b = inPlane(number(0.6, 1.6), number(0.2, 1.5)), b0 = inPlane(number(0.8, 1.5), number(-0.3, 0.1));
    const bool spins = bytes_.ConsumeBool(), slides = bytes_.ConsumeIntegralInRange(0, 3) == 0;
    const std::string crank =
        addBody(0.5 * (a0 + a),
                spins ? fmt::format("angular_velocity = {{ space = {} }}\n", written(number(-9, 9) * normal)) : "");
    const std::string coupler = addBody(0.5 * (a + b)), rocker = addBody(slides ? b : 0.5 * (b + b0));
    const bool driven = !spins && bytes_.ConsumeIntegralInRange(0, 2) == 0;
    std::vector<std::pair<std::string, Vector3>> dyads;
    for (int i = bytes_.ConsumeIntegralInRange(0, 2); i > 0; --i) {
      const Vector3 c = a + number(0.1, 0.9) * (b - a) + inPlane(0, number(0.1, 0.5)), d = c + inPlane(0.3, 0.5);
      dyads.emplace_back(addBody(0.5 * (c + d)), c);
      dyads.emplace_back(addBody(0.5 * (d + inPlane(1.8, 0.2))), d);
    }
    addJoint("revolute", "ground", crank, a0, normal, driven ? drive("angle") : "");
    addJoint("revolute", crank, coupler, a, normal);
    addJoint("revolute", coupler, rocker, b, normal);
    if (slides)
      addJoint("prismatic", "ground", rocker, b, inPlane(1, number(-1, 1)).normalized());
    else
      addJoint(bytes_.ConsumeIntegralInRange(0, 3) == 0 ? "spherical" : "revolute", rocker, "ground", b0, normal);
    for (std::size_t i = 0; i + 1 < dyads.size(); i += 2) {
      addJoint("revolute", coupler, dyads[i].first, dyads[i].second, normal);
      addJoint("revolute", dyads[i].first, dyads[i + 1].first, dyads[i + 1].second, normal);
      addJoint("revolute", dyads[i + 1].first, "ground", inPlane(1.8, 0.2), normal);
    }
    assemble_ = assemble_ || spins;
  }

  /// Bars on ball joints in a ring, hung on the ground or free.
  void ring() {
    const int count = bytes_.ConsumeIntegralInRange(3, 5);
    std::vector<Vector3> corners;
    for (int i = 0; i < count; ++i) {
      const double angle = 2.0 * 3.141592653589793 * i / count;
      corners.push_back(inPlane(std::cos(angle), std::sin(angle)) + 0.3 * size_ * vector());
    }
    const auto corner = [&](int i) { return corners[static_cast<std::size_t>(i % count)]; };
    for (int i = 0; i < count; ++i) addBody(0.5 * (corner(i) + corner(i + 1)));
    for (int i = 0; i < count; ++i)
      addJoint("spherical", bodies_[static_cast<std::size_t>(i)], bodies_[static_cast<std::size_t>((i + 1) % count)],
               corner(i + 1), Vector3::UnitZ());
    if (bytes_.ConsumeBool()) addJoint("spherical", "ground", bodies_[0], corner(0), Vector3::UnitZ());
  }

  void forces() {
    const auto body = [&] { return bytes_.ConsumeIntegralInRange<std::size_t>(0, bodies_.size() - 1); };
    int count = 0;
    const auto begin = [&](const char* type) {
      text_ += fmt::format("[[force]]\nname = \"f{}\"\ntype = \"{}\"\n", count++, type);
    };
    if (bytes_.ConsumeBool()) {
      const std::size_t at = body();
      begin("spring");
      text_ += fmt::format("bodies = [\"ground\", \"{}\"]\npoints = [{}, {}]\nstiffness = {}\ndamping = {}\n",
                           bodies_[at], written(centres_[at] + size_ * Vector3(1.0, 2.0, 3.0)), written(centres_[at]),
                           std::pow(10.0, number(0, 6)), bytes_.ConsumeBool() ? number(0, 10) : 0.0);
    }
    if (bytes_.ConsumeBool()) {
      begin("load");
      text_ += fmt::format("body = \"{}\"\nforce = {}\nscale = {}\n", bodies_[body()], written(20.0 * vector()),
                           choose({"{ formula = \"sin(9*t)\" }", "{ formula = \"step(t-0.1)\" }",
                                   "{ table = [[0, 0], [0.1, 1], [0.15, 0]] }", "1"}));
    }
    for (const auto& [name, type] : joints_)
      if (type == "revolute" && bytes_.ConsumeIntegralInRange(0, 5) == 0) {
        begin("joint-damper");
        text_ += fmt::format("joint = \"{}\"\ndamping = {}\n", name, std::pow(10.0, number(-3, 3)));
      }
  }

  void simulation() {
    const char* integrator = choose(
        {"director-em", "director-em", "director-em-4", "dop853", "radau5", "bdf", "dopri5", "linear-implicit-euler"});
    const std::string name = integrator;
    text_ += fmt::format("[simulation]\nintegrator = \"{}\"\nend = {}\n", name, number(0.01, 10.0));
    const bool fixed = name.starts_with("director") || name.starts_with("linear");
    const bool chooses = name == "director-em" && bytes_.ConsumeBool();
    if (fixed && !chooses) text_ += fmt::format("step = {:.3g}\n", std::pow(10.0, number(-4.0, -0.5)));
    text_ += fmt::format("tolerance = {:.3g}\n", std::pow(10.0, number(-12.0, -1.0)));
  }

  struct Named {
    std::string name, type;
  };
  FuzzedDataProvider& bytes_;
  int digits_;
  Matrix3 plane_;
  double size_;
  bool assemble_ = false;
  std::string text_;
  std::vector<std::string> bodies_;
  std::vector<Vector3> centres_;
  std::vector<Named> joints_;
};

}  // namespace

RandomMechanism makeMechanism(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  return Writer(bytes).take();
}

}  // namespace polhode::fuzz
