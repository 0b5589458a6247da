#include "polhode/io/model_file.h"
#include <gtest/gtest.h>
TEST(ModelFile, Smoke) {
  const auto file = polhode::readModelText("[[body]]\nname='top'\nmass=1\ninertia=[1,1,1]\n", "top.toml");
  EXPECT_EQ(file.model.bodies.size(), 1u);
}
