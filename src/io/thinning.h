#pragma once

#include <cstddef>
#include <vector>

namespace polhode {

/// The points of a curve that are worth drawing, as increasing indices; never more than `most` (at least 8).
///
/// The horizontal axis is cut into equal intervals (equal on the logarithmic axis if `logX`). Of each
/// interval stay the smallest and the largest y, the smallest positive y, which is the lowest point of a
/// logarithmic chart, and one gap (a point that is not finite). So every peak and every gap stays visible.
/// The ends stay as well. A curve whose x do not increase is cut into equal numbers of points instead.
std::vector<std::size_t> thinned(const std::vector<double>& x, const std::vector<double>& y, bool logX,
                                 std::size_t most);

}  // namespace polhode
