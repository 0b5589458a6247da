#include "io/broken_models.h"

#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <set>

#include <gtest/gtest.h>

namespace polhode::test::broken_models_test {

TEST(BrokenModels, AreMadeFromAModelThatIsRight) {
  EXPECT_NO_THROW(readModelText(goodModel(), "top.toml"));
}

TEST(BrokenModels, AreAtLeastTwoHundredDifferentOnes) {
  std::set<std::string> names;
  for (const BrokenModel& broken : brokenModels())
    EXPECT_TRUE(names.insert(broken.name).second) << "twice in the table: " << broken.name;
  EXPECT_GE(names.size(), 200u);
}

TEST(BrokenModels, AreRefusedInOneSentenceThatNamesFileAndCulprit) {
  for (const BrokenModel& broken : brokenModels()) {
    SCOPED_TRACE(broken.name);
    try {
      readModelText(broken.text, "broken.toml");
      ADD_FAILURE() << "this was read without an error";
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with("broken.toml:")) << text;
      EXPECT_TRUE(text.size() > 12 && std::isdigit(static_cast<unsigned char>(text[12]))) << "no line: " << text;
      EXPECT_NE(text.find(broken.culprit), std::string::npos) << text;
      EXPECT_EQ(text.find_first_of("\n\r"), std::string::npos) << text;
      EXPECT_LT(text.size(), 600u) << text;
    }
  }
}

}  // namespace polhode::test::broken_models_test
