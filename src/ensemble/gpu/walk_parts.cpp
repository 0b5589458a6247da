#include "ensemble/gpu/walk_parts.h"

#include "integrate/mechanism/tree_parts.h"
#include "math/spurrier_klumpp.h"

#include <algorithm>

namespace polhode::ensemble {
namespace {

/// The numbers of one member, as of_link has them.
std::vector<double> walkParameters(const TreeParts<double>& parts) {
  std::vector<double> numbers;
  const auto add = [&](const Vector3& v) { numbers.insert(numbers.end(), v.begin(), v.end()); };
  for (const TreeLink<double>& link : parts.links) {
    add(link.arm), add(link.parentArm), add(link.secondMoments);
    numbers.push_back(link.mass);
    HingeAxes<double> axes{Vector3::Zero(), {Vector3::Zero(), Vector3::Zero()}, false};
    if (link.isHinge) axes = parts.hingeAxes[static_cast<std::size_t>(link.joint)];
    add(axes.axis), add(axes.normal[0]), add(axes.normal[1]);
  }
  return numbers;
}

/// The same for all members: who hangs on whom.
void addLinks(const TreeParts<double>& structure, WalkParts& parts) {
  const auto ground = static_cast<int>(structure.links.size());
  std::vector<int> children(structure.links.size(), 0);
  std::vector<bool> nextAlone(structure.links.size(), true);
  for (std::size_t i = 0; i < structure.links.size(); ++i) {
    const TreeLink<double>& from = structure.links[i];
    WalkLink& link = parts.links.emplace_back();
    link.parent = from.parent == ground ? -1 : from.parent;
    link.isHinge = from.isHinge;
    link.bodyCarriesAxis = from.isHinge && structure.hingeAxes[static_cast<std::size_t>(from.joint)].bodyCarriesAxis;
    parts.kind.hinges = parts.kind.hinges || from.isHinge;
    parts.bodyOf.push_back(static_cast<std::size_t>(from.body));
    if (link.parent < 0) continue;
    const auto parent = static_cast<std::size_t>(link.parent);
    if (++children[parent] > 1 || parent + 1 != i) nextAlone[parent] = false;
  }
  for (std::size_t i = 0; i < parts.links.size(); ++i)
    if (!nextAlone[i]) parts.links[i].branch = parts.branches++;
  parts.kind.branches = parts.branches > 0;
}

}  // namespace

WalkMemory WalkParts::memory() const {
  WalkMemory memory;
  memory.links = static_cast<int>(links.size());
  memory.link = links.data();
  memory.gravity = gravity.data();
  memory.parameters = parameters.data();
  memory.branchCount = branches;
  return memory;
}

WalkParts walkParts(std::span<const std::shared_ptr<const Mechanism>> members) {
  WalkParts parts;
  parts.members = static_cast<std::int64_t>(members.size());
  std::vector<TreeParts<double>> trees;
  std::vector<std::vector<double>> numbers;
  for (const auto& member : members) {
    trees.push_back(treeParts(*member));
    numbers.push_back(walkParameters(trees.back()));
    parts.kind.varied =
        parts.kind.varied || numbers.back() != numbers.front() || trees.back().gravity != trees.front().gravity;
  }
  addLinks(trees.front(), parts);

  const auto lanes = static_cast<std::size_t>(walkWidth), groups = static_cast<std::size_t>(parts.groups());
  const std::size_t links = parts.links.size();
  parts.bodies.resize(groups * links * of_body::count * lanes);
  parts.parameters = numbers.front();
  parts.gravity.assign(trees.front().gravity.begin(), trees.front().gravity.end());
  if (parts.kind.varied) {
    parts.parameters.assign(groups * links * of_link::count * lanes, 0.0);
    parts.gravity.assign(groups * 3 * lanes, 0.0);
  }
  for (std::size_t slot = 0; slot < groups * lanes; ++slot) {
    const std::size_t m = std::min(slot, members.size() - 1);  // the last member fills the group
    const std::size_t group = slot / lanes, lane = slot % lanes;
    for (std::size_t k = 0; parts.kind.varied && k < numbers[m].size(); ++k)
      parts.parameters[(group * numbers[m].size() + k) * lanes + lane] = numbers[m][k];
    for (std::size_t k = 0; parts.kind.varied && k < 3; ++k)
      parts.gravity[(group * 3 + k) * lanes + lane] = trees[m].gravity[static_cast<Eigen::Index>(k)];
    const std::vector<double> moving = walkedNumbers(parts, trees[m].bodies);
    for (std::size_t k = 0; k < moving.size(); ++k)
      parts.bodies[parts.place(static_cast<std::int64_t>(slot), k / of_body::count, of_body::count,
                               k % of_body::count)] = moving[k];
  }
  return parts;
}

std::vector<double> walkedNumbers(const WalkParts& parts, const MechanismMotion& motion) {
  std::vector<double> numbers(parts.links.size() * of_body::count);
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    const MovingPlacement& body = motion[parts.bodyOf[i]];
    const auto put = [&](int first, const auto& values) {
      for (Eigen::Index k = 0; k < values.size(); ++k)
        numbers[i * of_body::count + static_cast<std::size_t>(first + k)] = values.data()[k];
    };
    put(of_body::attitude, unitQuaternionFromRotation(body.at.D));
    put(of_body::rates, body.rate.W);
    put(of_body::velocity, body.rate.v);
  }
  return numbers;
}

std::vector<double> walkedLoads(const WalkParts& parts, std::span<const double> forces,
                                std::span<const double> torques) {
  const auto lanes = static_cast<std::size_t>(walkWidth), members = static_cast<std::size_t>(parts.members);
  std::vector<double> loads(static_cast<std::size_t>(parts.groups()) * numbersOfLoad * lanes);
  for (std::size_t m = 0; m < members; ++m)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t first = (m / lanes) * numbersOfLoad * lanes + m % lanes;
      if (!forces.empty()) loads[first + k * lanes] = forces[3 * m + k];
      if (!torques.empty()) loads[first + (3 + k) * lanes] = torques[3 * m + k];
    }
  return loads;
}

MechanismMotion walkedMotion(const WalkParts& parts, std::span<const double> bodies, std::int64_t member) {
  WalkMemory memory = parts.memory();
  memory.bodies = const_cast<double*>(bodies.data());  // only read here
  MechanismMotion motion(parts.links.size());
  withKind(parts.kind, [&](auto kind) {
    const TreeWalk<decltype(kind)::value> walk(memory, member, nullptr, 1);
    walk.visitCentres([&](int i, const Vector3& centre) {
      MovingPlacement& body = motion[parts.bodyOf[static_cast<std::size_t>(i)]];
      body.at.x = centre, body.at.D = walk.directors(i);
      body.rate.v = walk.velocity(i), body.rate.W = walk.rates(i);
    });
  });
  return motion;
}

}  // namespace polhode::ensemble
