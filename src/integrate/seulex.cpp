#include "integrate/seulex.h"

namespace polhode {

template class Seulex<OdeSystem>;

}  // namespace polhode
