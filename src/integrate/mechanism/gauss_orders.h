#pragma once

#include "integrate/mechanism/gauss_engine.h"

#include <array>
#include <limits>
#include <memory>
#include <span>

/// Gauss collocation of a mechanism by one order, or by the one of orders 8, 10, 12 and 14 that costs least (`director-gauss`).
///
/// **The price of an order** is the work of its steps, refused ones included, over the time that they go:
///
///     price = sum of iterations (4 + stages) + factorisations  /  sum of h
///
/// counted, not timed, so that a run is the same on every machine: an iteration with s stages forms and solves their equations
/// side by side, which costs somewhat more the more there are.
///
/// **Trials.** Now and then some steps are done by the next order below or above, in turn. If they are cheaper by a twentieth the run
/// goes on with that order, otherwise with the one before, and the next trial comes after twice as many steps. The first steps
/// behind a change begin without a past and do not count.
namespace polhode {

class GaussOrders {
 public:
  /// `order` 0: the one that costs least, from order 12 on.
  GaussOrders(const Mechanism& mechanism, int order);

  /// Of the next step.
  int order() const { return orders[next_]; }

  // What GaussEngine does, by the order of the next step or of the last one.
  StepReport step(MechanismState& state, double h, double most);
  void within(double theta, std::span<MovingPlacement> bodies) const { engines_[last_]->within(theta, bodies); }
  double estimate() const { return engines_[last_]->estimate(); }
  bool missesWork() const { return engines_[last_]->missesWork(); }
  void forget() { engines_[next_]->forget(); }
  void refuse() { engines_[next_]->refuse(); }
  void setLoad(std::size_t body, const BodyLoad& load);

  /// The last step, of this length, has been taken. By how much the next one should differ from what the last order allows.
  double taken(double h, double tolerance);

  void persist(Archive& archive);

 private:
  static constexpr std::array<int, 7> orders = {4, 6, 8, 10, 12, 14, 16};
  static constexpr std::size_t lowest = 2, usual = 4, highest = 5;  // of those that are chosen from

  void make(std::size_t which);
  void turnTo(std::size_t which);

  const Mechanism& mechanism_;
  bool chooses_;
  std::size_t last_, next_;
  std::array<std::unique_ptr<GaussEngine>, orders.size()> engines_;  // made when they are needed

  // The trials.
  static constexpr int settling = 2, ofTrial = 6, ofFirstWait = 24, ofLongestWait = 1536;
  bool isTrial_ = false, goesUp_ = false;
  std::size_t home_ = usual;  // where a trial came from
  int wait_ = ofFirstWait;    // steps from one trial to the next
  int steps_ = 0;             // since the last change
  double work_ = 0.0;         // of the step that is tried
  double sumOfWork_ = 0.0, sumOfTime_ = 0.0, priceAtHome_ = std::numeric_limits<double>::infinity();
};

}  // namespace polhode
