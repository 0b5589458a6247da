#include "polhode/server/live_page.h"

#include "polhode/system/checked_model.h"
#include "server/live_server.h"
#include "server/runner.h"

namespace polhode {

LivePage::LivePage(const Model& model, const SimulationSettings& settings, const LivePageOptions& options) {
  ModelFile file;
  file.model = checked(model);
  file.simulation = settings;
  const auto makeSession = [&] {
    return std::make_unique<live::Session>(live::Scenario{model.name, file},
                                           live::SessionOptions{options.out, options.recordEvery, options.playing},
                                           live::Runner::now);
  };
  server_ = live::listenToSomePort(makeSession, options.address, options.port);
}

LivePage::~LivePage() = default;

std::string LivePage::url() const {
  return server_->url();
}

void LivePage::run() {
  server_->run();
}

void LivePage::stop() {
  server_->stop();
}

void LivePage::stopOnSignals() {
  server_->stopOnSignals();
}

}  // namespace polhode
