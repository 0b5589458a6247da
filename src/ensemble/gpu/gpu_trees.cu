#include "ensemble/gpu/gpu_trees.h"
#include "polhode/error.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <optional>

namespace polhode::ensemble {

namespace {

constexpr int mostIterations = 12;

/// What a member is about to do.
enum { moves = 0, hasStopped = 1, beginsAnew = 2 };

void check(cudaError_t error) {
  if (error != cudaSuccess)
    throw SimulationError(0.0, std::string("the GPU says: ") + cudaGetErrorString(error) +
                          "; take fewer members, or go without --device gpu");
}

/// Memory of the card.
template <class T>
class OnCardArray {
 public:
  explicit OnCardArray(std::size_t count) : count_(count) {
    if (count_ == 0) return;
    check(cudaMalloc(reinterpret_cast<void**>(&first_), count_ * sizeof(T)));
    check(cudaMemset(first_, 0, count_ * sizeof(T)));
  }
  explicit OnCardArray(const std::vector<T>& values) : OnCardArray(values.size()) {
    if (count_ > 0) check(cudaMemcpy(first_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  OnCardArray(const OnCardArray&) = delete;
  OnCardArray& operator=(const OnCardArray&) = delete;
  ~OnCardArray() { cudaFree(first_); }

  T* get() const { return first_; }
  void read(std::vector<T>& values) const {
    values.resize(count_);
    if (count_ > 0) check(cudaMemcpy(values.data(), first_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
  }

 private:
  std::size_t count_;
  T* first_ = nullptr;
};

constexpr int mostGroups = 8;  // of walkWidth threads in a block: then each thread may have all registers that one can have

/// Steps of all members, a thread each. Bodies are kept in the fast memory of a block of threads while it steps, where they
/// find room there: then the card's memory is asked for little but the elimination.
template <bool hinges, bool branches, bool varied, bool loads, bool more, bool isKeptNear>  // nvcc takes no WalkKind here
__global__ void __launch_bounds__(mostGroups * walkWidth)
    walk(const __grid_constant__ WalkMemory memory, std::int64_t members, double* eliminated, int* stopped,
         unsigned long long* iterations, double h, std::int64_t steps, bool begins, const double* scales, int scaleCount) {
  constexpr WalkKind kind{hinges, branches, varied, loads, more, isKeptNear};
  constexpr int all = numbersOfBody(kind), kept = numbersNear(kind);
  extern __shared__ double near[];
  const std::int64_t member = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (member >= members) return;
  const int state = stopped[member];
  if (state == hasStopped) return;
  const int lane = threadIdx.x % walkWidth, groupInBlock = threadIdx.x / walkWidth;
  const std::int64_t group = member / walkWidth;
  double* far = memory.bodies + group * memory.links * all * walkWidth + lane;
  double* own = near + groupInBlock * memory.links * kept * walkWidth + lane;
  const auto each = [&](const auto& visit) {
    for (int i = 0; i < memory.links; ++i)
      for (int k = 0; k < kept; ++k) visit(own[(i * kept + k) * walkWidth], far[(i * all + k) * walkWidth]);
  };
  WalkMemory mine = memory;
  if constexpr (isKeptNear) {
    each([](double& here, const double& there) { here = there; });
    mine.bodies = near - (group - groupInBlock) * memory.links * kept * walkWidth;  // where the member's group would begin
    mine.farBodies = memory.bodies;
  }
  TreeWalk<kind> tree(mine, member, eliminated + group * memory.links * keptOfElimination(kind) * walkWidth + lane, walkWidth);
  if (begins || state == beginsAnew) tree.begin(h), stopped[member] = moves;
  unsigned long long sum = 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    const WalkedStep step = tree.step(h, mostIterations, more ? scales + i * scaleCount : nullptr);
    sum += step.iterations;
    if (step.converged) continue;
    stopped[member] = hasStopped;
    break;
  }
  if constexpr (isKeptNear) each([](const double& here, double& there) { there = here; });
  atomicAdd(iterations, sum);
}

/// Looks at all members that move.
template <bool hinges, bool branches, bool varied, bool loads, bool more>
__global__ void lookAt(const __grid_constant__ WalkMemory memory, const __grid_constant__ WatchMemory watched, std::int64_t members,
                       const int* stopped, double h) {
  const std::int64_t member = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (member >= members || stopped[member] == hasStopped) return;
  watchMember(TreeWalk<WalkKind{hinges, branches, varied, loads, more}>(memory, member, nullptr, 1), watched, member, h);
}

/// Puts some members where `numbers` say, `all` of them for each member.
__global__ void put(const __grid_constant__ WalkMemory memory, const std::int64_t* members, std::int64_t count,
                    const double* numbers, int all, int* stopped) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const std::int64_t member = members[i];
  double* own = memory.bodies + member / walkWidth * all * walkWidth + member % walkWidth;
  for (int k = 0; k < all; ++k) own[k * walkWidth] = numbers[i * all + k];
  stopped[member] = beginsAnew;
}

std::size_t membersInGroups(const WalkParts& parts) {
  return static_cast<std::size_t>(parts.groups() * walkWidth);
}

}  // namespace

class GpuTrees::OnCard {
 public:
  explicit OnCard(const WalkParts& parts)
      : kind_(parts.kind),
        members_(parts.members),
        groups_(static_cast<std::size_t>(parts.groups())),
        links_(parts.links),
        gravity_(parts.gravity),
        parameters_(parts.parameters),
        bodies_(parts.bodies),
        branches_(static_cast<std::size_t>(parts.branches * keptOfBranch) * membersInGroups(parts)),
        eliminated_(parts.links.size() * static_cast<std::size_t>(keptOfElimination(parts.kind)) * membersInGroups(parts)),
        forces_(parts.forces),
        forceNumbers_(parts.forceNumbers),
        work_(parts.kind.more ? membersInGroups(parts) : 0),
        stopped_(static_cast<std::size_t>(parts.members)),
        iterations_(1) {
    memory_ = parts.memory();
    memory_.link = links_.get();
    memory_.gravity = gravity_.get();
    memory_.parameters = parameters_.get();
    memory_.bodies = bodies_.get();
    memory_.branches = branches_.get();
    memory_.force = forces_.get();
    memory_.forceNumbers = forceNumbers_.get();
    memory_.work = work_.get();
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0));
    mostNear_ = properties.sharedMemPerBlockOptin;
  }

  /// `scales` of forces, those of one step after the other.
  std::int64_t step(std::int64_t count, double length, const std::vector<double>& scales) {
    const OnCardArray<double> scalesThere(scales);
    check(cudaMemset(iterations_.get(), 0, sizeof(unsigned long long)));
    const int scaleCount = count > 0 ? static_cast<int>(scales.size() / static_cast<std::size_t>(count)) : 0;
    withKind(kind_, [&](auto kind) {
      const std::int64_t atOnce = watched_.watches > 0 ? 1 : count;
      for (std::int64_t done = 0; done < count; done += atOnce) {
        launch<decltype(kind)::value>(atOnce, length, scalesThere.get() + done * scaleCount, scaleCount);
        length_ = length;
        if (watched_.watches > 0) look<decltype(kind)::value>(length);
      }
    });
    check(cudaDeviceSynchronize());
    std::vector<unsigned long long> sum;
    iterations_.read(sum);
    return static_cast<std::int64_t>(sum[0]);
  }
  void place(std::span<const std::int64_t> members, const std::vector<double>& numbers) {
    const OnCardArray<std::int64_t> which(std::vector<std::int64_t>(members.begin(), members.end()));
    const OnCardArray<double> where(numbers);
    constexpr int threads = 128;
    const auto count = static_cast<std::int64_t>(members.size());
    put<<<static_cast<unsigned>((count + threads - 1) / threads), threads>>>(memory_, which.get(), count, where.get(), static_cast<int>(numbers.size() / members.size()),
                                                                            stopped_.get());
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }
  void setLoads(std::size_t link, const std::vector<double>& loads) {
    const std::size_t links = static_cast<std::size_t>(memory_.links), ofLink = sizeof(double) * numbersOfLoad * walkWidth;
    if (!loads_) loads_.emplace(links * numbersOfLoad * walkWidth * groups_);
    kind_.loads = true;
    memory_.loads = loads_->get();
    check(cudaMemcpy2D(loads_->get() + link * numbersOfLoad * walkWidth, links * ofLink, loads.data(), ofLink, ofLink,
                       groups_, cudaMemcpyHostToDevice));
  }
  void read(std::vector<double>& bodies) const { bodies_.read(bodies); }
  void watch(const WatchParts& parts, std::size_t members) {
    watches_.emplace(parts.watches);
    watchNumbers_.emplace(parts.numbers);
    watchStates_.emplace(parts.watches.size() * of_watch::count * members);
    watched_ = {static_cast<int>(parts.watches.size()), watches_->get(), watchNumbers_->get(), watchStates_->get()};
    withKind(kind_, [&](auto kind) { look<decltype(kind)::value>(0.0); });
    check(cudaDeviceSynchronize());
  }
  void readWatched(std::vector<double>& states) const {
    if (watchStates_) watchStates_->read(states);
  }
  void readWork(std::vector<double>& work) const { work_.read(work); }
  void readStopped(std::vector<int>& stopped) const { stopped_.read(stopped); }

 private:
  /// With as many threads in a block as have room for their bodies near them. With fewer than three groups
  /// the card would wait more for itself than for its memory: then bodies stay there.
  template <WalkKind kind>
  void launch(std::int64_t count, double length, const double* scales, int scaleCount) {
    const std::size_t ofGroup = sizeof(double) * static_cast<std::size_t>(numbersNear(kind)) * static_cast<std::size_t>(memory_.links) * walkWidth;
    const auto fitting = static_cast<int>(std::min<std::size_t>(mostGroups, mostNear_ / ofGroup));
    const int groups = fitting < 3 ? 0 : fitting;
    const int threads = walkWidth * (groups > 0 ? groups : 4);
    const auto blocks = static_cast<unsigned>((members_ + threads - 1) / threads);
    const auto go = groups > 0 ? walk<kind.hinges, kind.branches, kind.varied, kind.loads, kind.more, true>
                               : walk<kind.hinges, kind.branches, kind.varied, kind.loads, kind.more, false>;
    const std::size_t near = ofGroup * static_cast<std::size_t>(groups);
    check(cudaFuncSetAttribute(go, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(near)));
    go<<<blocks, threads, near>>>(memory_, members_, eliminated_.get(), stopped_.get(), iterations_.get(), length, count,
                                  length != length_, scales, scaleCount);
    check(cudaGetLastError());
  }

  template <WalkKind kind>
  void look(double length) {
    constexpr int threads = 128;
    lookAt<kind.hinges, kind.branches, kind.varied, false, kind.more>
        <<<static_cast<unsigned>((members_ + threads - 1) / threads), threads>>>(memory_, watched_, members_, stopped_.get(),
                                                                                 length);
    check(cudaGetLastError());
  }

  WalkKind kind_;
  std::int64_t members_;
  std::size_t groups_;
  std::optional<OnCardArray<double>> loads_, watchNumbers_, watchStates_;
  std::optional<OnCardArray<WalkWatch>> watches_;
  WatchMemory watched_;
  OnCardArray<WalkLink> links_;
  OnCardArray<double> gravity_, parameters_, bodies_, branches_, eliminated_;
  OnCardArray<WalkForce> forces_;
  OnCardArray<double> forceNumbers_, work_;
  OnCardArray<int> stopped_;
  OnCardArray<unsigned long long> iterations_;
  WalkMemory memory_;
  std::size_t mostNear_ = 0;
  double length_ = 0.0;
};

std::string GpuTrees::obstacle() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) return std::string("this machine has no GPU that answers (") + cudaGetErrorString(error) + ")";
  return count > 0 ? "" : "this machine has no GPU";
}

GpuTrees::Card GpuTrees::card() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  int clock = 0, memoryClock = 0;  // kHz
  check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
  check(cudaDeviceGetAttribute(&memoryClock, cudaDevAttrMemoryClockRate, 0));
  constexpr double unitsOfHopper = 64.0;  // of double precision in a multiprocessor, each a product and a sum at once
  return {properties.name, 2e3 * memoryClock * properties.memoryBusWidth / 8.0,
          2e3 * clock * properties.multiProcessorCount * unitsOfHopper};
}

GpuTrees::GpuTrees(WalkParts parts)
    : parts_(std::move(parts)),
      bodies_(parts_.bodies),
      stopped_(static_cast<std::size_t>(parts_.members)),
      card_(std::make_unique<OnCard>(parts_)) {}

GpuTrees::~GpuTrees() = default;

std::int64_t GpuTrees::step(std::int64_t count, double length) {
  const std::int64_t iterations = card_->step(count, length, parts_.scalesFrom(time_, length, count));
  time_ += static_cast<double>(count) * length;
  card_->readStopped(stopped_);  // nobody who moves is about to begin
  return iterations;
}

void GpuTrees::place(std::span<const std::int64_t> members, std::span<const MechanismMotion> motions) {
  if (members.empty()) return;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::vector<double> own = walkedNumbers(parts_, members[i], motions[i]);
    numbers.insert(numbers.end(), own.begin(), own.end());
  }
  card_->place(members, numbers);
  for (const std::int64_t member : members) stopped_[static_cast<std::size_t>(member)] = 0;
}

void GpuTrees::setLoads(std::size_t body, std::span<const double> forces, std::span<const double> torques) {
  const WalkBody& at = parts_.bodiesOf(0)[body];
  if (!at.isLinkItself())
    throw InputError("the GPU does not pull at bodies that are fixed to others; give the model a load there");
  card_->setLoads(static_cast<std::size_t>(at.link), walkedLoads(parts_, forces, torques));
}

void GpuTrees::watch(std::span<const std::shared_ptr<const Mechanism>> members, std::span<const Watched> watched) {
  watches_ = watchParts(parts_, members, watched);
  card_->watch(watches_, static_cast<std::size_t>(parts_.groups() * walkWidth));
}

std::vector<double> GpuTrees::watchedStates() const {
  std::vector<double> states;
  card_->readWatched(states);
  return states;
}

std::vector<double> GpuTrees::work() const {
  std::vector<double> work;
  card_->readWork(work);
  work.resize(static_cast<std::size_t>(parts_.members), 0.0);
  return work;
}

const std::vector<double>& GpuTrees::bodies() {
  card_->read(bodies_);
  return bodies_;
}

}  // namespace polhode::ensemble
