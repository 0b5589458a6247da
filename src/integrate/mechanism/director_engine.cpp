#include "integrate/mechanism/director_engine.h"

#include "integrate/archive.h"

#include <algorithm>

namespace polhode {

DirectorEngine::DirectorEngine(const Mechanism& mechanism, int sequences)
    : mechanism_(mechanism), sequences_(sequences), treeWithLoops_(LoopTree::fits(mechanism)) {
  if (HingeTree::fits(mechanism))
    tree_ = std::make_unique<HingeTree>(mechanism, sequences);
  else if (treeWithLoops_)
    loops_ = std::make_unique<LoopTree>(mechanism, sequences);
  else
    general();
}

GeneralEngine& DirectorEngine::general() {
  if (general_) return *general_;
  general_ = std::make_unique<GeneralEngine>(mechanism_, sequences_);
  for (std::size_t b = 0; b < loads_.size(); ++b) general_->setLoad(b, loads_[b]);
  return *general_;
}

void DirectorEngine::workWith(int threads) {
  const std::size_t pieces = tree_ ? tree_->pieces() : loops_ ? loops_->pieces() : 1;
  const int useful = std::min(threads, static_cast<int>(pieces));
  crew_ = useful > 1 ? std::make_unique<Crew>(useful) : nullptr;
  if (tree_) tree_->shareWith(crew_.get());
  if (loops_) loops_->shareWith(crew_.get());
}

MechanismState DirectorEngine::start() const {
  return startOf(mechanism_);
}

void DirectorEngine::persist(Archive& archive) {
  archive.section("director engine");
  bool hasLoops = loops_ != nullptr, hasGeneral = general_ != nullptr;
  archive(hasLoops, hasGeneral, loads_);
  if (hasLoops && !treeWithLoops_) throw InputError("the checkpoint does not fit the mechanism; begin the run anew");
  if (tree_) tree_->persist(archive);
  if (hasLoops) loopTree().persist(archive);
  if (hasGeneral) general().persist(archive);
}

LoopTree& DirectorEngine::loopTree() {
  if (loops_) return *loops_;
  loops_ = std::make_unique<LoopTree>(mechanism_, sequences_);
  loops_->shareWith(crew_.get());
  return *loops_;
}

StepReport DirectorEngine::step(MechanismState& state, double h, int sequence) {
  if (tree_ && loads_.empty()) return tree_->step(state, h, sequence);
  if (!treeWithLoops_) return general().step(state, h, sequence);
  const StepReport report = loopTree().step(state, h, sequence, loads_);
  if (report.converged) return report;
  StepReport slowly = general().step(state, h, sequence);
  slowly.iterations += report.iterations;
  slowly.factorisations += report.factorisations;
  return slowly;
}

void DirectorEngine::followDrives(MechanismState& state) {
  if (mechanism_.isDriven()) general().followDrives(state);
}

void DirectorEngine::setLoad(std::size_t body, const BodyLoad& load) {
  const auto pulls = [](const BodyLoad& l) { return !l.force.isZero(0.0) || !l.torque.isZero(0.0); };
  if (loads_.empty()) loads_.resize(mechanism_.bodies().size());
  loads_[body] = load;
  if (general_) general_->setLoad(body, load);
  if (std::none_of(loads_.begin(), loads_.end(), pulls)) loads_.clear();
}

}  // namespace polhode
