// Pages in the browser: a model that is steered, and a run that is over as a page of its own.

#include "analysis/present_model.h"
#include "bindings.h"
#include "polhode/server/live_page.h"
#include "server/finished_run.h"
#include "server/site.h"
#include "simulation.h"

#include <exception>
#include <thread>

namespace polhode::python {

namespace {

/// Serves in a thread of its own until it is stopped.
class Page {
 public:
  Page(const Model& model, const SimulationSettings& settings, const LivePageOptions& options)
      : page_(model, settings, options), thread_([this] {
          try {
            page_.run();
          } catch (...) {
            failure_ = std::current_exception();
          }
        }) {}
  ~Page() {
    const py::gil_scoped_release unlocked;
    end();
  }

  std::string url() const { return page_.url(); }

  /// Throws InputError where its recording could not be written.
  void stop() {
    {
      const py::gil_scoped_release unlocked;
      end();
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void end() {
    if (!thread_.joinable()) return;
    page_.stop();
    thread_.join();
  }

  LivePage page_;
  std::exception_ptr failure_;
  std::thread thread_;
};

std::unique_ptr<Page> openPage(const ModelFile& file, const py::dict& words, const std::string& address,
                               const py::object& port, bool playing, const std::string& out, double every) {
  LivePageOptions options{address, std::nullopt, playing, out, every};
  if (!port.is_none()) options.port = port.cast<unsigned short>();
  return std::make_unique<Page>(file.model, settingsWith(file, words), options);
}

/// From where a simulation is now.
ModelFile present(const PythonSimulation& self, const ModelFile& file) {
  const Busy busy(self);
  ModelFile now = file;
  if (self.simulation.time() > 0.0)
    now.model =
        presentModel(self.simulation.model(), self.simulation.time(), self.simulation.observe(Detail::motion).bodies);
  return now;
}

}  // namespace

void bindPages(py::module_& module) {
  py::class_<Page>(module, "Page").def_property_readonly("url", &Page::url).def("stop", &Page::stop);
  module.def("open_page", &openPage);
  module.def("present_model", &present);

  module.def("finished_run", [](const std::string& name, const Recording& recording, const ModelFile* file) {
    const auto run = live::makeFinishedRun(name, std::make_shared<const Recording>(recording),
                                           file ? std::optional(file->model) : std::optional<Model>());
    return py::make_tuple(run->scene, py::bytes(run->frames));
  });
  module.def("page_parts", [] { return py::make_tuple(std::string(web::liveScript), std::string(web::liveStyle)); });
}

}  // namespace polhode::python
