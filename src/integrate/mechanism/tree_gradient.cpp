#include "integrate/mechanism/tree_gradient.h"

#include "integrate/mechanism/mechanism_state.h"
#include "math/dual.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr int atOnce = 4;
constexpr int mostDualIterations = 40;
using Number = Dual<atOnce>;

/// The number alone, or one of its derivatives.
MechanismMotion partOf(const std::vector<MotionOfScalar<Number>>& bodies, const auto& part) {
  MechanismMotion motion(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    motion[b].at.x = bodies[b].at.x.unaryExpr(part);
    motion[b].at.D = bodies[b].at.D.unaryExpr(part);
    motion[b].rate.v = bodies[b].rate.v.unaryExpr(part);
    motion[b].rate.W = bodies[b].rate.W.unaryExpr(part);
  }
  return motion;
}

}  // namespace

/// By value; for TreeKernel::correct.
static Number largestOrNaN(const Number& a, const Number& b) {
  return a.value() >= b.value() || std::isnan(a.value()) ? a : b;
}

class TreeGradient::Sweep {
 public:
  explicit Sweep(TreeParts<Number> parts) : kernel_(parts.kernel()), bodies_(std::move(parts.bodies)) {}

  /// Newton's method, until neither the turns nor their derivatives change any more.
  void step(double h) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      const auto& body = bodies_[static_cast<std::size_t>(kernel_.link(i).body)];
      kernel_.turn(i).setZero();
      for (int d = 0; d < 3; ++d)
        kernel_.turn(i) += 0.5 * h * Vector<Number, 3>(body.at.D.col(d)).cross(Vector<Number, 3>(body.rate.W.col(d)));
    }
    kernel_.begin(bodies_);
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < mostDualIterations; ++iteration) {
      kernel_.inward<TreeKernel<Number>::Matrix::made>(bodies_, h);
      double change = 0.0, size = 1e-6;  // of numbers and derivatives
      kernel_.correct(bodies_, [&](const Vector<Number, 3>& dc) -> const Vector<Number, 3>& {
        for (const Number& each : dc)
          change = std::max({change, std::abs(each.value()), each.derivative().cwiseAbs().maxCoeff()});
        return dc;
      });
      for (std::size_t i = 0; i < kernel_.size(); ++i)
        for (const Number& each : kernel_.turn(i))
          size = std::max({size, std::abs(each.value()), each.derivative().cwiseAbs().maxCoeff()});
      if (!std::isfinite(change)) break;
      if (change <= 4.0 * epsilon * size || (change < 1e-10 * size && change > 0.5 * before)) {
        kernel_.finish(bodies_, h);
        return;
      }
      before = change;
    }
    throw SimulationError(0.0, "a step does not converge on the way to its derivatives; give a smaller step");
  }

  const std::vector<MotionOfScalar<Number>>& bodies() const { return bodies_; }

 private:
  TreeKernel<Number> kernel_;
  std::vector<MotionOfScalar<Number>> bodies_;
};

TreeGradient::TreeGradient(const TreeParts<double>& parts, const std::vector<std::vector<double>>& tangents) {
  const std::vector<double> numbers = numbersOf(parts);
  for (std::size_t first = 0; first < std::max<std::size_t>(tangents.size(), 1); first += atOnce)
    sweeps_.push_back(std::make_unique<Sweep>(partsWith<Number>(parts, [&](std::size_t k) {
      Number::Derivative derivative = Number::Derivative::Zero();
      for (std::size_t d = 0; d < atOnce && first + d < tangents.size(); ++d)
        derivative[static_cast<Eigen::Index>(d)] = tangents[first + d][k];
      return Number(numbers[k], derivative);
    })));
}

TreeGradient::~TreeGradient() = default;

void TreeGradient::step(double length) {
  for (const auto& sweep : sweeps_) sweep->step(length);
}

MechanismMotion TreeGradient::motion() const {
  return partOf(sweeps_.front()->bodies(), [](const Number& each) { return each.value(); });
}

MechanismMotion TreeGradient::derivative(std::size_t k) const {
  const auto d = static_cast<Eigen::Index>(k % atOnce);
  return partOf(sweeps_[k / atOnce]->bodies(), [d](const Number& each) { return each.derivative()[d]; });
}

}  // namespace polhode
