#pragma once

#include "integrate/single_body/director_em.h"
#include "integrate/single_body/eml.h"
#include "integrate/single_body/ggl.h"
#include "integrate/single_body/mph.h"
#include "integrate/single_body/mpl.h"
#include "integrate/single_body/null_eml.h"
#include "integrate/single_body/quaternion_em.h"
#include "integrate/single_body/quaternion_em_nine.h"
#include "integrate/single_body/quaternion_vi.h"
#include "integrate/single_body/reml.h"
#include "integrate/single_body/simo_wong.h"

/// Every scheme for one body, in one list: what tests, benchmarks and a choice by name go through.
namespace polhode::single_body {

template <class... Schemes>
struct SchemeList {
  static_assert((SingleBodyScheme<Schemes> && ...));

  /// Calls visit.template operator()<Scheme>() for each.
  template <class Visit>
  static void forEach(Visit&& visit) {
    (visit.template operator()<Schemes>(), ...);
  }
};

using AllSchemes = SchemeList<Eml, Reml, NullEml, Ggl, QuaternionEm, QuaternionEmNine, Mpl, Mph, MphInverse,
                              QuaternionVi, DirectorEm, SimoWong>;

}  // namespace polhode::single_body
