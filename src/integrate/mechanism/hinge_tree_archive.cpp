// Apart from hinge_tree.cpp, whose functions g++ inlines into each other as long as the file is small.
#include "integrate/archive.h"
#include "integrate/mechanism/hinge_tree.h"

namespace polhode {

void HingeTree::persist(Archive& archive) {
  archive.section("hinge tree");
  archive(pasts_);
}

}  // namespace polhode
