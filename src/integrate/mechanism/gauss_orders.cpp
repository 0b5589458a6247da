#include "integrate/mechanism/gauss_orders.h"

#include "integrate/archive.h"

#include <algorithm>
#include <cmath>

namespace polhode {

GaussOrders::GaussOrders(const Mechanism& mechanism, int order)
    : mechanism_(mechanism),
      chooses_(order == 0),
      last_(chooses_ ? usual
                     : static_cast<std::size_t>(std::find(orders.begin(), orders.end(), order) - orders.begin())),
      next_(last_) {
  make(next_);
}

void GaussOrders::make(std::size_t which) {
  if (engines_[which]) return;
  engines_[which] = std::make_unique<GaussEngine>(mechanism_, orders[which] / 2);
  if (engines_[last_]) engines_[which]->takeLoads(*engines_[last_]);
}

void GaussOrders::setLoad(std::size_t body, const BodyLoad& load) {
  for (auto& engine : engines_)
    if (engine) engine->setLoad(body, load);
}

StepReport GaussOrders::step(MechanismState& state, double h, double most) {
  const StepReport report = engines_[next_]->step(state, h, most);
  work_ += report.iterations * (4 + orders[next_] / 2) + report.factorisations;
  last_ = next_;
  return report;
}

/// The next step is done by that order, with nothing to go on from.
void GaussOrders::turnTo(std::size_t which) {
  make(which);
  next_ = which;
  engines_[which]->forget();
}

double GaussOrders::taken(double h, double tolerance) {
  constexpr double worth = 0.95;
  if (!chooses_) return 1.0;
  if (++steps_ > settling) sumOfWork_ += work_, sumOfTime_ += h;
  work_ = 0.0;
  if (steps_ < settling + (isTrial_ ? ofTrial : wait_)) return 1.0;

  const double price = sumOfWork_ / sumOfTime_;
  if (!isTrial_) {
    if (next_ == lowest) goesUp_ = true;
    if (next_ == highest) goesUp_ = false;
    home_ = next_;
    priceAtHome_ = price;
    turnTo(goesUp_ ? next_ + 1 : next_ - 1);
    isTrial_ = true;
  } else if (price < worth * priceAtHome_) {
    wait_ = ofFirstWait;  // the same way again, soon
    isTrial_ = false;
  } else {
    turnTo(home_);
    goesUp_ = !goesUp_;
    wait_ = std::min(2 * wait_, ofLongestWait);
    isTrial_ = false;
  }
  steps_ = 0;
  sumOfWork_ = sumOfTime_ = 0.0;
  // a method of order p allows steps that grow with the tolerance to the power of 1/(p + 1)
  return std::pow(tolerance, 1.0 / (orders[next_] + 1) - 1.0 / (orders[last_] + 1));
}

void GaussOrders::persist(Archive& archive) {
  archive.section("gauss orders");
  archive(last_, next_, home_);
  if (std::max({last_, next_, home_}) >= orders.size())
    throw InputError(
        "the checkpoint is damaged: it names an order of director-gauss that there is not; begin the run anew");
  for (std::size_t i = 0; i < engines_.size(); ++i) {
    bool isThere = engines_[i] != nullptr;
    archive(isThere);
    if (!isThere) continue;
    make(i);
    archive(*engines_[i]);
  }
  make(last_);
  make(next_);
  archive(isTrial_, goesUp_, wait_, steps_, work_, sumOfWork_, sumOfTime_, priceAtHome_);
}

}  // namespace polhode
