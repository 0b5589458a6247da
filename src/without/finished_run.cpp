#include "server/finished_run.h"

#include "polhode/error.h"
#include "server/site.h"

namespace polhode::live {

std::shared_ptr<const FinishedRun> makeFinishedRun(const std::string& name, std::shared_ptr<const Recording>,
                                                   const std::optional<Model>&) {
  throw InputError(name + ": this polhode was built without pages in the browser; build it with -DPOLHODE_PAGES=ON");
}

}  // namespace polhode::live

namespace polhode::web {

const std::string_view liveScript, liveStyle;

}  // namespace polhode::web
