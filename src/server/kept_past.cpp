#include "server/kept_past.h"

#include "polhode/error.h"

#include <algorithm>

namespace polhode::live {

namespace {

std::size_t bytesOf(const Moment& moment) {
  return sizeof moment + moment.state.size();
}

}  // namespace

void KeptPast::keep(LiveSimulation& simulation, double apart, std::shared_ptr<const Edition> edition) {
  try {
    Moment moment = simulation.moment();
    moment.state.shrink_to_fit();
    moment.edition = std::move(edition);
    why_.clear();
    while (!moments_.empty() && moments_.back().time >= moment.time) drop(moments_.size() - 1);  // goes on another way
    bytes_ += bytesOf(moment);
    const bool isOther = !moments_.empty() && moments_.back().edition != moment.edition;
    moments_.push_back(std::move(moment));
    if (isOther) forgetOldEditions();
    thin(apart);
  } catch (const InputError& error) {
    clear();
    why_ = error.what();
  }
  at_ = moments_.empty() ? 0 : moments_.size() - 1;
}

void KeptPast::clear() {
  moments_.clear();
  at_ = bytes_ = 0;
  apart_ = 0.0;
  why_.clear();
}

void KeptPast::thin(double apart) {
  if (moments_.size() > singleSteps + 3) {  // of the step that is no more one of the last
    const std::size_t i = moments_.size() - singleSteps - 2;
    const double rounding = 1e-9 * apart;
    if (moments_[i + 1].time - moments_[i - 1].time <= apart + rounding) drop(i);
  }
  if (bytes_ > mostBytes_) makeRoom();
}

/// The newer half stays as it is. Of the older one moments that are too near to the one before go; what is too near is twice as
/// much where that is not enough.
void KeptPast::makeRoom() {
  const std::size_t enough = mostBytes_ / 5 * 4;
  for (bool isFirst = true; bytes_ > enough && moments_.size() >= 4; isFirst = false) {
    const std::size_t half = moments_.size() / 2;
    const double mean = (moments_[half].time - moments_.front().time) / static_cast<double>(half);
    if (!isFirst) apart_ = 2.0 * std::max(apart_, mean);
    const double least = 0.99 * apart_;  // they lie at the ends of steps
    std::deque<Moment> kept;
    for (std::size_t i = 0; i < moments_.size(); ++i)
      if (i == 0 || i >= half || moments_[i].time - kept.back().time >= least) kept.push_back(std::move(moments_[i]));
    moments_ = std::move(kept);
    bytes_ = 0;
    for (const Moment& moment : moments_) bytes_ += bytesOf(moment);
  }
}

void KeptPast::forgetOldEditions() {
  std::size_t editions = 1;
  for (std::size_t i = moments_.size() - 1; i > 0; --i)
    if (moments_[i - 1].edition != moments_[i].edition && ++editions > mostEditions) {
      while (i > 0) drop(--i);
      return;
    }
}

void KeptPast::drop(std::size_t index) {
  bytes_ -= bytesOf(moments_[index]);
  moments_.erase(moments_.begin() + static_cast<std::ptrdiff_t>(index));
}

void KeptPast::requirePast() const {
  if (moments_.empty()) throw InputError(why_);
}

const Moment& KeptPast::lookAt(double time) {
  requirePast();
  const auto found =
      std::lower_bound(moments_.begin(), moments_.end(), time, [](const Moment& m, double t) { return m.time < t; });
  at_ = std::min(static_cast<std::size_t>(found - moments_.begin()), moments_.size() - 1);
  return moments_[at_];
}

const Moment& KeptPast::lookBy(int by) {
  requirePast();
  const auto last = static_cast<std::ptrdiff_t>(moments_.size()) - 1;
  at_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at_) + by, 0, last));
  return moments_[at_];
}

void KeptPast::forgetLater() {
  while (isLookedAt()) drop(moments_.size() - 1);
  if (bytes_ < mostBytes_ / 2) apart_ = 0.0;
}

}  // namespace polhode::live
