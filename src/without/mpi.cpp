// In place of src/ensemble/mpi_ranks.cpp where polhode is built with -DPOLHODE_MPI=OFF.
#include "ensemble/ranks.h"
#include "polhode/error.h"

#include <cstdlib>

namespace polhode::ensemble {

std::unique_ptr<Ranks> joinRanks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name); size && std::atoi(size) > 1)
      throw InputError(
          "this polhode was built without MPI, and every process would run the whole sweep; build it with "
          "-DPOLHODE_MPI=ON, "
          "or start it without mpirun");
  return nullptr;
}

}  // namespace polhode::ensemble
