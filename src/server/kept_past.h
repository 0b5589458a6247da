#pragma once

#include "polhode/io/model_file.h"
#include "server/live_simulation.h"

#include <deque>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace polhode::live {

/// A model as it was between two changes that were made while it was simulated.
struct Edition {
  using Overrides = std::vector<std::string>;
  /// What was before a change: the overrides of the model file, or where the bodies stood.
  using Before = std::variant<Overrides, std::shared_ptr<const Moment>>;

  std::shared_ptr<const ModelFile> file;
  std::vector<Before> earlier;  // before each change that can be undone
};

/// The past of a live simulation, to go back to: the ends of its last steps one by one, before them those about a picture
/// apart, and in the older half farther apart, but evenly, however long it is. What is kept takes no more than `mostBytes`: where it
/// would, moments of the older half make room, so that the beginning stays and the near past is whole. A moment knows the edition of the model that
/// it belongs to; what was before the last `mostEditions` of them is forgotten.
///
/// Somebody who looks back stands at one of the moments; nothing is lost until the simulation goes on from there.
class KeptPast {
 public:
  static constexpr std::size_t singleSteps = 100;  // that are kept one by one
  static constexpr std::size_t usualBytes = 128'000'000;
  static constexpr std::size_t mostEditions = 50;

  explicit KeptPast(std::size_t mostBytes = usualBytes) : mostBytes_(mostBytes) {}

  /// Keeps where the simulation is now, of this edition of its model; moments that are older than the last steps stay where they are at least `apart` seconds
  /// apart. Of an integrator that cannot be kept nothing is, and why() says so. Only where nobody looks back.
  void keep(LiveSimulation& simulation, double apart, std::shared_ptr<const Edition> edition = nullptr);

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
  void makeRoom();
  void forgetOldEditions();
  void drop(std::size_t index);
  void requirePast() const;

  std::size_t mostBytes_;
  std::deque<Moment> moments_;
  std::size_t at_ = 0;  // where somebody stands
  std::size_t bytes_ = 0;
  double apart_ = 0.0;  // seconds between two moments of the older half, at least
  std::string why_;
};

}  // namespace polhode::live
