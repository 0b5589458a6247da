#include "server/command.h"

#include <gtest/gtest.h>

namespace polhode::live::command_test {
namespace {

template <class T>
bool holds(const std::string& message) {
  const auto command = parseCommand(message);
  return command && std::holds_alternative<T>(*command);
}

TEST(LiveCommand, WordsAndNumbersAreRead) {
  EXPECT_TRUE(holds<Play>("play"));
  EXPECT_TRUE(holds<Pause>(" pause "));
  EXPECT_TRUE(holds<StepOnce>("step"));
  EXPECT_TRUE(holds<StepBack>("back"));
  EXPECT_EQ(std::get<Seek>(*parseCommand("seek 1.25")).time, 1.25);
  EXPECT_TRUE(holds<Reset>("reset"));
  EXPECT_TRUE(holds<Release>("release"));
  EXPECT_TRUE(holds<Steer>("steer"));
  EXPECT_EQ(std::get<ChooseSpeed>(*parseCommand("speed 0.25")).factor, 0.25);
  EXPECT_EQ(std::get<ChooseStep>(*parseCommand("stepsize 1e-3")).seconds, 1e-3);
  EXPECT_EQ(std::get<ChooseIntegrator>(*parseCommand("integrator director-em-4")).name, "director-em-4");
  EXPECT_EQ(std::get<ChooseExample>(*parseCommand("example heavy-top")).name, "heavy-top");
  EXPECT_EQ(std::get<ChooseLaw>(*parseCommand("law l2 0.1 50")).largestForce, 50.0);
  EXPECT_TRUE(std::get<Record>(*parseCommand("record on")).on);
  EXPECT_EQ(std::get<Drag>(*parseCommand("drag 1 -2 3e1")).target, Vector3(1, -2, 30));
  EXPECT_TRUE(holds<Undo>("undo"));
  EXPECT_EQ(std::get<Lead>(*parseCommand("lead 3 0 -0.5")).target, -0.5);
  EXPECT_EQ(std::get<Wish>(*parseCommand("wish 1 0 0.5 1")).target, Vector3(0, 0.5, 1));
  EXPECT_EQ(std::get<Wish>(*parseCommand("wish 1 0.5")).target, Vector3(0.5, 0, 0));
  EXPECT_FALSE(std::get<Wish>(*parseCommand("wish 1")).target);
  EXPECT_EQ(std::get<Strengthen>(*parseCommand("strength 2 -1.5")).force, 2u);
  EXPECT_EQ(std::get<Strengthen>(*parseCommand("strength 2 -1.5")).factor, -1.5);
  EXPECT_FALSE(std::get<Strengthen>(*parseCommand("strength 2")).factor);
  EXPECT_EQ(std::get<Turn>(*parseCommand("turn 3 0 0.5 1")).point, Vector3(0, 0.5, 1));
  EXPECT_EQ(std::get<NameRecording>(*parseCommand("name 2 my first run")).name, "my first run");
  const ChangeSetting change = std::get<ChangeSetting>(*parseCommand("set force 3 scale { table = [[0, 1], [1, 2]] }"));
  EXPECT_EQ(change.part.kind, "force");
  EXPECT_EQ(change.part.index, 3u);
  EXPECT_EQ(change.key, "scale");
  EXPECT_EQ(change.value, "{ table = [[0, 1], [1, 2]] }");
  const Grab grab = std::get<Grab>(*parseCommand("grab 2 0.1 0.2 0.3 1 2 3"));
  EXPECT_EQ(grab.body, 2u);
  EXPECT_EQ(grab.point, Vector3(0.1, 0.2, 0.3));
  EXPECT_EQ(grab.target, Vector3(1, 2, 3));
}

TEST(LiveCommand, EverythingElseIsRefused) {
  for (const char* message : {"",
                              " ",
                              "fly",
                              "play now",
                              "speed",
                              "speed x",
                              "speed -1",
                              "speed 0",
                              "speed 1e9",
                              "speed nan",
                              "speed inf",
                              "speed 1 2",
                              "speed 1x",
                              "seek",
                              "seek nan",
                              "back 1",
                              "turn 3 0 0.5",
                              "wish",
                              "wish 1 2 3",
                              "wish 0 x",
                              "strength",
                              "strength x",
                              "strength 0 1e9",
                              "strength 0 1 2",
                              "name 1",
                              "name x y",
                              "turn -1 0 0.5 0",
                              "stepsize -0.1",
                              "stepsize 2",
                              "tolerance 0",
                              "integrator",
                              "integrator a b",
                              "grab 1 2 3",
                              "grab -1 0 0 0 0 0 0",
                              "grab 1e30 0 0 0 0 0 0",
                              "grab nan 0 0 0 0 0 0",
                              "drag 1 2",
                              "drag 1 2 inf",
                              "law servo 0 1",
                              "law servo 0.1 -1",
                              "law 0.1 50",
                              "law servo 0.1",
                              "lead 3 0",
                              "lead -1 0 1",
                              "lead 3 7 1",
                              "set body 1 mass",
                              "set wheel 1 mass 2",
                              "set body -1 mass 2",
                              "set body 1 mass 2\nbody.a.mass=3",
                              "record",
                              "record maybe",
                              "{\"play\": true}",
                              "play\n"})
    EXPECT_FALSE(parseCommand(message)) << message;
  EXPECT_FALSE(parseCommand("integrator " + std::string(1000, 'x')));
  EXPECT_FALSE(parseCommand(std::string(4096, ' ')));
  EXPECT_FALSE(parseCommand(std::string("play\0", 5)));
}

}  // namespace
}  // namespace polhode::live::command_test
