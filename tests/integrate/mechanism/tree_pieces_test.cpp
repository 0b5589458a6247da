#include "integrate/mechanism/tree_pieces.h"

#include "integrate/mechanism/director_engine.h"
#include "support/mechanisms.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

/// Large mechanisms in pieces: what they are made of, and that steps have the same bits for any number of threads.
namespace polhode::tree_pieces_test {
namespace {

using namespace test;

/// A tree in which each node has so many children.
std::vector<int> evenTree(int nodes, int children) {
  std::vector<int> parent;
  for (int i = 0; i < nodes; ++i) parent.push_back(i == 0 ? nodes : (i - 1) / children);
  return parent;
}

/// So many chains side by side.
std::vector<int> chains(int count, int length) {
  std::vector<int> parent;
  for (int i = 0; i < count * length; ++i) parent.push_back(i < count ? count * length : i - count);
  return parent;
}

/// A spine whose nodes carry a short chain each.
std::vector<int> comb(int spine, int tooth) {
  std::vector<int> parent;
  for (int i = 0; i < spine; ++i) parent.push_back(i == 0 ? spine * (1 + tooth) : i - 1);
  for (int i = 0; i < spine; ++i)
    for (int k = 0; k < tooth; ++k) parent.push_back(k == 0 ? i : static_cast<int>(parent.size()) - 1);
  return parent;
}

/// Each node once, behind its parent, no branch in two pieces, and the trunk in front of all.
void expectSound(const TreePieces& pieces, const std::vector<int>& parent) {
  std::vector<int> place(parent.size(), -1);
  for (std::size_t i = 0; i < pieces.order.size(); ++i)
    place[static_cast<std::size_t>(pieces.order[i])] = static_cast<int>(i);
  std::vector<int> pieceOf(parent.size(), -1);
  std::size_t end = 0;
  for (std::size_t k = 0; k < pieces.pieces.size(); ++k) {
    const TreePieces::Piece& piece = pieces.pieces[k];
    EXPECT_EQ(piece.begin, end);
    EXPECT_EQ(piece.isBranch, k >= pieces.firstBranch);
    for (std::size_t i = piece.begin; i < piece.end; ++i) pieceOf[i] = static_cast<int>(k);
    end = piece.end;
  }
  EXPECT_EQ(end, parent.size());
  for (std::size_t node = 0; node < parent.size(); ++node) {
    ASSERT_GE(place[node], 0);
    if (static_cast<std::size_t>(parent[node]) == parent.size()) continue;
    const auto own = static_cast<std::size_t>(place[node]);
    const auto before = static_cast<std::size_t>(place[static_cast<std::size_t>(parent[node])]);
    EXPECT_LT(before, own);
    if (before >= pieces.trunk) {
      EXPECT_EQ(pieceOf[before], pieceOf[own]);
    }
  }
}

TEST(TreePieces, OfEvenTreesHaveAShortTrunk) {
  for (const int children : {2, 3, 7}) {
    const std::vector<int> parent = evenTree(4096, children);
    const TreePieces pieces = TreePieces::of(parent);
    expectSound(pieces, parent);
    EXPECT_LT(pieces.longestWay(), 400u) << children;
  }
}

TEST(TreePieces, AreTheChainsOfAFewChains) {
  const std::vector<int> parent = chains(3, 500);
  const TreePieces pieces = TreePieces::of(parent);
  expectSound(pieces, parent);
  EXPECT_EQ(pieces.trunk, 0u);
  EXPECT_EQ(pieces.pieces.size(), 3u);
}

TEST(TreePieces, BundleShortBranches) {
  const std::vector<int> parent = comb(200, 20);
  const TreePieces pieces = TreePieces::of(parent);
  expectSound(pieces, parent);
  EXPECT_LE(pieces.trunk, 200u);
  EXPECT_LE(pieces.pieces.size(), 50u);
  EXPECT_LT(pieces.longestWay(), 400u);
}

/// A chain of so many nodes, at whose end two as long as that hang.
std::vector<int> fork(int length) {
  std::vector<int> parent;
  for (int i = 0; i < 3 * length; ++i)
    parent.push_back(i == 0 ? 3 * length : i < length + 2 ? std::min(i, length) - 1 : i - 2);
  return parent;
}

TEST(TreePieces, OfAForkAreItsProngsAndRangesOfItsShaft) {
  const std::vector<int> parent = fork(500);
  const TreePieces pieces = TreePieces::of(parent);
  expectSound(pieces, parent);
  EXPECT_EQ(pieces.trunk, 500u);
  EXPECT_EQ(pieces.longestWay(), 1000u);
  EXPECT_GT(pieces.firstBranch, 4u);
}

TEST(TreePieces, LeaveChainsWhole) {
  EXPECT_EQ(TreePieces::of(chains(1, 5000)).pieces.size(), 1u);
}

TEST(TreePieces, LeaveSmallTreesWhole) {
  EXPECT_EQ(TreePieces::of(evenTree(1000, 2)).pieces.size(), 1u);
}

TEST(TreePieces, BeginBranchesOnlyWhereTheyMay) {
  const std::vector<int> parent = evenTree(4096, 2);
  std::vector<bool> mayBeRoot(parent.size());
  for (std::size_t i = 0; i < parent.size(); ++i) mayBeRoot[i] = i % 3 == 0;
  const TreePieces pieces = TreePieces::of(parent, mayBeRoot);
  expectSound(pieces, parent);
  EXPECT_LT(pieces.longestWay(), 1000u);
  for (std::size_t i = pieces.trunk; i < pieces.order.size(); ++i) {
    const auto node = static_cast<std::size_t>(pieces.order[i]), above = static_cast<std::size_t>(parent[node]);
    const auto place = static_cast<std::size_t>(
        std::find(pieces.order.begin(), pieces.order.end(), static_cast<int>(above)) - pieces.order.begin());
    if (above == parent.size() || place < pieces.trunk) {
      EXPECT_TRUE(mayBeRoot[node]);
    }
  }
}

Joint jointOf(const std::string& type, const std::string& first, const std::string& second, const Vector3& point) {
  Joint joint;
  joint.name = first + "-" + second;
  joint.type = type;
  joint.first = first;
  joint.second = second;
  joint.point = point;
  joint.axis = Vector3(0.3, 1.0, 0.1);
  return joint;
}

/// Rods on ball joints and hinges, each behind its parent.
Model rodsAlong(const std::vector<int>& parents) {
  Model model;
  model.gravity = Vector3(1.0, 2.0, -9.0);
  const auto name = [](std::size_t i) { return "rod" + std::to_string(i); };
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const auto parent = static_cast<std::size_t>(parents[i]);
    const bool isFirst = parent == parents.size();
    const Vector3 from =
        isFirst ? Vector3(Vector3::Zero()) : Vector3(model.bodies[parent].position + Vector3(0.5, 0.0, 0.0));
    Body rod;
    rod.name = name(i);
    rod.mass = 1.0 + 0.1 * static_cast<double>(i % 7);
    rod.inertia = Vector3(0.02, 0.09, 0.08).asDiagonal();
    rod.position = from + Vector3(0.5, 0.0, 0.0);
    model.bodies.push_back(rod);
    model.joints.push_back(
        jointOf(i % 3 == 0 ? "revolute" : "spherical", isFirst ? "ground" : name(parent), rod.name, from));
  }
  return model;
}

/// Rows of rings that hang from the ground side by side: loops, none of which leaves its row.
Model rowsOfRings(int rows, int ringsInRow) {
  Model model;
  for (int row = 0; row < rows; ++row) {
    const Model one = rings(ringsInRow);
    const auto renamed = [&](const std::string& name) {
      return name == "ground" ? name : "row" + std::to_string(row) + name;
    };
    for (Body body : one.bodies) {
      body.name = renamed(body.name);
      body.position.z() += row;
      model.bodies.push_back(body);
    }
    for (Joint joint : one.joints) {
      joint.name = renamed(joint.name);
      joint.first = renamed(joint.first);
      joint.second = renamed(joint.second);
      joint.point.z() += row;
      model.joints.push_back(joint);
    }
  }
  model.gravity = Vector3(0.5, 1.0, -9.0);
  return model;
}

struct Case {
  const char* name;
  Model model;
  int steps;
};

std::vector<Case> cases() {
  return {{"a tree", rodsAlong(evenTree(2500, 2)), 150},
          {"a comb", rodsAlong(comb(100, 10)), 100},
          {"a fork", rodsAlong(fork(400)), 60},
          {"loops in branches", rowsOfRings(12, 25), 60}};
}

bool sameBits(const MechanismState& a, const MechanismState& b) {
  return std::memcmp(a.bodies.data(), b.bodies.data(), a.bodies.size() * sizeof(MovingPlacement)) == 0 &&
         std::memcmp(a.multipliers.data(), b.multipliers.data(),
                     sizeof(double) * static_cast<std::size_t>(a.multipliers.size())) == 0;
}

TEST(StepsInPieces, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const Case& each : cases()) {
    const Mechanism mechanism(each.model);
    DirectorEngine alone(mechanism);
    MechanismState reference = alone.start();
    for (int i = 0; i < each.steps; ++i) ASSERT_TRUE(alone.step(reference, 1e-3).converged) << each.name;
    for (const int threads : {2, 3, 5}) {
      DirectorEngine engine(mechanism);
      engine.workWith(threads);
      EXPECT_EQ(engine.threads(), threads) << each.name;
      MechanismState state = engine.start();
      for (int i = 0; i < each.steps; ++i) engine.step(state, 1e-3);
      EXPECT_TRUE(sameBits(state, reference)) << each.name << " with " << threads << " threads";
    }
  }
}

double farthest(const MechanismState& a, const MechanismState& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i)
    most = std::max({most, (a.bodies[i].at.x - b.bodies[i].at.x).norm(), (a.bodies[i].at.D - b.bodies[i].at.D).norm()});
  return most;
}

/// The order of the sums is another one, and nothing else.
TEST(StepsInPieces, AreThoseOfTheWholeTree) {
  const int steps = 20;
  {
    const Mechanism mechanism(rodsAlong(evenTree(3000, 2)));
    HingeTree inPieces(mechanism, 1), whole(mechanism, 1, TreePieces::whole(mechanism.bodies().size()));
    EXPECT_GT(inPieces.pieces(), 8u);
    MechanismState a = startOf(mechanism), b = a;
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(inPieces.step(a, 1e-3, 0).converged);
      ASSERT_TRUE(whole.step(b, 1e-3, 0).converged);
    }
    EXPECT_LT(farthest(a, b), 1e-11);
  }
  const Mechanism mechanism(rowsOfRings(12, 40));
  LoopTree inPieces(mechanism, 1), whole(mechanism, 1, TreePieces::whole(mechanism.bodies().size()));
  EXPECT_GT(inPieces.pieces(), 8u);
  MechanismState a = startOf(mechanism), b = a;
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(inPieces.step(a, 1e-3, 0, {}).converged);
    ASSERT_TRUE(whole.step(b, 1e-3, 0, {}).converged);
  }
  EXPECT_LT(farthest(a, b), 1e-10);
}

TEST(StepsInPieces, StartNoThreadsWhereThereIsNothingToShare) {
  for (const Model& model : {ballChain(100), ballChain(1100), ladder(350)}) {
    const Mechanism mechanism(model);
    DirectorEngine engine(mechanism);
    engine.workWith(8);
    EXPECT_EQ(engine.threads(), 1);
  }
}

}  // namespace
}  // namespace polhode::tree_pieces_test
