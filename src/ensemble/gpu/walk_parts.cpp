#include "ensemble/gpu/walk_parts.h"

#include "math/spurrier_klumpp.h"
#include "system/mechanism_observation.h"

#include <algorithm>

namespace polhode::ensemble {
namespace {

/// The same for all members: who hangs on whom.
void addLinks(const WalkTree& structure, WalkParts& parts) {
  parts.links = structure.links;
  parts.forces = structure.forces;
  parts.bodyOf = structure.bodyOf;
  parts.scales = structure.scales;
  std::vector<int> children(parts.links.size(), 0);
  std::vector<bool> nextAlone(parts.links.size(), true);
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    const WalkLink& link = parts.links[i];
    parts.kind.hinges = parts.kind.hinges || link.isHinge;
    if (link.parent < 0) continue;
    const auto parent = static_cast<std::size_t>(link.parent);
    if (++children[parent] > 1 || parent + 1 != i) nextAlone[parent] = false;
  }
  for (std::size_t i = 0; i < parts.links.size(); ++i)
    if (!nextAlone[i]) parts.links[i].branch = parts.branches++;
  parts.kind.branches = parts.branches > 0;
  if (structure.needsMore()) parts.kind = {true, true, parts.kind.varied, true, true};
}

/// Numbers of each member side by side, group after group; the last member fills its group.
std::vector<double> sideBySide(const WalkParts& parts, std::span<const std::vector<double>> numbers) {
  const std::size_t count = numbers.front().size(), lanes = static_cast<std::size_t>(walkWidth);
  std::vector<double> all(static_cast<std::size_t>(parts.groups()) * lanes * count);
  for (std::size_t slot = 0; slot < static_cast<std::size_t>(parts.groups()) * lanes; ++slot) {
    const std::vector<double>& own = numbers[std::min(slot, numbers.size() - 1)];
    for (std::size_t k = 0; k < count; ++k) all[(slot / lanes * count + k) * lanes + slot % lanes] = own[k];
  }
  return all;
}

}  // namespace

WalkMemory WalkParts::memory() const {
  WalkMemory memory;
  memory.links = static_cast<int>(links.size());
  memory.link = links.data();
  memory.gravity = gravity.data();
  memory.parameters = parameters.data();
  memory.branchCount = branches;
  memory.force = forces.data();
  memory.forces = static_cast<int>(forces.size());
  memory.forceNumbers = forceNumbers.data();
  return memory;
}

std::vector<double> WalkParts::scalesFrom(double time, double h, std::int64_t steps) const {
  std::vector<double> all;
  for (std::int64_t i = 0; i < steps && !scales.empty(); ++i)
    for (const auto& scale : scales) all.push_back(scale(time + (static_cast<double>(i) + 0.5) * h));
  return all;
}

WalkParts walkParts(std::span<const WalkTree> trees, std::span<const std::shared_ptr<const Mechanism>> members) {
  WalkParts parts;
  parts.members = static_cast<std::int64_t>(trees.size());
  std::vector<std::vector<double>> numbers, forceNumbers, gravity, moving;
  for (const WalkTree& tree : trees) {
    numbers.push_back(tree.numbers);
    forceNumbers.push_back(tree.forceNumbers);
    gravity.emplace_back(tree.gravity.begin(), tree.gravity.end());
    parts.kind.varied = parts.kind.varied || numbers.back() != numbers.front() || gravity.back() != gravity.front() ||
                        forceNumbers.back() != forceNumbers.front();
  }
  addLinks(trees.front(), parts);
  for (const WalkTree& tree : trees)
    if (parts.carried.empty() || (parts.kind.varied && parts.kind.more)) parts.carried.push_back(tree.bodies);
  parts.parameters = parts.kind.varied ? sideBySide(parts, numbers) : numbers.front();
  parts.forceNumbers = parts.kind.varied ? sideBySide(parts, forceNumbers) : forceNumbers.front();
  parts.gravity = parts.kind.varied ? sideBySide(parts, gravity) : gravity.front();
  for (std::size_t m = 0; m < members.size(); ++m)
    moving.push_back(walkedNumbers(parts, static_cast<std::int64_t>(m), initialMotion(*members[m])));
  parts.bodies = sideBySide(parts, moving);
  return parts;
}

WalkParts walkParts(std::span<const std::shared_ptr<const Mechanism>> members) {
  std::vector<WalkTree> trees;
  for (const auto& member : members) trees.push_back(walkTree(*member));
  return walkParts(trees, members);
}

std::vector<double> walkedNumbers(const WalkParts& parts, std::int64_t member, const MechanismMotion& motion) {
  const std::size_t count = static_cast<std::size_t>(numbersOfBody(parts.kind));
  std::vector<double> numbers(parts.links.size() * count);
  MechanismMotion whole(parts.links.size());  // of links
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    MovingPlacement& link = whole[i];
    link = motion[parts.bodyOf[i]];
    if (const WalkBody& in = parts.bodiesOf(member)[parts.bodyOf[i]]; !in.isLinkItself()) {
      link.at.D *= in.axes.transpose(), link.rate.W *= in.axes.transpose();
      link.at.x -= link.at.D * in.centre, link.rate.v -= link.rate.W * in.centre;
    }
    const auto put = [&](int first, const auto& values) {
      for (Eigen::Index k = 0; k < values.size(); ++k)
        numbers[i * count + static_cast<std::size_t>(first + k)] = values.data()[k];
    };
    put(of_body::attitude, unitQuaternionFromRotation(link.at.D));
    put(of_body::rates, link.rate.W);
    put(of_body::velocity, link.rate.v);
    if (parts.kind.more) put(of_body::centre, link.at.x);
    if (!parts.links[i].isSlide) continue;
    const auto number = [&](int k) { return parts.number3(member, i, static_cast<std::size_t>(k)); };
    const int p = parts.links[i].parent;
    const Placement parent = p < 0 ? Placement{} : whole[static_cast<std::size_t>(p)].at;
    numbers[i * count + of_body::slid] =
        (parent.D * number(of_link::axis))
            .dot(link.at.point(number(of_link::arm)) - parent.point(number(of_link::parentArm)));
  }
  return numbers;
}

namespace {

/// What the walk does not know of the energy: that of bodies in the ground, of springs in bodies that are one.
double energyBeyond(const WalkParts& parts, const Mechanism& mechanism, std::int64_t member) {
  if (!parts.kind.more) return 0.0;
  WalkMemory memory = parts.memory();
  memory.bodies = const_cast<double*>(parts.bodies.data());  // only read here
  const MechanismMotion motion = initialMotion(mechanism);
  double energy = kineticEnergy(mechanism, motion) + potentialEnergy(mechanism, motion);
  withKind(parts.kind, [&](auto kind) {
    if constexpr (decltype(kind)::value.more)
      energy -= TreeWalk<decltype(kind)::value>(memory, member, nullptr, 1).energy();
  });
  return energy;
}

}  // namespace

WatchParts watchParts(const WalkParts& parts, std::span<const std::shared_ptr<const Mechanism>> members,
                      std::span<const Watched> watched) {
  WatchParts all;
  for (const Watched& each : watched)
    all.watches.push_back({each.quantity, std::max(0, parts.bodiesOf(0)[each.body].link), each.component});
  all.numbers.resize(static_cast<std::size_t>(parts.groups()) * walkWidth * watched.size() * numbersOfWatch);
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto member = static_cast<std::int64_t>(m);
    for (std::size_t w = 0; w < watched.size(); ++w) {
      const MechanismBody& body = members[m]->bodies()[watched[w].body];
      Vector3 numbers = parts.bodiesOf(member)[watched[w].body].centre;
      if (watched[w].quantity == WatchedQuantity::angularVelocity)
        numbers = body.axes.row(watched[w].component).transpose().cwiseQuotient(body.inertia);
      if (watched[w].quantity == WatchedQuantity::energy)
        numbers = Vector3(energyBeyond(parts, *members[m], member), 0.0, 0.0);
      for (std::size_t k = 0; k < 3; ++k)
        all.numbers[all.place(member, w, numbersOfWatch, k)] = numbers[static_cast<Eigen::Index>(k)];
    }
  }
  return all;
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
  MechanismMotion whole(parts.links.size());
  withKind(parts.kind, [&](auto kind) {
    const TreeWalk<decltype(kind)::value> walk(memory, member, nullptr, 1);
    walk.visitCentres([&](int i, const Vector3& centre) {
      MovingPlacement& link = whole[static_cast<std::size_t>(i)];
      link.at.x = centre, link.at.D = walk.directors(i);
      link.rate.v = walk.velocity(i), link.rate.W = walk.rates(i);
    });
  });
  const auto carried = parts.bodiesOf(member);
  MechanismMotion motion(carried.size());
  for (std::size_t b = 0; b < carried.size(); ++b) {
    const WalkBody& in = carried[b];
    MovingPlacement& body = motion[b];
    if (in.link >= 0) {
      body = whole[static_cast<std::size_t>(in.link)];
    } else {
      body.rate.v.setZero(), body.rate.W.setZero();
    }
    if (in.isLinkItself()) continue;
    body.at.x += body.at.D * in.centre, body.rate.v += body.rate.W * in.centre;
    body.at.D *= in.axes, body.rate.W *= in.axes;
  }
  return motion;
}

}  // namespace polhode::ensemble
