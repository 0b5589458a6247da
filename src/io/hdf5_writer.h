#pragma once

#include "io/recording_writer.h"

namespace polhode {

/// The version of the layout, in the attribute `layout_version` of the file; 1 had a table for each column.
constexpr int hdf5LayoutVersion = 2;

/// Whether this polhode was built with HDF5.
bool hasHdf5();

/// A recording as HDF5: tables in groups (recording_layout.h), chunked and compressed, each with its unit and frame, and
/// the attributes as texts of the file. Other processes may read it while it grows, by a plain open or by SWMR; /time is
/// always written last, so that its length is the number of whole rows.
std::unique_ptr<RecordingWriter> makeHdf5Writer(const std::string& path, const std::vector<std::string>& columns,
                                                const Attributes& attributes, const RowPlan& plan);

}  // namespace polhode
