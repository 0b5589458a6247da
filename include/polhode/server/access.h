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
