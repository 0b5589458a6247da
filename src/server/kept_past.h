#pragma once

#include "server/live_simulation.h"

#include <deque>
#include <string>

namespace polhode::live {

/// The past of a live simulation, to go back to: the ends of its last steps one by one, before them those about a picture
/// apart, and the older the farther apart. What is kept takes no more than `mostBytes`: where it would, every second moment
/// of the older half makes room, so that the beginning stays and the near past is whole.
///
/// Somebody who looks back stands at one of the moments; nothing is lost until the simulation goes on from there.
class KeptPast {
 public:
  static constexpr std::size_t singleSteps = 100;  // that are kept one by one
  static constexpr std::size_t usualBytes = 128'000'000;

  explicit KeptPast(std::size_t mostBytes = usualBytes) : mostBytes_(mostBytes) {}

  /// Keeps where the simulation is now; moments that are older than the last steps stay where they are at least `apart` seconds
  /// apart. Of an integrator that cannot be kept nothing is, and why() says so. Only where nobody looks back.
  void keep(LiveSimulation& simulation, double apart);

  void clear();

  /// Why there is no past; empty where there is one.
  const std::string& why() const { return why_; }

  std::size_t size() const { return moments_.size(); }
  std::size_t bytes() const { return bytes_; }
  double from() const { return moments_.empty() ? 0.0 : moments_.front().time; }
  double to() const { return moments_.empty() ? 0.0 : moments_.back().time; }

  /// Whether somebody looks back: what is shown is not where the simulation has come to.
  bool isLookedAt() const { return at_ + 1 < moments_.size(); }

  /// Stands at the first moment that is not before `time`, or else the last one; or as many moments later, or earlier, as said.
  /// Throws InputError, with the sentence of why(), where there is no past.
  const Moment& lookAt(double time);
  const Moment& lookBy(int moments);

  /// Goes on from the moment that is looked at: the later ones are no more.
  void forgetLater();

 private:
  void thin(double apart);
  void drop(std::size_t index);
  void requirePast() const;

  std::size_t mostBytes_;
  std::deque<Moment> moments_;
  std::size_t at_ = 0;  // where somebody stands
  std::size_t bytes_ = 0;
  std::string why_;
};

}  // namespace polhode::live
