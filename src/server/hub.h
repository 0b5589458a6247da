#pragma once

#include "server/runner.h"

#include <memory>
#include <string_view>
#include <vector>

namespace polhode::live {

/// A page in a browser, as the hub sees it.
class Page {
 public:
  virtual ~Page() = default;

  /// Sends in the order of the calls.
  virtual void sendText(News::Text text) = 0;

  /// Sends when the line is free; a frame that waits is replaced by a newer one.
  virtual void sendFrame(News::Text frame) = 0;

  virtual void close() = 0;
};

/// Where the pages meet: all of them see the same, one of them steers. The first that comes steers, until it goes or
/// another asks for it. Lives in the network thread.
class Hub {
 public:
  explicit Hub(Runner& runner) : runner_(runner) {}

  /// A page comes: it is told its number, what there is to see and where things are.
  void enter(std::shared_ptr<Page> page);
  void leave(const Page& page);

  /// A message from a page.
  void receive(const Page& page, std::string_view message);

  /// Tells the pages what is new.
  void spread();

  /// Whether the page of that number is the one that steers.
  bool isSteering(long number) const { return number == steering_; }
  void show(std::shared_ptr<const FinishedRun> run) { runner_.post(std::move(run)); }

  const std::shared_ptr<const FinishedRun>& run() const { return run_; }

  /// The recording of that number, or none.
  std::shared_ptr<const KeptRecording> recording(std::size_t number) const;

  void closeAll();

 private:
  struct Seat {
    long number;
    std::shared_ptr<Page> page;
  };
  Seat* find(const Page& page);
  void tellSeats();

  Runner& runner_;
  std::vector<Seat> seats_;
  long lastNumber_ = 0;
  long steering_ = 0;
  News::Text scene_, status_;
  News::Text frame_, sent_;  // the last one, and as it was sent
  std::shared_ptr<const FinishedRun> run_;
  std::vector<std::shared_ptr<const KeptRecording>> recordings_;
};

}  // namespace polhode::live
