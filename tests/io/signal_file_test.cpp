#include "io/signal_file.h"

#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::signal_file_test {
namespace {

TEST(SignalFile, ReadsSamplesWithOrWithoutAHeader) {
  for (const char* text : {"t,x,y,z\n0,1,2,3\n0.5, 4, 5, 6e-1\n", "# hand\n\n0,1,2,3\r\n0.5,4,5,0.6"}) {
    const SampledPath path = readSignalText(text, "hand.csv");
    ASSERT_EQ(path.size(), 2u);
    EXPECT_EQ(path.time(1), 0.5);
    EXPECT_EQ(path.position(1), Vector3(4, 5, 0.6));
    EXPECT_EQ(path.velocity(0), Vector3(6, 6, -4.8));
    EXPECT_EQ(path.held(0.4), Vector3(1, 2, 3));
    EXPECT_EQ(path.held(0.5), Vector3(4, 5, 0.6));
    EXPECT_EQ(path.held(-1.0), Vector3(1, 2, 3));
  }
}

TEST(SignalFile, SaysWhatIsWrongAndWhere) {
  const struct {
    const char* text;
    const char* sentence;
  } broken[] = {
      {"", "hand.csv: a signal without a sample"},
      {"t,x,y,z\n", "without a sample"},
      {"0,1,2\n", "hand.csv:1: a sample has 3 numbers"},
      {"0,1,2,3\n1,a,2,3\n", "hand.csv:2: 'a' is not a number"},
      {"t,x,y,z\nt,x,y,z\n", "hand.csv:2: 't' is not a number"},
      {"0,1,2,3\n0,1,2,3\n", "increasing order"},
      {"0,1,2,inf\n", "not finite"},
  };
  for (const auto& c : broken) {
    try {
      readSignalText(c.text, "hand.csv");
      ADD_FAILURE() << "accepted: " << c.text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(c.sentence), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace polhode::signal_file_test
