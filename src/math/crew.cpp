#include "math/crew.h"

#include <algorithm>
#include <system_error>

namespace polhode {

namespace {

constexpr int end = -1, lastRound = 0x3fffffff;

constexpr std::uint64_t sixteenBits = 0xffff, begun = std::uint64_t{1} << 32;

std::uint64_t packed(std::uint32_t round, std::uint64_t next, std::uint64_t beyond) {
  return std::uint64_t{round} << 33 | next << 16 | beyond;
}

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Waits until the number is another one: for some moments awake, since the next piece of work mostly comes at once, then asleep.
int waitForChange(const std::atomic<int>& number, int old) {
  constexpr int moments = 10000;
  for (int i = 0; i < moments; ++i) {
    const int now = number.load(std::memory_order_acquire);
    if (now != old) return now;
    pause();
  }
  number.wait(old, std::memory_order_acquire);
  return number.load(std::memory_order_acquire);
}

}  // namespace

Crew::Crew(int threads) : shares_(static_cast<std::size_t>(std::max(threads, 1))) {
  others_.reserve(shares_.size());
  try {
    for (std::size_t i = 1; i < shares_.size(); ++i) others_.emplace_back([this, i] { wait(i); });
  } catch (const std::system_error&) {
    // the machine starts no more; what would be theirs is taken by those that there are
  }
}

Crew::~Crew() {
  round_.store(end, std::memory_order_release);
  round_.notify_all();
  for (std::thread& other : others_) other.join();
}

void Crew::share(std::size_t count, Call call, const void* work) {
  if (others_.empty() || count <= 1) {
    for (std::size_t piece = 0; piece < count; ++piece) call(work, piece);
    return;
  }
  call_ = call;
  work_ = work;
  undone_.store(static_cast<int>(count), std::memory_order_relaxed);
  const int last = round_.load(std::memory_order_relaxed), round = last == lastRound ? 1 : last + 1;
  for (std::size_t i = 0; i < shares_.size(); ++i)
    shares_[i].left.store(
        packed(static_cast<std::uint32_t>(round), count * i / shares_.size(), count * (i + 1) / shares_.size()),
        std::memory_order_release);
  round_.store(round, std::memory_order_release);
  round_.notify_all();
  takeAll(0, static_cast<std::uint32_t>(round));
  for (int undone; (undone = undone_.load(std::memory_order_acquire)) != 0;) waitForChange(undone_, undone);
}

/// The own share from its beginning, then those of the others from their ends.
void Crew::takeAll(std::size_t mine, std::uint32_t round) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    Share& share = shares_[(mine + i) % shares_.size()];
    for (std::size_t piece; take(share, round, i == 0, piece);) {
      call_(work_, piece);
      if (undone_.fetch_sub(1, std::memory_order_acq_rel) == 1) undone_.notify_one();
    }
  }
}

bool Crew::take(Share& share, std::uint32_t round, bool isOwn, std::size_t& piece) {
  std::uint64_t left = share.left.load(std::memory_order_acquire);
  while (left >> 33 == round) {
    const std::uint64_t next = left >> 16 & sixteenBits, end = left & sixteenBits;
    if (next >= end || (!isOwn && (left & begun) != 0 && end - next == 1)) return false;
    const std::uint64_t after = isOwn ? (left | begun) + (1 << 16) : left - 1;
    piece = isOwn ? next : end - 1;
    if (share.left.compare_exchange_weak(left, after, std::memory_order_acq_rel, std::memory_order_acquire))
      return true;
  }
  return false;
}

void Crew::wait(std::size_t mine) {
  for (int round = 0; (round = waitForChange(round_, round)) != end;) takeAll(mine, static_cast<std::uint32_t>(round));
}

}  // namespace polhode
