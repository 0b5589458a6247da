#pragma once

#include "server/session.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace polhode::live {

/// The thread in which a session simulates in real time. Its functions may be called from any other thread.
class Runner {
 public:
  /// Begins at once. `onNews` is called from the thread, at most 60 times a second.
  Runner(std::unique_ptr<Session> session, std::function<void()> onNews);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void post(Command command);
  void post(std::shared_ptr<const FinishedRun> run);

  /// What has happened since the last call.
  News takeNews();

  /// Ends the thread and finishes the session. Throws InputError where its recording cannot be written.
  void stop();

  /// The clock of sessions that run in real time.
  static double now();

 private:
  void run();
  void turn(std::shared_ptr<const FinishedRun> runToShow, const std::vector<Command>& commands);
  void publish();

  std::unique_ptr<Session> session_;  // belongs to the thread
  std::function<void()> onNews_;

  std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  std::vector<Command> commands_;
  std::shared_ptr<const FinishedRun> runToShow_;
  News news_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace polhode::live
