#include "server/runner.h"

#include <chrono>

namespace polhode::live {

namespace {

constexpr double turnInterval = 1.0 / 240.0;  // seconds between two looks at the clock
constexpr double frameInterval = 1.0 / 60.0;

/// What is new takes the place of what has not been fetched yet.
void merge(News& pending, News&& fresh) {
  if (fresh.frame) pending.frame = std::move(fresh.frame);
  if (fresh.scene) pending.scene = std::move(fresh.scene);
  if (fresh.status) pending.status = std::move(fresh.status);
  pending.run = std::move(fresh.run);
  pending.recordings = std::move(fresh.recordings);
  for (std::string& notice : fresh.notices) pending.notices.push_back(std::move(notice));
}

}  // namespace

double Runner::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Runner::Runner(std::unique_ptr<Session> session, std::function<void()> onNews)
    : session_(std::move(session)), onNews_(std::move(onNews)), thread_([this] { run(); }) {}

Runner::~Runner() {
  try {
    stop();
  } catch (const std::exception&) {
    // whoever wants to know calls stop()
  }
}

void Runner::post(Command command) {
  const std::scoped_lock lock(mutex_);
  commands_.push_back(std::move(command));
  wake_.notify_one();
}

void Runner::post(std::shared_ptr<const FinishedRun> run) {
  const std::scoped_lock lock(mutex_);
  runToShow_ = std::move(run);
  wake_.notify_one();
}

News Runner::takeNews() {
  const std::scoped_lock lock(mutex_);
  News news = news_;
  news_.frame = news_.scene = news_.status = nullptr;
  news_.notices.clear();
  return news;
}

void Runner::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    wake_.notify_one();
  }
  if (!thread_.joinable()) return;
  thread_.join();
  session_->finish();
}

void Runner::run() {
  double nextFrame = now();
  for (;;) {
    std::vector<Command> commands;
    std::shared_ptr<const FinishedRun> runToShow;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, std::chrono::duration<double>(turnInterval),
                     [this] { return stopping_ || !commands_.empty() || runToShow_; });
      if (stopping_) return;
      commands.swap(commands_);
      runToShow.swap(runToShow_);
    }
    // a thread that an exception leaves would end the program, and the recording with it
    try {
      turn(std::move(runToShow), commands);
      if (now() >= nextFrame) {
        publish();
        nextFrame = std::max(nextFrame + frameInterval, now());
      }
    } catch (const std::exception& error) {
      session_->fail(error);
    }
  }
}

/// What pages ask for, then the time that has passed.
void Runner::turn(std::shared_ptr<const FinishedRun> runToShow, const std::vector<Command>& commands) {
  if (runToShow) session_->show(std::move(runToShow));
  for (const Command& command : commands) session_->obey(command);
  session_->advance();
}

void Runner::publish() {
  News fresh = session_->takeNews();
  {
    const std::scoped_lock lock(mutex_);
    merge(news_, std::move(fresh));
  }
  onNews_();
}

}  // namespace polhode::live
