#include "model/smooth_pieces.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::smooth_pieces_test {
namespace {

std::vector<SmoothPiece> piecesOf(const std::string& formula, double to) {
  return smoothPieces({Signal::formula(formula)}, 0.0, to);
}

TEST(SmoothPieces, WithoutBreaksThereIsOne) {
  for (const std::vector<Signal>& signals : {std::vector<Signal>{}, {Signal(2.0)}, {Signal::formula("sin(3*t)")}}) {
    const std::vector<SmoothPiece> pieces = smoothPieces(signals, 0.0, 10.0);
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].begin, 0.0);
    EXPECT_EQ(pieces[0].end, 10.0);
    EXPECT_EQ(pieces[0].firstInstant, 0.0);
    EXPECT_EQ(pieces[0].lastInstant, 10.0);
  }
}

TEST(SmoothPieces, StepsResolveWhatVaries) {
  EXPECT_EQ(smoothPieces({Signal(2.0)}, 0.0, 10.0)[0].largestStep, std::numeric_limits<double>::infinity());
  // a sine changes by half of what it changes by in all in a sixth of its period, about
  const double period = 0.25, step = piecesOf("sin(2*pi*t/0.25)", 10.0)[0].largestStep;
  EXPECT_GT(step, period / 8.0);
  EXPECT_LT(step, period / 4.0);
}

TEST(SmoothPieces, EndAtBreaksAndSeeTheirOwnSide) {
  const Signal load = Signal::formula("3*step(t - 0.7)");
  const std::vector<SmoothPiece> pieces = smoothPieces({load}, 0.0, 2.0);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].end, 0.7);
  EXPECT_EQ(pieces[1].begin, 0.7);
  EXPECT_EQ(load.value(pieces[0].lastInstant), 0.0);
  EXPECT_EQ(load.value(pieces[1].firstInstant), 3.0);
}

TEST(SmoothPieces, BreaksWithinRoundingsAreOne) {
  // 0.3 and 0.1 + 0.2 are neighbours
  const std::vector<Signal> signals = {Signal::formula("step(t - 0.3)"), Signal::formula("step(t - (0.1 + 0.2))")};
  const std::vector<SmoothPiece> pieces = smoothPieces(signals, 0.0, 1.0);
  ASSERT_EQ(pieces.size(), 2u);
  for (const Signal& signal : signals) {
    EXPECT_EQ(signal.value(pieces[0].lastInstant), 0.0);
    EXPECT_EQ(signal.value(pieces[1].firstInstant), 1.0);
  }
}

TEST(SmoothPieces, ABumpAfterRestHasAPieceOfItsOwn) {
  for (const double at : {5.0, 50.0, 500.0})
    for (const double width : {0.05, 1e-3}) {
      const auto pieces =
          piecesOf("exp(-((t - " + std::to_string(at) + ")/" + std::to_string(width) + ")^2)", 2.0 * at);
      bool found = false;
      for (const SmoothPiece& piece : pieces)
        found = found || (piece.begin < at - 2.0 * width && piece.begin > at - 10.0 * width && piece.end > at &&
                          piece.largestStep < 2.0 * width);
      EXPECT_TRUE(found) << at << " " << width;
      EXPECT_LE(pieces.size(), 5u);
      EXPECT_EQ(pieces.front().largestStep, std::numeric_limits<double>::infinity());
    }
}

TEST(SmoothPieces, FollowEachOtherWithoutAGap) {
  const std::vector<SmoothPiece> pieces = smoothPieces(
      {Signal::formula("abs(sin(20*t))*max(0, t - 1)"), Signal::table({0.5, 1.0, 1.0}, {0, 1, 2})}, 0.0, 3.0);
  EXPECT_GT(pieces.size(), 15u);
  EXPECT_EQ(pieces.front().begin, 0.0);
  EXPECT_EQ(pieces.back().end, 3.0);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].begin, pieces[i - 1].end);
    EXPECT_GT(pieces[i].end, pieces[i].begin);
  }
}

TEST(SmoothPieces, RunsWithoutAnEndAreSeenFromTheirBeginning) {
  const std::vector<SmoothPiece> pieces = piecesOf("0.02*(1 - cos(2*pi*(t - 5)/0.1))*step(t - 5)*step(5.1 - t)", 1e6);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[1].begin, 5.0);
  EXPECT_NEAR(pieces[1].end, 5.1, 1e-14);
  EXPECT_LT(pieces[1].largestStep, 0.05);
}

}  // namespace
}  // namespace polhode::smooth_pieces_test
