#include "integrate/mechanism/gauss_engine.h"
#include "math/largest.h"

#include <cmath>
#include <tuple>

/// Iterations by one real system a stage, with inertia and joints alone (stage_tree.h): for motion that is not stiff.
namespace polhode {

/// Room for the systems, with the rows of loops that repeat no others. Rows that are left out pull with nothing.
void GaussEngine::settleTrees() {
  std::vector<BorderPart> parts;
  unknownOf_.assign(static_cast<std::size_t>(mechanism_.rows()), -1);
  int unknowns = 0;
  for (const int j : mechanism_.topology().cutJoints) {
    const MechanismJoint& joint = mechanism_.joints()[static_cast<std::size_t>(j)];
    BorderPart part = border_.parts[static_cast<std::size_t>(border_.ofJoint[static_cast<std::size_t>(j)])];
    part.size = 0;
    for (int row = joint.firstRow; row < joint.firstRow + joint.rows(); ++row)
      if (!redundancy_.contains(row)) unknownOf_[static_cast<std::size_t>(row)] = unknowns + part.size++;
    unknowns += part.size;
    if (part.size > 0) parts.push_back(part);
  }
  trees_.clear();
  if (unknowns <= StageTree::largestBorder)
    trees_.assign(static_cast<std::size_t>(stages::filled(stages_) / stages::lanes),
                  StageTree(mechanism_, nodeOf_, parts));
}

/// Inertia and joints as they are at the stages; false where no inertia resists some motion.
bool GaussEngine::formStages() {
  using namespace stages;
  bool regular = true;
  for (std::size_t block = 0; block < trees_.size(); ++block) {
    StageTree& tree = trees_[block];
    tree.clearBorder();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const MechanismBody& body = mechanism_.bodies()[b];
      StageTree::Node& node = tree.node(nodeOf_[b]);
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j <= i; ++j) node.A[i][j] = 0.0;
      for (int i = 0; i < 3; ++i) {
        node.A[i][i] = body.mass;
        node.A[3 + i][3 + i] = body.secondMoments.sum() - body.secondMoments[i];
      }
    }
    for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
      const int begin = static_cast<int>(block) * lanes;
      const std::size_t rows = mechanism_.joints()[j].equations.size();
      const bool isBall = ballRows(j) == rows && childOf_[j] >= 0;
      isBall ? formBallAt(begin, j, tree) : formJointAt(begin, j, tree);
    }
    regular = tree.factorise() && regular;
  }
  return regular;
}

/// A ball joint of the tree: turns of a body along its own axes move the point by them and the rows of D.
void GaussEngine::formBallAt(int begin, std::size_t j, StageTree& tree) {
  using namespace stages;
  const MechanismJoint& joint = mechanism_.joints()[j];
  const Form& form = joint.equations.front().form;
  StageTree::Node& node = tree.node(childOf_[j]);
  const auto hold = [&](int body, const Vector3& point, double sign) {
    if (body < 0) return;
    auto& into = nodeOf_[static_cast<std::size_t>(body)] == childOf_[j] ? node.G : node.above;
    const Vec arm = inAllLanes(Vector3(sign * point));
    const Mat D = matrixAt(bodies_[static_cast<std::size_t>(body)].place.row(3).data(), begin);
    for (int row = 0; row < 3; ++row) {
      const Vec turning = arm.cross(Vec(D.row(row)));
      for (int i = 0; i < 3; ++i) {
        into[row][i] = i == row ? sign : 0.0;
        into[row][3 + i] = turning[i];
      }
    }
  };
  hold(joint.first, form.firstPoint, -1.0);
  hold(joint.second, form.secondPoint, 1.0);
}

void GaussEngine::formJointAt(int begin, std::size_t j, StageTree& tree) {
  using namespace stages;
  const MechanismJoint& joint = mechanism_.joints()[j];
  const int origin = joint.first >= 0 ? joint.first : joint.second, child = childOf_[j];
  const MovingBody first = atStages(begin, joint.first, origin), second = atStages(begin, joint.second, origin);
  forRowsOf(
      joint.equations, drives_.of(j), begin, first, second,
      [&](int row, const Gradient& gradient) {
        const int unknown = unknownOf_[static_cast<std::size_t>(joint.firstRow + row)];
        if (child < 0 && unknown < 0) return;
        const auto pull = [&](int body, const End& end, const Mat& D) {
          if (body < 0) return;
          Lane* into = nullptr;
          if (child >= 0) {
            StageTree::Node& node = tree.node(child);
            into = nodeOf_[static_cast<std::size_t>(body)] == child ? node.G[row] : node.above[row];
          } else {
            into = tree.borderRow(nodeOf_[static_cast<std::size_t>(body)], unknown);
          }
          const Vec turning = D.transpose() * end.onRotation();  // along the axes of the body
          for (int i = 0; i < 3; ++i) {
            into[i] = end.onPosition[i];
            into[3 + i] = turning[i];
          }
        };
        pull(joint.first, gradient.first, first.D);
        pull(joint.second, gradient.second, second.D);
      },
      [](int, const Arm&) {});
}

/// Corrections of all stages: first those of the slopes and multipliers, from which the others follow.
void GaussEngine::solveStages(double h) {
  using namespace stages;
  const int rows = mechanism_.rows();
  multiply(1.0 / h, residuals_.row(0).data() + firstMultiplier() * columns, rows, throughInverse_, stages_,
           rowSlopes_.data());
  for (std::size_t block = 0; block < trees_.size(); ++block) {
    StageTree& tree = trees_[block];
    const int begin = static_cast<int>(block) * lanes;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      StageTree::Node& node = tree.node(nodeOf_[b]);
      for (int i = 0; i < 6; ++i) node.f[i] = -Lane::from(&residuals_(6 * static_cast<int>(b) + i, begin));
    }
    for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
      const MechanismJoint& joint = mechanism_.joints()[j];
      const int child = childOf_[j];
      for (int row = 0; row < joint.rows(); ++row) {
        const Lane right = -Lane::from(&rowSlopes_(joint.firstRow + row, begin));
        const int unknown = unknownOf_[static_cast<std::size_t>(joint.firstRow + row)];
        if (child >= 0)
          tree.node(child).g[row] = right;
        else if (unknown >= 0)
          tree.right(unknown) = right;
      }
    }
    tree.solve();

    for (std::size_t b = 0; b < bodies_.size(); ++b)
      for (int i = 0; i < 6; ++i) tree.node(nodeOf_[b]).z[i].to(&slopes_(6 * static_cast<int>(b) + i, begin));
    for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
      const MechanismJoint& joint = mechanism_.joints()[j];
      const int child = childOf_[j];
      for (int row = 0; row < joint.rows(); ++row) {
        const int unknown = unknownOf_[static_cast<std::size_t>(joint.firstRow + row)];
        Lane change = 0.0;
        if (child >= 0)
          change = tree.node(child).l[row];
        else if (unknown >= 0)
          change = tree.solution(unknown);
        change.to(&changes_(firstMultiplier() + joint.firstRow + row, begin));
      }
    }
  }
  multiply(h, slopes_.data(), firstMultiplier(), throughA_, stages_, changes_.data());
  for (int b = 0; b < static_cast<int>(bodies_.size()); ++b)
    multiply(h, changes_.row(6 * b + 3).data(), 3, throughA_, stages_, turns_.row(3 * b).data());
}

/// Takes the corrections over, of which modes do not tell the slopes; how large the largest is over the step, as an angle or relative to the mechanism's size.
double GaussEngine::takeChanges(double h, bool byModes) {
  using namespace stages;
  Lane moves = 0.0, turnsBy = 0.0;  // squared
  for (int b = 0; b < static_cast<int>(bodies_.size()); ++b)
    for (int first = 0; first < filled(stages_); first += lanes) {
      BodyStages& body = bodies_[static_cast<std::size_t>(b)];
      const Mat D = matrixAt(body.place.row(3).data(), first);
      const Vec faster = vectorAt(changes_.row(6 * b).data(), first),
                spin = vectorAt(changes_.row(6 * b + 3).data(), first);
      const Vec turn = D * vectorAt(turns_.row(3 * b).data(), first);
      add(faster, body.twist.data(), first);
      if (!byModes) add(Lane(h) * vectorAt(slopes_.row(6 * b).data(), first), body.slope.data(), first);
      add(D * spin, body.twist.row(3).data(), first);
      for (int k = 0; k < 3; ++k) add(turn.cross(Vec(D.col(k))), body.displacement.row(3 + 3 * k).data(), first);
      moves = largestOrNaN(moves, faster.dot(faster));
      turnsBy = largestOrNaN(turnsBy, spin.dot(spin));
    }
  for (Eigen::Index row = 0; row < multipliers_.rows(); ++row)
    for (int first = 0; first < filled(stages_); first += lanes)
      (Lane::from(&multipliers_(row, first)) + Lane::from(&changes_(firstMultiplier() + row, first)))
          .to(&multipliers_(row, first));
  return largestOverStep(moves, turnsBy, h);
}

/// Of squared rates at the stages: by how much the largest moves something over the step, as an angle or relative to the size.
double GaussEngine::largestOverStep(stages::Lane moves, stages::Lane turns, double h) const {
  double v = 0.0, omega = 0.0;
  for (int lane = 0; lane < stages::lanes; ++lane) {
    v = largestOrNaN(v, moves[lane]);
    omega = largestOrNaN(omega, turns[lane]);
  }
  return std::abs(h) * largestOrNaN(std::sqrt(v) / size_, std::sqrt(omega));
}

}  // namespace polhode
