#include "integrate/odex.h"

namespace polhode {

template class Odex<OdeSystem>;

}  // namespace polhode
