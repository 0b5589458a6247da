#include "ensemble/sweep_run.h"

#include "polhode/error.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>

namespace polhode::ensemble {

namespace {

constexpr auto longestWait = std::chrono::milliseconds(100);
constexpr double batchSeconds = 2e-3;      // of work that a thread takes at once
constexpr std::int64_t mostAtOnce = 64;    // members
constexpr double mostWaiting = 1 << 20;    // numbers of members that wait for their turn, for a thread: 8 MB
constexpr std::int64_t leastWaiting = 16;  // members, so that a slow one does not hold up the others

/// What threads share: which member is next, and those that are ready before their turn. A thread takes as many at once as it
/// does in a moment, in whole widths of the way they are moved.
class OrderedWork {
 public:
  OrderedWork(const Sweep& sweep, std::int64_t first, unsigned threads, Ranks* ranks)
      : sweep_(sweep),
        ranks_(ranks),
        width_(static_cast<std::int64_t>(sweep.mover().width)),
        next_(first),
        handed_(first) {
    const double fitting = mostWaiting / static_cast<double>(sweep.layout().numbers());
    const auto hands = static_cast<std::int64_t>(threads + (ranks ? ranks->helpers() : 0));
    ahead_ = hands * std::clamp(static_cast<std::int64_t>(fitting), leastWaiting, 4 * mostAtOnce) * width_;
    for (unsigned i = 0; ranks && i < ranks->helpers(); ++i)
      start([this, ranks, i] { work([ranks, i](std::int64_t a, std::int64_t b) { return ranks->rows(i, a, b); }); });
    for (unsigned i = 0; i < threads; ++i)
      start([this] {
        work(
            [mine = std::make_shared<MemberWork>(sweep_)](std::int64_t a, std::int64_t b) { return mine->rows(a, b); });
      });
  }

  ~OrderedWork() {
    {
      const std::scoped_lock lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void handOver(const SweepHands& hands) {
    std::unique_lock lock(mutex_);
    while (handed_ < sweep_.size() && !hands.stopped()) {
      const bool isReady = changed_.wait_for(lock, longestWait, [&] { return failure_ || ready_.contains(handed_); });
      if (failure_) std::rethrow_exception(failure_);
      std::vector<MemberRow> rows;
      if (isReady) rows = std::move(ready_.extract(handed_).mapped());
      handed_ += static_cast<std::int64_t>(rows.size());
      lock.unlock();
      changed_.notify_all();
      for (MemberRow& row : rows) hands.take(std::move(row));
      hands.idle();
      lock.lock();
    }
    if (ranks_ && hands.stopped()) ranks_->hurry();
  }

 private:
  /// Where the machine starts no more threads those that there are do the work.
  template <class Work>
  void start(Work work) {
    try {
      threads_.emplace_back(std::move(work));
    } catch (const std::system_error& error) {
      if (threads_.empty())
        throw SimulationError(0.0, fmt::format("no thread can be started ({}); end other programs", error.what()));
    }
  }

  /// `rowsOf` makes those of a range of members.
  template <class Rows>
  void work(const Rows& rowsOf) {
    try {
      std::int64_t atOnce = 1;  // widths
      std::unique_lock lock(mutex_);
      while (true) {
        changed_.wait(lock, [&] { return ends_ || next_ == sweep_.size() || next_ < handed_ + ahead_; });
        if (ends_ || next_ == sweep_.size()) return;
        const std::int64_t begin = next_, end = std::min(begin + atOnce * width_, sweep_.size());
        next_ = end;
        lock.unlock();
        const auto started = std::chrono::steady_clock::now();
        std::vector<MemberRow> rows = rowsOf(begin, end);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        atOnce = seconds < batchSeconds ? std::min(2 * atOnce, mostAtOnce) : std::max<std::int64_t>(1, atOnce / 2);
        lock.lock();
        ready_.emplace(begin, std::move(rows));
        if (begin == handed_) changed_.notify_all();
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  const Sweep& sweep_;
  Ranks* ranks_;
  std::int64_t width_, ahead_ = 0;
  std::int64_t next_, handed_;  // members
  std::map<std::int64_t, std::vector<MemberRow>> ready_;
  std::exception_ptr failure_;
  bool ends_ = false;
  std::mutex mutex_;  // guards all from next_ on
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
};

}  // namespace

void runSweep(const Sweep& sweep, std::int64_t first, unsigned threads, const SweepHands& hands, Ranks* ranks) {
  if (ranks) ranks->begin(sweep.plan());
  const std::int64_t left = std::max<std::int64_t>(1, sweep.size() - first);
  const auto useful = static_cast<unsigned>(std::clamp<std::int64_t>(threads, 1, left));
  OrderedWork(sweep, first, useful, ranks).handOver(hands);
}

}  // namespace polhode::ensemble
