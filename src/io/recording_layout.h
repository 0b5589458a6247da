#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// How the columns of a recording become groups and tables of an HDF5 file, by their names alone, so that whatever is
/// observed finds its place (docs/recordings.md):
///
///     time                        /time                          (n)
///     top.position.x, .y, .z      /bodies/top/position           (n x 3)
///     joint.knee.angle            /joints/knee/angle             (n)
///     joint.knee.force.x, ...     /joints/knee/force             (n x 3)
///     force.strut.force.x, ...    /forces/strut/force            (n x 3)
///     sensor.tip.x, ...           /sensors/tip                   (n x 3)
///     energy, node_energy, work   /energy/total, node, work      (n)
///     linear_momentum.x, ...      /momentum/linear               (n x 3)
///     constraint.position         /constraints/position          (n)
///     multiplier.1, ...           /multipliers                   (n x m)
///
/// With more than `mostObjects` bodies (joints, forces) a table for each would be too many; then one table holds a quantity
/// of all of them, /bodies/position (n x N x 3), and /bodies/names says which is which.
namespace polhode {

constexpr std::size_t mostObjects = 1000;

/// One table: of one object, or of all that are named.
struct RecordedTable {
  std::string path;                     // "bodies/top/position"
  std::string unit, frame;              // "m", "space"; empty where not known or not needed
  std::vector<std::string> components;  // "x", "y", "z"; empty for a single number
  std::vector<std::string> objects;     // names along the second dimension; empty where it is one object's table
  std::string before, after;            // the column is before + object + after (+ "." + component)
  std::vector<std::size_t> starts;      // the first column of each object (of the one, if there are none)

  std::size_t width() const { return components.empty() ? 1 : components.size(); }
  std::size_t columns() const { return starts.size() * width(); }

  /// The name of column number k of the table.
  std::string columnName(std::size_t k) const;
};

/// The tables of these columns, in their order. Throws InputError where two columns have one name.
std::vector<RecordedTable> recordingLayout(const std::vector<std::string>& columns);

}  // namespace polhode
