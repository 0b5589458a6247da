// In place of src/io/hdf5_*.cpp where polhode is built with -DPOLHODE_HDF5=OFF.
#include "io/hdf5_apart.h"
#include "io/hdf5_writer.h"
#include "polhode/error.h"

namespace polhode {

bool hasHdf5() {
  return false;
}

std::unique_ptr<RecordingWriter> makeHdf5Writer(const std::string& path, const std::vector<std::string>&,
                                                const Attributes&, const RowPlan&) {
  throw InputError(path + ": this polhode was built without HDF5; write a file that ends in .csv");
}

RecordingFile parseHdf5Apart(const std::string& name, std::string_view) {
  throw InputError(name + ": this is an HDF5 file, and this polhode was built without HDF5; give a CSV file");
}

}  // namespace polhode
