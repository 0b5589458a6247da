#include "io/hdf5_writer.h"

#include "hdf5_handles.h"
#include "hdf5_steady_driver.h"
#include "io/recording_layout.h"
#include "polhode/error.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode {
namespace {

constexpr hsize_t mostChunkNumbers = 1 << 17;  // a megabyte
constexpr hsize_t mostCompactNumbers = 256;    // a table of no more lies within its description
constexpr unsigned compression = 4;

/// A table with its rows so far.
struct OpenTable {
  RecordedTable layout;
  Hdf5Handle dataset;
};

class Hdf5Writer final : public RecordingWriter {
 public:
  Hdf5Writer(const std::string& path, const std::vector<std::string>& columns, const Attributes& attributes,
             const RowPlan& plan)
      : failed_(path + ": the file cannot be written as HDF5; check the folder and the space on the disk"),
        columns_(columns.size()),
        grows_(!plan.total) {
    const Hdf5Session session;
    try {
      make(path, columns, attributes, plan);
    } catch (...) {
      release();
      throw;
    }
  }

  ~Hdf5Writer() override {
    const Hdf5Session session;
    release();
  }

  std::string append(std::span<const double> values) override {
    const Hdf5Session session;
    const std::size_t rows = values.size() / columns_;
    if (rows == 0) return {};
    // the time last, when everything else is on the disk
    bool isGood = true;
    for (std::size_t i = tables_.size(); i-- > 0 && isGood;) {
      if (i == 0) isGood = H5Fflush(*file_, H5F_SCOPE_GLOBAL) >= 0;
      isGood = isGood && appendTo(tables_[i], values, rows);
    }
    isGood = isGood && H5Fflush(*file_, H5F_SCOPE_GLOBAL) >= 0;
    rows_ += rows;
    const std::string why = failureOf(*file_);
    if (!why.empty() || isGood) return why;
    return "HDF5 gave up";
  }

  std::string close() override {
    const Hdf5Session session;
    std::string why = failureOf(*file_);
    if (H5Fflush(*file_, H5F_SCOPE_GLOBAL) < 0 && why.empty()) why = "HDF5 gave up";
    if (why.empty()) why = failureOf(*file_);
    release();
    return why;
  }

 private:
  void check(herr_t status) const {
    if (status < 0) throw InputError(failed_);
  }

  void requireRoom() const {
    if (const std::string why = failureOf(*file_); !why.empty()) throw InputError(failed_ + " (" + why + ")");
  }

  void release() {
    tables_.clear();
    text_.reset();
    file_.reset();
  }

  void make(const std::string& path, const std::vector<std::string>& columns, const Attributes& attributes,
            const RowPlan& plan) {
    const Hdf5Handle access(steadyFileAccess(), H5Pclose, failed_);
    file_.emplace(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, failed_);
    text_.emplace(H5Tcopy(H5T_C_S1), H5Tclose, failed_);
    check(H5Tset_size(*text_, H5T_VARIABLE));
    check(H5Tset_cset(*text_, H5T_CSET_UTF8));

    writeNumber(*file_, "layout_version", hdf5LayoutVersion);
    for (const auto& [name, text] : attributes) writeText(*file_, name, text);
    for (RecordedTable& table : recordingLayout(columns)) makeTable(std::move(table), plan);
    requireRoom();
    check(H5Fflush(*file_, H5F_SCOPE_GLOBAL));
    if (grows_) check(H5Fstart_swmr_write(*file_));
    requireRoom();
  }

  void makeTable(RecordedTable layout, const RowPlan& plan) {
    // n, n x 3, or n x N x 3
    std::vector<hsize_t> now{plan.total.value_or(0)}, most{grows_ ? H5S_UNLIMITED : now[0]}, chunk{plan.chunkRows};
    if (!layout.objects.empty()) now.push_back(layout.objects.size());
    if (!layout.components.empty()) now.push_back(layout.components.size());
    most.insert(most.end(), now.begin() + 1, now.end());
    chunk.insert(chunk.end(), now.begin() + 1, now.end());
    const hsize_t perRow = layout.columns();
    chunk[0] = std::clamp<hsize_t>(mostChunkNumbers / perRow, 1, chunk[0]);
    if (perRow > mostChunkNumbers) chunk[1] = std::max<hsize_t>(1, mostChunkNumbers / layout.width());
    hsize_t chunkNumbers = 1;
    for (const hsize_t size : chunk) chunkNumbers *= size;

    const int rank = static_cast<int>(now.size());
    const Hdf5Handle space(H5Screate_simple(rank, now.data(), most.data()), H5Sclose, failed_);
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, failed_);
    if (!grows_ && now[0] * perRow <= mostCompactNumbers) {
      check(H5Pset_layout(how, now[0] == 0 ? H5D_CONTIGUOUS : H5D_COMPACT));
    } else {
      check(H5Pset_chunk(how, rank, chunk.data()));
      check(H5Pset_shuffle(how));
      check(H5Pset_deflate(how, compression));
    }
    const double missing = std::numeric_limits<double>::quiet_NaN();
    check(H5Pset_fill_value(how, H5T_NATIVE_DOUBLE, &missing));
    const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, failed_);
    check(H5Pset_chunk_cache(access, 3, 2 * chunkNumbers * sizeof(double), 1.0));
    const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, failed_);
    check(H5Pset_create_intermediate_group(links, 1));
    const hid_t dataset = H5Dcreate2(*file_, layout.path.c_str(), H5T_IEEE_F64LE, space, links, how, access);
    tables_.push_back({std::move(layout), Hdf5Handle(dataset, H5Dclose, failed_)});
    describe(tables_.back());
  }

  void describe(const OpenTable& table) {
    const RecordedTable& layout = table.layout;
    if (!layout.unit.empty()) writeText(table.dataset, "unit", layout.unit);
    if (!layout.frame.empty()) writeText(table.dataset, "frame", layout.frame);
    if (!layout.components.empty() && !isNumbered(layout))
      writeText(table.dataset, "components", fmt::format("{}", fmt::join(layout.components, " ")));
    writeText(table.dataset, "column", layout.before + (layout.objects.empty() ? "" : "*") + layout.after);
    writeNumber(table.dataset, "order", static_cast<std::int64_t>(layout.starts.front()));
    if (!layout.objects.empty()) writeText(table.dataset, "names", namesOf(layout));
  }

  /// Components that are called 1, 2, 3 ... need no names (there may be more than an attribute holds).
  static bool isNumbered(const RecordedTable& layout) {
    for (std::size_t i = 0; i < layout.components.size(); ++i)
      if (layout.components[i] != std::to_string(i + 1)) return false;
    return true;
  }

  /// Where the names along the second dimension stand: once for all tables of a group that have the same.
  std::string namesOf(const RecordedTable& layout) {
    const std::string group = layout.path.substr(0, layout.path.find('/'));
    const auto [known, isNew] = names_.try_emplace(group, layout.objects);
    if (isNew || known->second == layout.objects) {
      if (isNew) writeNames(group + "/names", layout.objects);
      return "/" + group + "/names";
    }
    writeNames(layout.path + "_names", layout.objects);
    return "/" + layout.path + "_names";
  }

  void writeNames(const std::string& path, const std::vector<std::string>& names) {
    const hsize_t size = names.size();
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, failed_);
    const Hdf5Handle dataset(H5Dcreate2(*file_, path.c_str(), *text_, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             H5Dclose, failed_);
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    check(H5Dwrite(dataset, *text_, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
  }

  bool appendTo(const OpenTable& table, std::span<const double> values, std::size_t rows) {
    const RecordedTable& layout = table.layout;
    const std::size_t perRow = layout.columns(), width = layout.width();
    block_.resize(rows * perRow);
    double* next = block_.data();
    for (std::size_t row = 0; row < rows; ++row)
      for (const std::size_t start : layout.starts)
        next = std::copy_n(values.data() + row * columns_ + start, width, next);

    std::vector<hsize_t> size{rows_ + rows};
    if (!layout.objects.empty()) size.push_back(layout.objects.size());
    if (!layout.components.empty()) size.push_back(layout.components.size());
    if (grows_ && H5Dset_extent(table.dataset, size.data()) < 0) return false;
    std::vector<hsize_t> from(size.size(), 0), count = size;
    from[0] = rows_;
    count[0] = rows;
    const int rank = static_cast<int>(size.size());
    const Hdf5Handle onDisk(H5Dget_space(table.dataset), H5Sclose, failed_);
    const Hdf5Handle inMemory(H5Screate_simple(rank, count.data(), nullptr), H5Sclose, failed_);
    return H5Sselect_hyperslab(onDisk, H5S_SELECT_SET, from.data(), nullptr, count.data(), nullptr) >= 0 &&
           H5Dwrite(table.dataset, H5T_NATIVE_DOUBLE, inMemory, onDisk, H5P_DEFAULT, block_.data()) >= 0;
  }

  void writeText(hid_t to, const std::string& name, const std::string& text) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, failed_);
    const char* pointer = text.c_str();
    writeAttribute(to, name, *text_, space, &pointer);
  }

  void writeNumber(hid_t to, const std::string& name, std::int64_t number) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, failed_);
    writeAttribute(to, name, H5T_NATIVE_INT64, space, &number);
  }

  void writeAttribute(hid_t to, const std::string& name, hid_t type, hid_t space, const void* value) {
    const Hdf5Handle attribute(H5Acreate2(to, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed_);
    check(H5Awrite(attribute, type, value));
  }

  std::string failed_;
  std::size_t columns_;
  bool grows_;
  hsize_t rows_ = 0;
  std::optional<Hdf5Handle> file_, text_;
  std::vector<OpenTable> tables_;
  std::map<std::string, std::vector<std::string>> names_;  // of the groups whose tables hold many objects
  std::vector<double> block_;
};

}  // namespace

bool hasHdf5() {
  return true;
}

std::unique_ptr<RecordingWriter> makeHdf5Writer(const std::string& path, const std::vector<std::string>& columns,
                                                const Attributes& attributes, const RowPlan& plan) {
  return std::make_unique<Hdf5Writer>(path, columns, attributes, plan);
}

}  // namespace polhode
