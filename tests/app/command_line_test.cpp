#include "integrate/catalogue.h"
#include "io/broken_models.h"
#include "io/examples.h"
#include "model/force_type.h"
#include "support/command.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::command_line_test {
namespace {

using test::CommandResult;
using test::Json;

void expectOneSentence(const CommandResult& result, int exitCode) {
  EXPECT_EQ(result.exitCode, exitCode) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_EQ(result.output, "");
}

// The keys of DESIGN section 8: programs rely on them.
TEST(CommandLine, RunPrintsTheJsonOfTheManual) {
  const CommandResult result = test::polhode("run lang-a --end 1 --tolerance 1e-12 --json");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  const Json json = test::parseJson(result.output);
  EXPECT_EQ(json["model"].text(), "Gyro top, Lang example A");
  EXPECT_EQ(json["integrator"].text(), "dop853");
  EXPECT_EQ(json["coordinates"].text(), "quaternion");
  EXPECT_EQ(json["formulation"].text(), "null-space");
  EXPECT_EQ(json["time"].number(), 1.0);
  const Json& top = json["bodies"]["top"];
  EXPECT_NEAR(top["quaternion"][0].number(), 0.5621827737930769, 1e-11);  // solutions.json, lang_a, t = 1
  EXPECT_NEAR(top["angular_velocity"][2].number(), 19.994562859929488, 1e-10);
  EXPECT_EQ(top["position"].items().size(), 3u);
  EXPECT_EQ(top["velocity"].items().size(), 3u);
  EXPECT_NEAR(json["energy"]["initial"].number(), 2054.39645, 1e-9);
  EXPECT_LT(json["energy"]["max_drift"].number(), 1e-11);
  EXPECT_NEAR(json["energy"]["final"].number(), 2054.39645, 1e-7);
  EXPECT_LT(json["angular_momentum"]["max_drift"][2].number(), 1e-11);
  EXPECT_EQ(json["linear_momentum"]["final"].items().size(), 3u);
  EXPECT_GT(json["linear_momentum"]["max_drift"][0].number(), 0.1);
  const Json& conserved = json["conserved"];
  EXPECT_TRUE(conserved["energy"].boolean());
  EXPECT_FALSE(conserved["angular_momentum"][0].boolean());
  EXPECT_TRUE(conserved["angular_momentum"][2].boolean());
  ASSERT_EQ(conserved["components"].items().size(), 1u);
  EXPECT_EQ(conserved["components"][0]["quantity"].text(), "angular_momentum");
  EXPECT_EQ(conserved["components"][0]["direction"][2].number(), 1.0);
  EXPECT_LT(conserved["components"][0]["max_drift"].number(), 1e-11);
  EXPECT_LT(json["constraints"]["max_position"].number(), 1e-11);
  EXPECT_EQ(json["constraints"]["max_velocity"].number(), 0.0);
  EXPECT_GT(json["work"]["steps"].number(), 50.0);
  EXPECT_EQ(json["work"]["rejected"].number(), 0.0);
  EXPECT_GT(json["work"]["rhs_evaluations"].number(), 500.0);
  EXPECT_EQ(json["work"]["jacobians"].number(), 0.0);
  EXPECT_EQ(json["work"]["newton_iterations"].number(), 0.0);
  EXPECT_GE(json["wall_seconds"].number(), 0.0);
}

TEST(CommandLine, EveryExampleRuns) {
  for (const Example& example : examples()) {
    const CommandResult result = test::polhode("run " + example.name + " --end 0.1 --json");
    EXPECT_EQ(result.exitCode, 0) << example.name << ": " << result.errors;
    EXPECT_EQ(test::polhode("check " + example.name).exitCode, 0) << example.name;
  }
}

TEST(CommandLine, CheckSaysHowAMechanismMoves) {
  const std::string text = test::polhode("check bricard").output;
  EXPECT_NE(text.find("degrees of freedom  1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("loops               1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("redundant           1 (joint 'P"), std::string::npos) << text;
  const std::string odd = test::polhode("check bricard --set 'model.gravity=[0, -9810, 0]'").output;
  EXPECT_NE(odd.find("looks odd: gravity is 9810 m/s^2"), std::string::npos) << odd;
}

// Of 101 bodies nobody reads each at first.
TEST(CommandLine, LargeModelsAreSummedUpAndToldWholeOnRequest) {
  for (const std::string command : {"check rope-bridge", "run rope-bridge --end 0.01"}) {
    const std::string text = test::polhode(command).output;
    EXPECT_NE(text.find("  bodies              101, together 75.3"), std::string::npos) << text;
    EXPECT_NE(text.find("  joints              136 (136 spherical)\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("left1"), std::string::npos) << text;
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 15);
    const std::string whole = test::polhode(command + " --bodies").output;
    EXPECT_LT(whole.find("136 spherical"), whole.find("left1"));
    EXPECT_GT(std::count(whole.begin(), whole.end(), '\n'), 2 * (101 + 136));
  }
  EXPECT_NE(test::polhode("check heavy-top").output.find("body 'top'"), std::string::npos);
  EXPECT_EQ(test::parseJson(test::polhode("run rope-bridge --end 0.01 --json").output)["bodies"]["left1"]["position"]
                .items()
                .size(),
            3u);
}

// Also where the integrator does not look at the setting.
TEST(CommandLine, CheckRefusesSettingsThatDoNotExist) {
  for (const char* integrator : {"dop853", "director-em"})
    for (const auto& [setting, sentence] : {std::pair{"coordinates=quaternon", "did you mean 'quaternion'?"},
                                            std::pair{"formulation=index-4", "there is no formulation 'index-4'"},
                                            std::pair{"projection=orthogonal", "known are 'none', 'explicit', 'polar'"},
                                            std::pair{"tolerance=1e-20", "the tolerance is 1e-20"}}) {
      const CommandResult result = test::polhode(
          fmt::format("check four-bars --set simulation.integrator={} --set simulation.{}", integrator, setting));
      expectOneSentence(result, 2);
      EXPECT_NE(result.errors.find(sentence), std::string::npos) << result.errors;
    }
}

TEST(CommandLine, ListsEveryTypeOfJointForceAndShape) {
  for (const JointType& type : jointTypes())
    EXPECT_NE(test::polhode("list joints").output.find(type.name), std::string::npos) << type.name;
  for (const ForceType& type : forceTypes())
    EXPECT_NE(test::polhode("list forces").output.find(type.name), std::string::npos) << type.name;
  for (const ShapeType& type : shapeTypes())
    EXPECT_NE(test::polhode("list shapes").output.find(type.name), std::string::npos) << type.name;
}

TEST(CommandLine, EveryIntegratorFormulationAndCoordinateRuns) {
  const auto runs = [](const std::string& flags) {
    const CommandResult result = test::polhode("run lang-a --end 0.2 --json " + flags);
    EXPECT_EQ(result.exitCode, 0) << flags << ": " << result.errors;
    const Json json = test::parseJson(result.output);
    EXPECT_LT(json["energy"]["max_drift"].number(), 1e-3) << flags;
  };
  for (const IntegratorInfo& info : integrators())
    runs("--integrator " + info.name + (info.adaptive ? "" : " --step 0.001"));
  for (const char* coordinates : {"quaternion", "director"})
    for (const char* formulation : {"null-space", "absolute"})
      for (const char* projection : {"none", "explicit", "polar"})
        runs(std::string("--coordinates ") + coordinates + " --formulation " + formulation + " --projection " +
             projection);
  for (const char* coordinates : {"quaternion", "director"})
    for (const char* formulation : {"index-1", "index-2", "index-3", "ggl"})
      runs(std::string("--integrator bdf --tolerance 1e-7 --coordinates ") + coordinates + " --formulation " +
           formulation);
  runs("--coordinates euler313");
  runs("--coordinates cardan");
}

// What is promised of the conserving schemes, from outside: a thousand steps of the heavy top.
TEST(CommandLine, ConservingSchemesConserve) {
  for (const char* name : {"director-em", "null-eml", "reml", "eml", "quaternion-em", "emh", "ggl", "director-em-4"}) {
    const CommandResult result =
        test::polhode(std::string("run heavy-top --step 0.002 --end 2 --json --integrator ") + name);
    ASSERT_EQ(result.exitCode, 0) << name << ": " << result.errors;
    const Json json = test::parseJson(result.output);
    EXPECT_EQ(json["work"]["steps"].number(), 1000.0);
    EXPECT_LT(json["energy"]["max_drift"].number(), 1e-12) << name;
    EXPECT_LT(json["angular_momentum"]["max_drift"][2].number(), 1e-12) << name;
    EXPECT_LT(json["constraints"]["max_position"].number(), 1e-14) << name;
  }
}

// Steady precession: the centre of mass at t = 1 is known in closed form (Betsch & Siebert 5.2): it has gone round by
// 10 rad at an angle of 60 degrees, 0.075 m from the tip.
TEST(CommandLine, OrderEightIsAccurate) {
  const CommandResult result = test::polhode("run heavy-top --integrator director-em-8 --step 0.002 --end 1 --json");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const Json position = test::parseJson(result.output)["bodies"]["top"]["position"];
  const double radius = 0.075 * std::sqrt(3.0) / 2.0;
  EXPECT_NEAR(position[0].number(), radius * std::sin(10.0), 0.075e-10);
  EXPECT_NEAR(position[1].number(), -radius * std::cos(10.0), 0.075e-10);
  EXPECT_NEAR(position[2].number(), 0.0375, 0.075e-10);
}

TEST(CommandLine, ConservingSchemesChooseTheirStep) {
  const CommandResult result =
      test::polhode("run heavy-top-nutating --integrator director-em-4 --tolerance 1e-7 --end 0.5 --json");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const Json json = test::parseJson(result.output);
  EXPECT_EQ(json["time"].number(), 0.5);
  EXPECT_LT(json["energy"]["max_drift"].number(), 1e-12);
}

TEST(CommandLine, FlagsAndSetOverrideTheFile) {
  const CommandResult result =
      test::polhode("run free-body --end 0.5 --integrator dopri5 --set body.body.angular_velocity.body=[0,0,3] --json");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const Json json = test::parseJson(result.output);
  EXPECT_EQ(json["integrator"].text(), "dopri5");
  EXPECT_EQ(json["bodies"]["body"]["angular_velocity"][2].number(), 3.0);
}

TEST(CommandLine, OutputAtEvenTimes) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "motion.csv";
  const CommandResult result = test::polhode("run lang-a --end 1 --every 0.25 --out " + path);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line.rfind("time,top.position.x", 0), 0u) << line;
  EXPECT_NE(line.find("multiplier.1"), std::string::npos) << line;
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    ASSERT_TRUE(std::getline(file, line));
    EXPECT_EQ(std::stod(line), t);
  }
  EXPECT_FALSE(std::getline(file, line));
  EXPECT_EQ(test::polhode("run lang-a --end 0.5 --out " + (folder / "motion.h5")).exitCode, 0);
}

TEST(CommandLine, WritesTheColumnsThatAreChosen) {
  const test::TemporaryFolder folder;
  const std::string run = "run heavy-top --end 0.1 --every 0.05 --out " + (folder / "top.csv") + " --columns ";
  ASSERT_EQ(test::polhode(run + "'energy,top.position.*'").exitCode, 0);
  const std::string text = test::readFile(folder / "top.csv");
  EXPECT_EQ(text.substr(text.find("time"), text.find('\n', text.find("time")) - text.find("time")),
            "time,top.position.x,top.position.y,top.position.z,energy");
  const CommandResult wrong = test::polhode(run + "'top.postion.*'");
  expectOneSentence(wrong, 2);
  EXPECT_NE(wrong.errors.find("fits no column of the recording; did you mean 'top.position.x'?"), std::string::npos)
      << wrong.errors;
  expectOneSentence(test::polhode("run heavy-top --columns energy"), 2);
}

TEST(CommandLine, StopsWhenAQuantityReachesAValue) {
  // Lang A starts with its centre of mass at z = 1/2 and sinks.
  const CommandResult result = test::polhode("run lang-a --tolerance 1e-11 --stop-when top.position.z=0.45 --json");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const Json json = test::parseJson(result.output);
  EXPECT_NEAR(json["bodies"]["top"]["position"][2].number(), 0.45, 1e-9);
  EXPECT_LT(json["time"].number(), 1.0);
}

TEST(CommandLine, RefusesWhatDoesNotFit) {
  expectOneSentence(test::polhode("run lang-a --integrator dopri"), 2);
  expectOneSentence(test::polhode("run lang-a --coordinates euler"), 2);
  expectOneSentence(test::polhode("run lang-a --formulation index-3"), 2);
  expectOneSentence(test::polhode("run lang-a --tolerance -1"), 2);
  expectOneSentence(test::polhode("run lang-a --tolerance 1e-6 --step 0.1"), 2);
  expectOneSentence(test::polhode("run lang-a --end nan"), 2);
  expectOneSentence(test::polhode("run lang-a --threads 0"), 2);
  expectOneSentence(test::polhode("run lang-a --threads -3"), 2);
  expectOneSentence(test::polhode("run lang-a --out /nonexistent/folder/x.csv"), 2);
  expectOneSentence(test::polhode("run lang-a --out x.png"), 2);
  expectOneSentence(test::polhode("run lang-a --stop-when top.height=3"), 2);
  expectOneSentence(test::polhode("run lang-a --set body.topp.mass=3"), 2);
  expectOneSentence(test::polhode("run no-such-model.toml"), 2);
  expectOneSentence(test::polhode("run free-body --coordinates euler313"), 2);  // starts in gimbal lock
  expectOneSentence(test::polhode("run spring-top --integrator quaternion-em --step 0.01"), 2);
  expectOneSentence(test::polhode("run lang-a --integrator director-em-5"), 2);
  expectOneSentence(test::polhode("walk lang-a"), 2);
  expectOneSentence(test::polhode("list engines"), 2);
  expectOneSentence(test::polhode("study longer"), 2);
  expectOneSentence(test::polhode(""), 2);
}

// A word that is misspelt is answered with the one that was meant, wherever it stands.
TEST(CommandLine, SaysWhatThereIs) {
  const auto answer = [](const std::string& arguments) {
    const CommandResult result = test::polhode(arguments);
    expectOneSentence(result, 2);
    return result.errors;
  };
  EXPECT_EQ(answer("rnu"), "polhode: there is no command 'rnu'; did you mean 'run'?\n");
  EXPECT_EQ(answer("--versoin"), "polhode: there is no option '--versoin'; did you mean '--version'?\n");
  for (const char* arguments :
       {"run jansen-walker --stp 0.1", "run jansen-walker --stp=0.1", "run --stp jansen-walker"})
    EXPECT_EQ(answer(arguments), "polhode run: there is no option '--stp'; did you mean '--step'?\n") << arguments;
  for (const char* command : {"run", "check", "live", "modes"})
    EXPECT_EQ(answer(std::string(command) + " jansen-walkr"),
              "there is no file and no example 'jansen-walkr'; did you mean 'jansen-walker'?\n")
        << command;
  EXPECT_NE(answer("run no/such/model.toml").find("cannot be opened"), std::string::npos);
  EXPECT_NE(answer("").find("give a command; known are 'run', 'sweep'"), std::string::npos);
  EXPECT_NE(answer("run").find("MODEL is required"), std::string::npos);
}

// Beyond h |Omega| = 1 the variational integrator has no solution, and says so.
TEST(CommandLine, AStepWithoutSolutionIsExplained) {
  const CommandResult result = test::polhode("run heavy-top --integrator quaternion-vi --step 0.01 --json");
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_NE(result.errors.find("t = "), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("step"), std::string::npos) << result.errors;
}

TEST(CommandLine, KeepsWhatWasRecordedWhenTheMotionFails) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "motion.csv";
  // The corrector of BDF on an index-3 system gives up at such a loose tolerance.
  const CommandResult result =
      test::polhode("run lang-a --integrator bdf --formulation index-3 --tolerance 1e-4 --end 20 --out " + path);
  EXPECT_EQ(result.exitCode, 3) << result.output << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_NE(result.errors.find("index-2"), std::string::npos) << "the remedy is missing: " << result.errors;
  EXPECT_GT(test::readFile(path).size(), 500u);
}

TEST(CommandLine, EveryBrokenModelGivesOneSentence) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "broken.toml";
  const auto models = test::brokenModels();
  EXPECT_GE(models.size(), 200u);
  for (const test::BrokenModel& model : models) {
    SCOPED_TRACE(model.name);
    std::ofstream(path, std::ios::binary) << model.text;
    const CommandResult result = test::polhode("run " + path);
    expectOneSentence(result, 2);
    EXPECT_EQ(result.errors.rfind(path, 0), 0u) << result.errors;
  }
}

// EML's velocities grow at the nodes until a step has no solution near its guess: the error says which step, how far it
// got and what to do, and everything up to there has been written.
TEST(CommandLine, ALostRunKeepsWhatItHas) {
  const std::string path = testing::TempDir() + "polhode_lost_run.csv";
  const CommandResult lost =
      test::polhode("run free-body --integrator eml --step 0.05 --end 100 --every 0.05 --json --out " + path);
  EXPECT_EQ(lost.exitCode, 3);
  for (const char* part :
       {"eml: the step from t = ", "h = 0.05", "20 iterations", "of the increment", "smaller step", "'ggl'"})
    EXPECT_NE(lost.errors.find(part), std::string::npos) << part << " is not in: " << lost.errors;
  const Json json = test::parseJson(lost.output);
  EXPECT_EQ(json["failure"].text() + "\n", lost.errors);
  const double time = json["time"].number();
  EXPECT_GT(time, 1.0);
  EXPECT_LT(time, 100.0);
  EXPECT_LT(json["energy"]["max_drift"].number(), 1e-13);

  std::ifstream file(path);
  std::string line, last;
  int rows = -1;
  for (; std::getline(file, line); ++rows) last = line;
  EXPECT_EQ(rows, std::lround(time / 0.05) + 1);
  EXPECT_EQ(std::stod(last), time);

  // a step of its own choice gets through, and so does the stabilised scheme
  EXPECT_EQ(test::polhode("run free-body --integrator eml --tolerance 1e-4 --end 10").exitCode, 0);
  EXPECT_EQ(test::polhode("run free-body --integrator ggl --step 0.05 --end 100").exitCode, 0);
}

// Kinon & Betsch 5.1 and 5.2; the reference is the exact solution, which a second-order scheme meets to h^2.
TEST(CommandLine, RunsSystemsByName) {
  const CommandResult pendulum = test::polhode("run spring-pendulum --integrator livens-em --step 0.01 --end 1 --json");
  ASSERT_EQ(pendulum.exitCode, 0) << pendulum.errors;
  const Json json = test::parseJson(pendulum.output);
  const Json exact = test::readData("solutions.json")["cases"]["spring_pendulum"]["t"]["1"]["q,v"];
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(json["q"][i].number(), exact[i].number(), 5e-3);
  EXPECT_LT(json["generalised_energy"]["max_drift"].number(), 1e-12);
  EXPECT_EQ(pendulum.output.find("integrator_reason"), std::string::npos);
  const CommandResult unnamed = test::polhode("run spring-pendulum --end 0.1");
  EXPECT_NE(unnamed.output.find("spring-pendulum by livens-em\n    no integrator is named; this one keeps"),
            std::string::npos)
      << unnamed.output;
  // the azimuth is cyclic, and the scheme does not keep its momentum all the same (p_phi drifts by 5e-5)
  const Json& momenta = json["conserved"]["momenta"];
  ASSERT_EQ(momenta.items().size(), 1u);
  EXPECT_EQ(momenta[0]["direction"][2].number(), 1.0);
  EXPECT_NEAR(momenta[0]["initial"].number(), 1.05 * 1.05, 1e-12);
  EXPECT_GT(momenta[0]["max_drift"].number(), 1e-6);
  // that of mechanisms does
  const CommandResult chained = test::polhode("run spring-pendulum --integrator eml --step 0.01 --end 1 --json");
  EXPECT_LT(test::parseJson(chained.output)["conserved"]["momenta"][0]["max_drift"].number(), 1e-13);
  EXPECT_EQ(test::polhode("run mass-spring").exitCode, 0);
  expectOneSentence(test::polhode("run mass-spring --formulation ggl"), 2);
  const std::string stopped = test::polhode("run spring-pendulum --stop-when q.3=0.5").output;
  EXPECT_NE(stopped.find("(stopped where q.3=0.5)"), std::string::npos) << stopped;
  // Its mass matrix is singular: a scheme in momenta cannot run it, and the sentence says which can.
  const CommandResult refused = test::polhode("run mass-spring --integrator mph-inverse");
  expectOneSentence(refused, 2);
  EXPECT_NE(refused.errors.find("singular"), std::string::npos) << refused.errors;
  EXPECT_NE(refused.errors.find("livens-em"), std::string::npos) << refused.errors;
}

TEST(CommandLine, ListsAndHelps) {
  for (const char* what : {"integrators", "coordinates", "formulations", "projections", "joints", "forces", "examples",
                           "systems", "studies"}) {
    const CommandResult result = test::polhode(std::string("list ") + what);
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_GT(result.output.size(), 20u) << what;
  }
  for (const char* command : {"", "run ", "check ", "list ", "study "}) {
    const CommandResult result = test::polhode(std::string(command) + "--help");
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_GT(result.output.size(), 100u) << command;
  }
}

}  // namespace
}  // namespace polhode::command_line_test
