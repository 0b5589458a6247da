#include "integrate/dopri5.h"

namespace polhode {

template class Dopri5<OdeSystem>;

}  // namespace polhode
