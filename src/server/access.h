#pragma once

#include <string>
#include <string_view>

/// Who may talk to the server. A web page of another site can make a browser send requests to 127.0.0.1, and can let its
/// own name point there (DNS rebinding). So the Host of every request must be a name of this machine, and the Origin of
/// everything that changes or watches the simulation must be the page that this server has served.
namespace polhode::live {

/// Whether Host names this machine: an IP address, localhost, or the machine's name where it listens to the network.
/// Where the server is bound to this machine alone only 127.0.0.1, [::1] and localhost do.
bool isOwnHost(std::string_view host, bool loopbackOnly);

/// Whether Origin is the page served under that Host.
bool isOwnOrigin(std::string_view origin, std::string_view host);

/// The name of this machine in lower case; empty where it has none.
std::string machineName();

/// Where a server listens beyond this machine every request must carry a token that only those know who were given the
/// address: `?token=..` behind the address, or in the cookie that the answer to such a request sets.

/// 128 bits from the system's source of randomness, in hexadecimal digits.
std::string makeToken();

/// Whether what a request carries is the token. Takes the same time wherever the two differ.
bool isToken(std::string_view given, std::string_view token);

/// The value of a cookie in the header `Cookie`, "a=1; b=2"; empty where it is not there.
std::string_view cookieValue(std::string_view cookies, std::string_view name);

/// The name of the server's cookie. Cookies do not know of ports, and two servers on one machine have two tokens.
std::string tokenCookie(unsigned short port);

/// At most so many messages: `burst` at once and `rate` a second in the long run.
class RateLimit {
 public:
  RateLimit(double rate, double burst) : rate_(rate), burst_(burst), allowance_(burst) {}
  bool allows(double now);

 private:
  double rate_, burst_, allowance_;
  double last_ = 0.0;
  bool begun_ = false;
};

}  // namespace polhode::live
