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

/// The points of a curve y(x), x increasing, that lines between them need to come within `tolerance` of every point left
/// out, as increasing indices; the ends and the points beside gaps (values that are not finite) stay. By Bristol's swinging
/// door (1990): from the last point that stays, all lines that pass every later one closely enough make a sector, and the
/// last point that lies in it stays next.
std::vector<std::size_t> thinnedByError(const std::vector<double>& x, const std::vector<double>& y, double tolerance);

/// The same for bodies that move: at each time seven numbers a body (position, quaternion), of which blends in between (straight
/// lines, and quaternions made units again, as web/live/player.js has them) are within `distance` and `angle` of the rows left
/// out.
std::vector<std::size_t> thinnedMotion(const std::vector<double>& times, const std::vector<double>& places,
                                       double distance, double angle);

}  // namespace polhode
