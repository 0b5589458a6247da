// In place of src/server/live_page.cpp where polhode is built with -DPOLHODE_PAGES=OFF.
#include "polhode/server/live_page.h"

#include "polhode/error.h"

namespace polhode {

class live::LiveServer {};

LivePage::LivePage(const Model&, const SimulationSettings&, const LivePageOptions&) {
  throw InputError("this polhode was built without its pages in the browser; build it with -DPOLHODE_PAGES=ON");
}

LivePage::~LivePage() = default;

std::string LivePage::url() const {
  return "";
}

void LivePage::run() {}

void LivePage::stop() {}

void LivePage::stopOnSignals() {}

}  // namespace polhode
