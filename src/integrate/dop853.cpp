#include "integrate/dop853.h"

namespace polhode {

template class Dop853<OdeSystem>;

}  // namespace polhode
