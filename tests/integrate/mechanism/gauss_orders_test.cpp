#include "integrate/mechanism/gauss_orders.h"

#include "integrate/archive.h"
#include "integrate/mechanism/mechanism_stepper.h"
#include "io/examples.h"
#include "polhode/io/model_file.h"

#include <gtest/gtest.h>

/// The order that costs least, chosen as a run goes.
namespace polhode::gauss_orders_test {
namespace {

Mechanism mechanismOf(const char* example) {
  return Mechanism(readModelText(findExample(example)->text, example).model);
}

// A checkpoint in the middle of a trial, between trials, at each step: the rest is bit for bit the same, order by order.
TEST(GaussOrders, GoOnFromACheckpoint) {
  constexpr double end = 6.0;
  const Mechanism mechanism = mechanismOf("spatial-double-pendulum");
  const auto begin = [&] { return makeMechanismStepper("director-gauss", mechanism, end, std::nullopt, 1e-9, end); };
  const auto whole = begin();
  std::vector<std::string> saved;
  while (whole->time() < end) {
    whole->step();
    Archive archive;
    whole->persist(archive);
    saved.push_back(archive.bytes());
  }
  ASSERT_GT(saved.size(), 40u);
  for (std::size_t i = 0; i < saved.size(); i += 3) {
    const auto rest = begin();
    Archive archive(saved[i]);
    rest->persist(archive);
    archive.requireEnd();
    while (rest->time() < end) rest->step();
    ASSERT_EQ(rest->state(), whole->state()) << "from step " << i;
    ASSERT_EQ(rest->work().newtonIterations, whole->work().newtonIterations) << "from step " << i;
  }
}

}  // namespace
}  // namespace polhode::gauss_orders_test
