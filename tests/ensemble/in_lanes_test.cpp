#include "../support/mechanisms.h"
#include "analysis/engine_registry.h"
#include "ensemble/member_mover.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace polhode::in_lanes_test {
namespace {

using namespace ensemble;

std::vector<Member> members(int count) {
  std::vector<Member> all;
  for (int i = 0; i < count; ++i) {
    Member member{i, test::spatialDoublePendulum(), {}};
    for (Body& body : member.model.bodies) body.mass *= 1.0 + 0.1 * i;
    member.model.gravity *= 1.0 + 0.02 * i;
    member.settings.integrator = "director-em";
    member.settings.step = 2e-3;
    member.settings.end = 0.5009;
    all.push_back(member);
  }
  return all;
}

Observation startOf(const Member& member) {
  const auto engine = makeEngine(member.model, member.settings);
  return engine->observe(0.0, engine->stepper().state());
}

std::vector<MemberOutcome> moved(const MoverType& type, const Wanted& wanted, const std::vector<Member>& all,
                                 std::size_t width) {
  const auto mover = type.make(wanted);
  std::vector<MemberOutcome> outcomes(all.size());
  for (std::size_t first = 0; first < all.size(); first += width) {
    const std::size_t count = std::min(width, all.size() - first);
    mover->move(std::span(all).subspan(first, count), std::span(outcomes).subspan(first, count));
  }
  return outcomes;
}

// What is measured is what runs one by one measure, and hangs on no neighbour.
TEST(InLanes, MeasuresAsRunsDo) {
  const std::vector<Member> all = members(7);
  const std::string last = all[0].model.bodies[1].name;
  const Observation sample = startOf(all[0]);
  Wanted wanted{{{last + ".position.z", last + ".position.x:max", "energy:drift", last + ".acceleration.z:rms",
                  last + ".velocity.y:start", "energy:mean"},
                 sample}};
  wanted.every = 0.1;
  wanted.rows = 6;
  wanted.columns = {last + ".position.x", "energy"};
  for (const Member& member : all) ASSERT_EQ(inLanes.obstacle(member, wanted), "");
  ASSERT_TRUE(inLanes.goTogether(all[0], all[6]));
  const auto lanes = moved(inLanes, wanted, all, inLanes.width), runs = moved(oneByOne, wanted, all, 1),
             single = moved(inLanes, wanted, all, 1);
  for (std::size_t m = 0; m < all.size(); ++m) {
    EXPECT_EQ(lanes[m].failure, "");
    ASSERT_EQ(lanes[m].measures.size(), runs[m].measures.size());
    for (std::size_t i = 0; i < runs[m].measures.size(); ++i)
      EXPECT_NEAR(lanes[m].measures[i], runs[m].measures[i], 1e-9 * (1.0 + std::abs(runs[m].measures[i])))
          << m << " " << i;
    EXPECT_LT(lanes[m].measures[2], 1e-12);
    ASSERT_EQ(lanes[m].trajectory.size(), 12u);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(lanes[m].trajectory[i], runs[m].trajectory[i], 1e-9) << i;
    EXPECT_EQ(lanes[m].measures, single[m].measures);
    EXPECT_EQ(lanes[m].trajectory, single[m].trajectory);
  }
}

// What is read off the motion alone has the bits of whole observations, which a measure of an acceleration asks for.
TEST(InLanes, ReadsOffTheMotionWhatObservationsSay) {
  const std::vector<Member> all = members(5);
  const Observation sample = startOf(all[0]);
  const std::string first = all[0].model.bodies[0].name, last = all[0].model.bodies[1].name;
  std::vector<std::string> measures = {last + ".position.x:max",
                                       first + ".position.z:mean",
                                       last + ".velocity.y:min",
                                       last + ".angular_velocity.z:rms",
                                       first + ".angular_velocity.x:max",
                                       "energy:drift",
                                       "energy:mean",
                                       last + ".position.z"};
  for (const bool hasRows : {false, true}) {
    Wanted wanted{{measures, sample}};
    if (hasRows) wanted.every = 0.1, wanted.rows = 6, wanted.columns = {"energy"};
    const auto alone = moved(inLanes, wanted, all, inLanes.width);
    std::vector<std::string> more = measures;
    more.push_back(last + ".acceleration.x:max");
    wanted.measures = MeasureSet(more, sample);
    const auto observed = moved(inLanes, wanted, all, inLanes.width);
    for (std::size_t m = 0; m < all.size(); ++m)
      for (std::size_t k = 0; k < measures.size(); ++k)
        EXPECT_EQ(alone[m].measures[k], observed[m].measures[k]) << measures[k] << " of member " << m;
  }
}

TEST(InLanes, SaysWhatItDoesNotMove) {
  const Member member = members(1)[0];
  const Observation sample = startOf(member);
  const Wanted plain{{{"energy"}, sample}};
  EXPECT_EQ(inLanes.obstacle(member, plain), "");
  Member other = member;
  other.settings.integrator = "dop853";
  EXPECT_NE(inLanes.obstacle(other, plain), "");
  other = member;
  other.settings.step.reset();
  EXPECT_NE(inLanes.obstacle(other, plain), "");
  other = member;
  other.model.joints[0].type = "universal";
  EXPECT_NE(inLanes.obstacle(other, plain), "");
  EXPECT_NE(inLanes.obstacle(member, {{{"energy_drift"}, sample}}), "");
  EXPECT_NE(inLanes.obstacle(member, {{{"energy=0:count"}, sample}}), "");
  Wanted rows = plain;
  rows.every = 0.003;
  EXPECT_NE(inLanes.obstacle(member, rows), "");
  other = member;
  other.settings.end = 0.7;
  EXPECT_FALSE(inLanes.goTogether(member, other));
}

// A member that does not get through is told so, the others get through.
TEST(InLanes, FailuresAreToldByMember) {
  std::vector<Member> all = members(4);
  all[2].model.gravity *= 3e7;
  const Wanted wanted{{{"energy"}, startOf(all[0])}};
  const auto lanes = moved(inLanes, wanted, all, inLanes.width);
  EXPECT_NE(lanes[2].failure.find("did not converge"), std::string::npos) << lanes[2].failure;
  EXPECT_TRUE(std::isnan(lanes[2].measures[0]));
  for (const std::size_t m : {0u, 1u, 3u}) EXPECT_EQ(lanes[m].failure, "");
}

}  // namespace
}  // namespace polhode::in_lanes_test
