#include "server/access.h"

#include <algorithm>
#include <cctype>
#include <random>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unistd.h>

namespace polhode::live {

namespace {

std::string lowerCase(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// "[::1]:80" to "[::1]", "localhost:80" to "localhost".
std::string withoutPort(std::string_view host) {
  const auto bracket = host.find(']');
  return lowerCase(host.substr(0, host.find(':', bracket == std::string_view::npos ? 0 : bracket)));
}

bool isAddress(const std::string& name) {
  unsigned char address[sizeof(in6_addr)];
  if (inet_pton(AF_INET, name.c_str(), address) == 1) return true;
  return name.size() > 2 && name.front() == '[' && name.back() == ']' &&
         inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), address) == 1;
}

}  // namespace

std::string machineName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? lowerCase(name) : std::string();
}

std::string makeToken() {
  std::random_device random("/dev/urandom");  // throws where there is none
  std::string token;
  for (int word = 0; word < 4; ++word) token += fmt::format("{:08x}", random());
  return token;
}

bool isToken(std::string_view given, std::string_view token) {
  unsigned difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char other = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(token[i]) ^ static_cast<unsigned char>(other);
  }
  return difference == 0 && !token.empty();
}

std::string_view cookieValue(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    std::string_view pair = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(cookies.size(), pair.size() + 1));
    pair.remove_prefix(std::min(pair.size(), pair.find_first_not_of(' ')));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) return pair.substr(name.size() + 1);
  }
  return {};
}

std::string tokenCookie(unsigned short port) {
  return fmt::format("polhode-{}", port);
}

bool isOwnHost(std::string_view host, bool loopbackOnly) {
  const std::string name = withoutPort(host);
  if (name == "localhost" || name == "127.0.0.1" || name == "[::1]") return true;
  if (loopbackOnly) return false;
  return isAddress(name) || (!name.empty() && name == machineName());
}

bool isOwnOrigin(std::string_view origin, std::string_view host) {
  return lowerCase(origin) == "http://" + lowerCase(host);
}

bool RateLimit::allows(double now) {
  if (begun_) allowance_ = std::min(burst_, allowance_ + rate_ * std::max(0.0, now - last_));
  begun_ = true;
  last_ = now;
  if (allowance_ < 1.0) return false;
  allowance_ -= 1.0;
  return true;
}

}  // namespace polhode::live
