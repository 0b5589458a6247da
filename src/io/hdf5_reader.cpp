#include "io/hdf5_reader.h"

#include "hdf5_handles.h"
#include "io/recording_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace polhode {
namespace {

class Hdf5Image {
 public:
  Hdf5Image(const std::string& name, std::string_view bytes)
      : failed_(name + ": the file is not a run that `polhode run --out` wrote, or it is damaged"),
        access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, failed_) {
    check(H5Pset_fapl_core(access_, 1 << 16, false));  // in memory
    check(H5Pset_file_image(access_, const_cast<char*>(bytes.data()), bytes.size()));
    file_.emplace(H5Fopen("/dev/null/run.h5", H5F_ACC_RDONLY, access_), H5Fclose, failed_);
    mostNumbers_ = bytes.size() * strongestCompression / sizeof(double);
  }

  Recording recording() const { return H5Aexists(*file_, "layout_version") > 0 ? readTables() : readColumns(); }

  /// All attributes that are one text.
  Attributes attributes() const {
    std::vector<std::string> names;
    hsize_t position = 0;
    check(H5Aiterate2(*file_, H5_INDEX_NAME, H5_ITER_INC, &position, collectName, &names));
    Attributes result;
    for (const std::string& name : names) {
      const Hdf5Handle attribute(H5Aopen(*file_, name.c_str(), H5P_DEFAULT), H5Aclose, failed_);
      const Hdf5Handle space(H5Aget_space(attribute), H5Sclose, failed_);
      const Hdf5Handle type(H5Aget_type(attribute), H5Tclose, failed_);
      if (H5Sget_simple_extent_type(space) == H5S_SCALAR && H5Tis_variable_str(type) > 0)
        result.emplace_back(name, readTexts(*file_, name.c_str()).at(0));
    }
    return result;
  }

 private:
  static constexpr std::size_t strongestCompression = 1100;  // of deflate; a file that promises more is damaged

  /// One table of the new layout, as its attributes describe it.
  struct Table {
    std::int64_t order = 0;
    hsize_t rows = 0;
    RecordedTable layout;
    std::vector<double> values;  // row by row
  };

  /// Layout 1: a table for each column, their names in the attribute `columns`.
  Recording readColumns() const {
    Recording recording;
    recording.columns = readTexts(*file_, "columns");
    const std::size_t width = recording.columns.size();
    for (std::size_t column = 0; column < width; ++column) {
      std::vector<hsize_t> size;
      const std::vector<double> values = readNumbers(recording.columns[column], size);
      if (size.size() != 1) throw InputError(failed_);
      if (column == 0) recording.values.resize(width * values.size());
      if (values.size() != recording.rows()) throw InputError(failed_ + " (its columns differ in length)");
      for (std::size_t row = 0; row < values.size(); ++row) recording.values[row * width + column] = values[row];
    }
    return recording;
  }

  /// Layout 2: tables in groups. The rows are those of the time, which is written last.
  Recording readTables() const {
    std::vector<std::string> paths;
    check(H5Lvisit(*file_, H5_INDEX_NAME, H5_ITER_INC, collectPath, &paths));
    std::vector<Table> tables;
    for (const std::string& path : paths)
      if (std::optional<Table> table = readTable(path)) tables.push_back(std::move(*table));
    std::stable_sort(tables.begin(), tables.end(), [](const Table& a, const Table& b) { return a.order < b.order; });

    Recording recording;
    for (const Table& table : tables)
      for (std::size_t k = 0; k < table.layout.columns(); ++k) recording.columns.push_back(table.layout.columnName(k));
    if (tables.empty()) throw InputError(failed_);
    const Table& time = tables.front();
    std::size_t rows = time.rows;
    if (time.layout.columns() == 1)
      while (rows > 0 && std::isnan(time.values[rows - 1])) --rows;  // begun, and not written
    const std::size_t width = recording.columns.size();
    recording.values.resize(rows * width);
    std::size_t column = 0;
    for (const Table& table : tables) {
      const std::size_t perRow = table.layout.columns();
      if (table.rows < rows) throw InputError(failed_ + " (its tables differ in length)");
      for (std::size_t row = 0; row < rows; ++row)
        std::copy_n(table.values.data() + row * perRow, perRow, recording.values.data() + row * width + column);
      column += perRow;
    }
    return recording;
  }

  /// A table of the recording; nothing where the path leads to something else.
  std::optional<Table> readTable(const std::string& path) const {
    H5O_info_t info;
    if (H5Oget_info_by_name(*file_, path.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5O_TYPE_DATASET) return {};
    const Hdf5Handle dataset(H5Dopen2(*file_, path.c_str(), H5P_DEFAULT), H5Dclose, failed_);
    if (H5Aexists(dataset, "column") <= 0) return {};

    Table table;
    RecordedTable& layout = table.layout;
    layout.before = readTexts(dataset, "column").at(0);
    const Hdf5Handle order(H5Aopen(dataset, "order", H5P_DEFAULT), H5Aclose, failed_);
    check(H5Aread(order, H5T_NATIVE_INT64, &table.order));
    std::vector<hsize_t> size;
    table.values = readNumbers(path, size);
    table.rows = size[0];

    std::size_t dimension = 1;
    if (H5Aexists(dataset, "names") > 0) {
      const auto star = layout.before.find('*');
      if (star == std::string::npos || size.size() < 2) throw InputError(failed_);
      layout.after = layout.before.substr(star + 1);
      layout.before.resize(star);
      const std::string names = readTexts(dataset, "names").at(0);
      const Hdf5Handle listed(H5Dopen2(*file_, names.c_str(), H5P_DEFAULT), H5Dclose, failed_);
      const Hdf5Handle space(H5Dget_space(listed), H5Sclose, failed_);
      const Hdf5Handle type(H5Dget_type(listed), H5Tclose, failed_);
      layout.objects =
          texts(space, type, [&](void* to) { return H5Dread(listed, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
      if (layout.objects.size() != size[dimension++]) throw InputError(failed_);
    }
    if (dimension < size.size()) {
      if (H5Aexists(dataset, "components") > 0) {
        std::istringstream words(readTexts(dataset, "components").at(0));
        for (std::string word; words >> word;) layout.components.push_back(word);
        if (layout.components.size() != size[dimension]) throw InputError(failed_);
      } else {
        for (hsize_t i = 0; i < size[dimension]; ++i) layout.components.push_back(std::to_string(i + 1));
      }
      ++dimension;
    }
    if (dimension != size.size()) throw InputError(failed_);
    layout.starts.resize(layout.objects.empty() ? 1 : layout.objects.size());
    return table;
  }

  std::vector<double> readNumbers(const std::string& path, std::vector<hsize_t>& size) const {
    const Hdf5Handle dataset(H5Dopen2(*file_, path.c_str(), H5P_DEFAULT), H5Dclose, failed_);
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, failed_);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 3) throw InputError(failed_);
    size.resize(static_cast<std::size_t>(rank));
    check(H5Sget_simple_extent_dims(space, size.data(), nullptr));
    std::size_t count = 1;
    for (const hsize_t extent : size) {
      if (extent > mostNumbers_) throw InputError(failed_);
      count *= extent;
      if (count > mostNumbers_) throw InputError(failed_);
    }
    std::vector<double> values(count);
    if (count > 0) check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
  }

  static herr_t collectPath(hid_t, const char* path, const H5L_info_t*, void* paths) {
    static_cast<std::vector<std::string>*>(paths)->emplace_back(path);
    return 0;
  }

  static herr_t collectName(hid_t, const char* name, const H5A_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  }

  void check(herr_t status) const {
    if (status < 0) throw InputError(failed_);
  }

  std::vector<std::string> readTexts(hid_t of, const char* name) const {
    const Hdf5Handle attribute(H5Aopen(of, name, H5P_DEFAULT), H5Aclose, failed_);
    const Hdf5Handle space(H5Aget_space(attribute), H5Sclose, failed_);
    const Hdf5Handle type(H5Aget_type(attribute), H5Tclose, failed_);
    return texts(space, type, [&](void* to) { return H5Aread(attribute, type, to); });
  }

  template <class Read>
  std::vector<std::string> texts(hid_t space, hid_t type, const Read& read) const {
    if (H5Tis_variable_str(type) <= 0) throw InputError(failed_);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 1 || count > 1'000'000) throw InputError(failed_);
    std::vector<char*> pointers(static_cast<std::size_t>(count), nullptr);
    check(read(static_cast<void*>(pointers.data())));
    std::vector<std::string> result;
    for (const char* text : pointers) result.emplace_back(text ? text : "");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    return result;
  }

  std::string failed_;
  Hdf5Handle access_;
  std::optional<Hdf5Handle> file_;
  std::size_t mostNumbers_ = 0;
};

}  // namespace

RecordingFile parseHdf5(const std::string& name, std::string_view bytes) {
  const Hdf5Session session;
  const Hdf5Image image(name, bytes);
  return {image.recording(), image.attributes()};
}

}  // namespace polhode
