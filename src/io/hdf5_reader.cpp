#include "polhode/io/hdf5_reader.h"

#include <optional>

#include "hdf5_handles.h"

namespace polhode {
namespace {

class Hdf5Image {
 public:
  Hdf5Image(const std::string& name, std::string_view bytes)
      : failed_(name + ": the file is not a run that `polhode run --out` wrote, or it is damaged"),
        access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, failed_) {
    check(H5Pset_fapl_core(access_, 1 << 16, false));  // in memory
    check(H5Pset_file_image(access_, const_cast<char*>(bytes.data()), bytes.size()));
    file_.emplace(H5Fopen("run.h5", H5F_ACC_RDONLY, access_), H5Fclose, failed_);
    columns_ = readTexts("columns");
  }

  const std::vector<std::string>& columns() const { return columns_; }

  std::vector<double> readColumn(const std::string& column) const {
    const Hdf5Handle dataset(H5Dopen2(*file_, column.c_str(), H5P_DEFAULT), H5Dclose, failed_);
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, failed_);
    if (H5Sget_simple_extent_ndims(space) != 1) throw InputError(failed_);
    hsize_t size = 0;
    check(H5Sget_simple_extent_dims(space, &size, nullptr));
    if (size > mostRows) throw InputError(failed_);
    std::vector<double> values(size);
    if (size > 0) check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
  }

  /// All attributes that are one text.
  Attributes attributes() const {
    std::vector<std::string> names;
    hsize_t position = 0;
    check(H5Aiterate2(*file_, H5_INDEX_NAME, H5_ITER_INC, &position, collectName, &names));
    Attributes result;
    for (const std::string& name : names) {
      const Hdf5Handle attribute(H5Aopen(*file_, name.c_str(), H5P_DEFAULT), H5Aclose, failed_);
      const Hdf5Handle space(H5Aget_space(attribute), H5Sclose, failed_);
      if (H5Sget_simple_extent_type(space) == H5S_SCALAR) result.emplace_back(name, readTexts(name.c_str()).at(0));
    }
    return result;
  }

 private:
  static constexpr hsize_t mostRows = 100'000'000;

  static herr_t collectName(hid_t, const char* name, const H5A_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  }

  void check(herr_t status) const {
    if (status < 0) throw InputError(failed_);
  }

  std::vector<std::string> readTexts(const char* name) const {
    const Hdf5Handle attribute(H5Aopen(*file_, name, H5P_DEFAULT), H5Aclose, failed_);
    const Hdf5Handle space(H5Aget_space(attribute), H5Sclose, failed_);
    const Hdf5Handle type(H5Aget_type(attribute), H5Tclose, failed_);
    if (H5Tis_variable_str(type) <= 0) throw InputError(failed_);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 1 || count > 1'000'000) throw InputError(failed_);
    std::vector<char*> pointers(static_cast<std::size_t>(count), nullptr);
    check(H5Aread(attribute, type, pointers.data()));
    std::vector<std::string> texts;
    for (const char* text : pointers) texts.emplace_back(text ? text : "");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    return texts;
  }

  std::string failed_;
  Hdf5Handle access_;
  std::optional<Hdf5Handle> file_;
  std::vector<std::string> columns_;
};

}  // namespace

RecordingFile parseHdf5(const std::string& name, std::string_view bytes) {
  const Hdf5Session session;
  const Hdf5Image image(name, bytes);
  RecordingFile file;
  file.attributes = image.attributes();
  file.recording.columns = image.columns();

  const std::size_t width = image.columns().size();
  for (std::size_t column = 0; column < width; ++column) {
    const std::vector<double> values = image.readColumn(image.columns()[column]);
    if (column == 0) file.recording.values.resize(width * values.size());
    if (values.size() != file.recording.rows())
      throw InputError(name + ": the columns of the run differ in length; the file is damaged");
    for (std::size_t row = 0; row < values.size(); ++row) file.recording.values[row * width + column] = values[row];
  }
  return file;
}

}  // namespace polhode
