#include "integrate/mechanism/director_engine.h"

#include "integrate/archive.h"

namespace polhode {

DirectorEngine::DirectorEngine(const Mechanism& mechanism, int sequences)
    : mechanism_(mechanism), sequences_(sequences), loaded_(mechanism.bodies().size(), false) {
  if (HingeTree::fits(mechanism))
    tree_ = std::make_unique<HingeTree>(mechanism, sequences);
  else
    general();
}

GeneralEngine& DirectorEngine::general() {
  if (!general_) general_ = std::make_unique<GeneralEngine>(mechanism_, sequences_);
  return *general_;
}

MechanismState DirectorEngine::start() const {
  return startOf(mechanism_);
}

void DirectorEngine::persist(Archive& archive) {
  archive.section("director engine");
  bool hasTree = tree_ != nullptr, hasGeneral = general_ != nullptr;
  archive(hasTree, hasGeneral, loads_);
  for (std::size_t b = 0; b < loaded_.size(); ++b) {
    bool loaded = loaded_[b];
    archive(loaded);
    loaded_[b] = loaded;
  }
  if (hasTree != (tree_ != nullptr)) throw InputError("the checkpoint does not fit the mechanism; begin the run anew");
  if (tree_) tree_->persist(archive);
  if (hasGeneral) general().persist(archive);
}

StepReport DirectorEngine::step(MechanismState& state, double h, int sequence) {
  return tree_ && loads_ == 0 ? tree_->step(state, h, sequence) : general().step(state, h, sequence);
}

void DirectorEngine::followDrives(MechanismState& state) {
  if (mechanism_.isDriven()) general().followDrives(state);
}

void DirectorEngine::setLoad(std::size_t body, const BodyLoad& load) {
  const bool pulls = !load.force.isZero(0.0) || !load.torque.isZero(0.0);
  loads_ += static_cast<int>(pulls) - static_cast<int>(loaded_[body]);
  loaded_[body] = pulls;
  general().setLoad(body, load);
}

}  // namespace polhode
