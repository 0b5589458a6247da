#include "polhode/io/hdf5_writer.h"

#include "polhode/error.h"

#include "hdf5_handles.h"

namespace polhode {
namespace {

class Hdf5File {
 public:
  explicit Hdf5File(const std::string& path)
      : failed_(path + ": the file cannot be written as HDF5; check the folder and the space on the disk"),
        file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, failed_),
        text_(H5Tcopy(H5T_C_S1), H5Tclose, failed_),
        links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose, failed_) {
    check(H5Pset_create_intermediate_group(links_, 1));  // a name may hold a slash
    check(H5Tset_size(text_, H5T_VARIABLE));
    check(H5Tset_cset(text_, H5T_CSET_UTF8));
  }

  void writeColumn(const std::string& name, const std::vector<double>& values) {
    const hsize_t size = values.size();
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, failed_);
    const Hdf5Handle dataset(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, links_, H5P_DEFAULT, H5P_DEFAULT),
                             H5Dclose, failed_);
    if (size > 0) check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  }

  void writeAttribute(const std::string& name, const std::string& text) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, failed_);
    const char* pointer = text.c_str();
    writeText(name, space, &pointer);
  }

  void writeAttribute(const std::string& name, const std::vector<std::string>& texts) {
    const hsize_t size = texts.size();
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, failed_);
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    writeText(name, space, pointers.data());
  }

  void flush() { check(H5Fflush(file_, H5F_SCOPE_GLOBAL)); }

 private:
  void check(herr_t status) const {
    if (status < 0) throw InputError(failed_);
  }

  void writeText(const std::string& name, hid_t space, const char* const* pointers) {
    const Hdf5Handle attribute(H5Acreate2(file_, name.c_str(), text_, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                               failed_);
    check(H5Awrite(attribute, text_, pointers));
  }

  std::string failed_;
  Hdf5Handle file_;
  Hdf5Handle text_;
  Hdf5Handle links_;
};

}  // namespace

void writeHdf5(const std::string& path, const Recording& recording, const Attributes& attributes) {
  const Hdf5Session session;
  Hdf5File file(path);
  for (const auto& [name, text] : attributes) file.writeAttribute(name, text);
  file.writeAttribute("columns", recording.columns);

  std::vector<double> values(recording.rows());
  for (std::size_t column = 0; column < recording.columns.size(); ++column) {
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = recording.at(row, column);
    file.writeColumn(recording.columns[column], values);
  }
  file.flush();
}

}  // namespace polhode
