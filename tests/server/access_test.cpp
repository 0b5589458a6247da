#include "server/access.h"

#include <gtest/gtest.h>

namespace polhode::live::access_test {
namespace {

TEST(LiveAccess, OnlyNamesOfThisMachineAreItsHosts) {
  for (const char* own : {"127.0.0.1", "127.0.0.1:8765", "localhost", "LocalHost:80", "[::1]", "[::1]:8765"}) {
    EXPECT_TRUE(isOwnHost(own, true)) << own;
    EXPECT_TRUE(isOwnHost(own, false)) << own;
  }
  for (const char* other : {"", ":80", "example.org", "127.0.0.1.example.org", "localhost.example.org:80", "[::1].org",
                            "evil@127.0.0.1.org"}) {
    EXPECT_FALSE(isOwnHost(other, true)) << other;
    EXPECT_FALSE(isOwnHost(other, false)) << other;
  }
  // an address cannot be made to point elsewhere, as names can
  EXPECT_FALSE(isOwnHost("192.168.1.7:80", true));
  EXPECT_TRUE(isOwnHost("192.168.1.7:80", false));
}

TEST(LiveAccess, OnlyItsOwnPageIsTheOrigin) {
  EXPECT_TRUE(isOwnOrigin("http://127.0.0.1:8765", "127.0.0.1:8765"));
  EXPECT_FALSE(isOwnOrigin("", "127.0.0.1:8765"));
  EXPECT_FALSE(isOwnOrigin("null", "127.0.0.1:8765"));
  EXPECT_FALSE(isOwnOrigin("http://127.0.0.1:8000", "127.0.0.1:8765"));
  EXPECT_FALSE(isOwnOrigin("http://127.0.0.1", "127.0.0.1:8765"));
  EXPECT_FALSE(isOwnOrigin("https://example.org", "127.0.0.1:8765"));
  EXPECT_FALSE(isOwnOrigin("http://127.0.0.1:8765.example.org", "127.0.0.1:8765"));
}

TEST(LiveAccess, TokensAreLongAndNeverTheSame) {
  const std::string token = makeToken();
  EXPECT_EQ(token.size(), 32u);
  EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(makeToken(), token);
}

TEST(LiveAccess, OnlyTheWholeTokenIsTheToken) {
  EXPECT_TRUE(isToken("00ff", "00ff"));
  for (const char* wrong : {"", "0", "00f", "00fe", "10ff", "00ff0", "00FF", "0 0ff"})
    EXPECT_FALSE(isToken(wrong, "00ff")) << wrong;
  EXPECT_FALSE(isToken("", ""));  // where none was made nobody has it
  EXPECT_FALSE(isToken(std::string_view("00ff\0", 5), "00ff"));
}

TEST(LiveAccess, FindsItsCookieAmongOthers) {
  EXPECT_EQ(cookieValue("polhode-80=x", "polhode-80"), "x");
  EXPECT_EQ(cookieValue("a=1; polhode-80=x; b=2", "polhode-80"), "x");
  EXPECT_EQ(cookieValue("polhode-801=y; polhode-80=x", "polhode-80"), "x");
  EXPECT_EQ(cookieValue("a=polhode-80=x;;; ", "polhode-80"), "");
  EXPECT_EQ(cookieValue("", "polhode-80"), "");
  EXPECT_NE(tokenCookie(80), tokenCookie(81));
}

TEST(LiveAccess, MessagesComeAtTheirRate) {
  RateLimit limit(10.0, 5.0);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(limit.allows(100.0));
  EXPECT_FALSE(limit.allows(100.0));
  EXPECT_FALSE(limit.allows(100.05));
  EXPECT_TRUE(limit.allows(100.16));
  EXPECT_FALSE(limit.allows(100.16));
  EXPECT_TRUE(limit.allows(200.0));
}

}  // namespace
}  // namespace polhode::live::access_test
