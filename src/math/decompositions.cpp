#include "math/decompositions.h"

namespace Eigen {

POLHODE_DECOMPOSITIONS(template class)

}  // namespace Eigen
