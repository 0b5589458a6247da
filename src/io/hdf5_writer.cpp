#include "polhode/io/hdf5_writer.h"

#include "polhode/error.h"

#include <fmt/format.h>
#include <hdf5.h>

namespace polhode {
namespace {

/// Something of HDF5 that is closed at the end of its scope; `failed` is the sentence thrown where it was not
/// made.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& failed) : id_(id), close_(close) {
    if (id_ < 0) throw InputError(failed);
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Keeps HDF5 from printing its own stack of errors while we report in one sentence.
class SilentErrors {
 public:
  SilentErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~SilentErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

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
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, failed_);
    const Handle dataset(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, links_, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose, failed_);
    if (size > 0) check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  }

  void writeAttribute(const std::string& name, const std::string& text) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, failed_);
    const char* pointer = text.c_str();
    writeText(name, space, &pointer);
  }

  void writeAttribute(const std::string& name, const std::vector<std::string>& texts) {
    const hsize_t size = texts.size();
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, failed_);
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
    const Handle attribute(H5Acreate2(file_, name.c_str(), text_, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed_);
    check(H5Awrite(attribute, text_, pointers));
  }

  std::string failed_;
  Handle file_;
  Handle text_;
  Handle links_;
};

}  // namespace

void writeHdf5(const std::string& path, const Recording& recording, const Attributes& attributes) {
  const SilentErrors silent;
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
