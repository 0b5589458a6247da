#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

/// Several threads that share the pieces of one computation, again and again and many thousand times a second: the caller and those
/// that wait for him. What the pieces compute must not hang on who computes them or when; then it does not hang on how many
/// threads there are either.
///
/// Each thread has a share of its own, neighbouring pieces, always the same ones, so that it finds them in its own part of the
/// memory. Who is ready takes from the ends of the others' shares what these will not come to soon, but not their last pieces: to
/// fetch what belongs to a piece from another core takes as long as to wait for it. The caller waits only for pieces that are under
/// way, never for threads that have not woken up.
namespace polhode {

class Crew {
 public:
  static constexpr std::size_t mostPieces = 65535;

  /// So many threads with the caller, at least one; fewer where the machine starts no more.
  explicit Crew(int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int threads() const { return static_cast<int>(others_.size()) + 1; }

  /// Calls `work(piece)` for each piece below `count` and returns when all are done. The work throws nothing and asks for no other
  /// work of the crew. Only one thread at a time may call.
  template <class Work>
  void each(std::size_t count, const Work& work) {
    share(
        count, [](const void* what, std::size_t piece) noexcept { (*static_cast<const Work*>(what))(piece); }, &work);
  }

 private:
  using Call = void (*)(const void*, std::size_t) noexcept;

  /// What is left of a share, [next, end), whether its owner has begun, and the round that it belongs to, in one word: who comes
  /// late finds another round there, and takes nothing.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> left{0};
  };

  void share(std::size_t count, Call call, const void* work);
  void takeAll(std::size_t mine, std::uint32_t round);
  static bool take(Share& share, std::uint32_t round, bool isOwn, std::size_t& piece);
  void wait(std::size_t mine);

  std::vector<Share> shares_;
  Call call_ = nullptr;  // read only by who has taken a piece, until it is done
  const void* work_ = nullptr;
  alignas(64) std::atomic<int> round_{0};  // negative where it ends
  alignas(64) std::atomic<int> undone_{0};
  std::vector<std::thread> others_;
};

}  // namespace polhode
