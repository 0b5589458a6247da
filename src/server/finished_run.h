#pragma once

#include "polhode/analysis/recording.h"
#include "polhode/model/model.h"

#include <memory>
#include <optional>
#include <string>

namespace polhode::live {

/// A run that is over, ready to be shown: the scene, and a frame (frame.h) for each row, or for each second one, or third, ..,
/// of long runs, one behind the other, which are numbered from 0 on. What it tells besides is in told_part.h.
struct FinishedRun {
  std::string name;
  std::string scene;
  std::string frames;
  std::shared_ptr<const Recording> recording{};
  std::size_t every = 1;  // rows from one frame to the next
  Model model{};
  bool hasModel = false;  // otherwise the model is made of balls
};

/// Makes a recording ready. Shapes, joints and forces come from the model where there is one; without it each body of
/// the recording is a ball. Throws InputError, which begins with `name`, where the recording holds no motion of bodies or
/// not that of the model's.
std::shared_ptr<const FinishedRun> makeFinishedRun(const std::string& name, std::shared_ptr<const Recording> recording,
                                                   const std::optional<Model>& model);

}  // namespace polhode::live
