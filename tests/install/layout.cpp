// Compiled with a user's own flags, into the program of the README: the layout of what goes to and from the library is that
// of the library, whatever Eigen would like to do with these flags.
#include <cstdio>

#include <polhode/polhode.h>

static_assert(sizeof(polhode::Quaternion) == 4 * sizeof(double) && alignof(polhode::Quaternion) == alignof(double));

namespace {

const struct PrintedBeforeTheProgram {
  PrintedBeforeTheProgram() {
    std::printf("%zu %zu %zu\n", sizeof(polhode::Body), sizeof(polhode::Model), sizeof(polhode::Observation));
  }
} printed;

}  // namespace
