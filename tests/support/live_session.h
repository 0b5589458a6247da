#pragma once

#include "io/examples.h"
#include "server/session.h"
#include "support/live_frame.h"

#include <gtest/gtest.h>

namespace polhode::test {

inline live::Scenario example(const std::string& name) {
  return {name, readModelText(findExample(name)->text, name + ".toml")};
}

/// A session whose clock is set by the test.
struct LiveSession : testing::Test {
  double now = 100.0;
  std::optional<live::Session> session;

  void begin(live::Scenario scenario, live::SessionOptions options = {}) {
    session.emplace(std::move(scenario), options, [this] { return now; });
  }

  void pass(double seconds) {
    for (double left = seconds; left > 1e-9; left -= 0.01) {
      now += std::min(left, 0.01);
      session->advance();
    }
  }

  std::vector<double> frame() { return frameNumbers(*session->takeNews().frame); }
  double time() { return frame()[1]; }
};

}  // namespace polhode::test
