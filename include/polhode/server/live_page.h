#pragma once

#include "polhode/model/model.h"
#include "polhode/model/simulation.h"

#include <memory>
#include <optional>
#include <string>

namespace polhode {

namespace live {
class LiveServer;
}

struct LivePageOptions {
  std::string address = "127.0.0.1";   // 0.0.0.0 lets others watch and steer who are given the url
  std::optional<unsigned short> port;  // the usual one if not given, or any where that one is taken
  bool playing = true;                 // from the beginning
  std::string out;                     // CSV or HDF5 file of everything that happens; empty for none
  double recordEvery = 0.01;           // seconds between its rows
};

/// The page of `polhode live` for a model that a program has made, with its own forces and joints:
///
///     LivePage page(model, settings);
///     std::cout << page.url() << '\n';
///     page.run();
///
class LivePage {
 public:
  /// Judges the model as Simulation does, listens and begins to simulate. Throws InputError.
  LivePage(const Model& model, const SimulationSettings& settings, const LivePageOptions& options = {});
  ~LivePage();

  /// What to open in a browser.
  std::string url() const;

  /// Serves until it is stopped. Throws InputError where `out` cannot be written.
  void run();

  /// Ends run(), from any thread.
  void stop();

  /// SIGINT (Ctrl-C) and SIGTERM end run().
  void stopOnSignals();

 private:
  std::unique_ptr<live::LiveServer> server_;
};

}  // namespace polhode
