#include "ensemble/ranks.h"
#include "polhode/error.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>
#define OMPI_SKIP_MPICXX  // the C interface alone
#include <mpi.h>

namespace polhode::ensemble {

namespace {

constexpr auto lastMoment = std::chrono::milliseconds(300);  // of the second until mpirun kills

enum Tag { planTag = 1, rangeTag, rowsTag, endTag };

void putNumber(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void putText(std::string& bytes, const std::string& text) {
  putNumber(bytes, text.size());
  bytes += text;
}

/// Takes apart what was put together; both are the same program.
class Parcel {
 public:
  explicit Parcel(const std::string& bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, take(sizeof number), sizeof number);
    return number;
  }
  std::string text() {
    const std::size_t size = number();
    return {take(size), size};
  }
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> numbers(count);
    if (count > 0) std::memcpy(numbers.data(), take(count * sizeof(double)), count * sizeof(double));
    return numbers;
  }

 private:
  const char* take(std::size_t size) {
    if (size > bytes_.size() - at_) throw SimulationError(0.0, "a rank sent less than it should; begin the sweep anew");
    at_ += size;
    return bytes_.data() + at_ - size;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
      throw InputError("this MPI cannot be used by more than one thread of a process; take another");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  /// Where one does not answer there is nobody to end together with.
  ~MpiRanks() override {
    if (isDeserted_) return;
    for (int rank = 1; isFirst() && rank < size_; ++rank) send(rank, endTag, "");
    MPI_Finalize();
  }

  bool isFirst() const override { return rank_ == 0; }
  unsigned helpers() const override { return static_cast<unsigned>(size_ - 1); }

  void begin(const SweepPlan& plan) override {
    std::string bytes;
    const Attributes words = plan.attributes();
    putNumber(bytes, words.size());
    for (const auto& [name, text] : words) {
      putText(bytes, name);
      putText(bytes, text);
    }
    for (int rank = 1; rank < size_; ++rank) send(rank, planTag, bytes);
  }

  std::vector<MemberRow> rows(unsigned helper, std::int64_t begin, std::int64_t end) override {
    const int rank = static_cast<int>(helper) + 1;
    std::string range;
    putNumber(range, static_cast<std::uint64_t>(begin));
    putNumber(range, static_cast<std::uint64_t>(end));
    send(rank, rangeTag, range);
    const std::string bytes = receive(rank).second;
    Parcel parcel(bytes);
    std::vector<MemberRow> rows(static_cast<std::size_t>(end - begin));
    const std::size_t numbers = parcel.number();
    for (MemberRow& row : rows) {
      row.failure = parcel.text();
      row.numbers = parcel.numbers(numbers);
    }
    return rows;
  }

  void hurry() override { hurries_ = true; }

  void help() override {
    std::signal(SIGINT, SIG_IGN);  // the first one ends in order, and then this one
    std::signal(SIGTERM, SIG_IGN);
    std::optional<Sweep> sweep;
    std::optional<MemberWork> work;
    while (true) {
      const auto [tag, bytes] = receive(0);
      if (tag == endTag) return;
      Parcel parcel(bytes);
      if (tag == planTag) {
        Attributes words(parcel.number());
        for (auto& [name, text] : words) {
          name = parcel.text();
          text = parcel.text();
        }
        sweep.emplace(SweepPlan::of(words, "the plan of the first rank"));
        work.emplace(*sweep);
        continue;
      }
      const auto begin = static_cast<std::int64_t>(parcel.number()), end = static_cast<std::int64_t>(parcel.number());
      std::string answer;
      putNumber(answer, sweep->layout().numbers());
      for (const MemberRow& row : work->rows(begin, end)) {
        putText(answer, row.failure);
        answer.append(reinterpret_cast<const char*>(row.numbers.data()), row.numbers.size() * sizeof(double));
      }
      send(0, rowsTag, answer);
    }
  }

 private:
  void send(int rank, int tag, const std::string& bytes) {
    const std::scoped_lock lock(mutex_);
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD);
  }

  /// Looks now and then, since MPI waits with the processor at full speed.
  std::pair<int, std::string> receive(int rank) {
    auto pause = std::chrono::microseconds(20);
    std::optional<std::chrono::steady_clock::time_point> hurried;
    while (true) {
      {
        const std::scoped_lock lock(mutex_);
        int isThere = 0, size = 0;
        MPI_Status status;
        MPI_Iprobe(rank, MPI_ANY_TAG, MPI_COMM_WORLD, &isThere, &status);
        if (isThere) {
          MPI_Get_count(&status, MPI_BYTE, &size);
          std::string bytes(static_cast<std::size_t>(size), '\0');
          MPI_Recv(bytes.data(), size, MPI_BYTE, rank, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          return {status.MPI_TAG, std::move(bytes)};
        }
      }
      if (hurries_ && !hurried) hurried = std::chrono::steady_clock::now();
      if (hurried && std::chrono::steady_clock::now() - *hurried > lastMoment) {
        isDeserted_ = true;
        throw SimulationError(0.0, fmt::format("rank {} does not answer; go on with `polhode resume`", rank));
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::microseconds(500));
    }
  }

  int rank_ = 0, size_ = 1;
  std::atomic<bool> hurries_ = false, isDeserted_ = false;
  std::mutex mutex_;  // guards MPI
};

}  // namespace

std::unique_ptr<Ranks> joinRanks() {
  if (!std::getenv("OMPI_COMM_WORLD_SIZE") && !std::getenv("PMI_SIZE")) return nullptr;
  return std::make_unique<MpiRanks>();
}

}  // namespace polhode::ensemble
