#include "polhode/io/recording.h"

#include "hdf5_apart.h"
#include "io/csv_reader.h"
#include "io/csv_writer.h"
#include "io/hdf5_writer.h"
#include "io/whole_file.h"
#include "polhode/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace polhode {

namespace fs = std::filesystem;

void checkOutputPath(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (extension != ".csv" && extension != ".h5")
    throw InputError(fmt::format("{}: results cannot be written to a file of this kind; end its name with .csv or .h5",
                                 path.empty() ? "''" : path));
  if (extension == ".h5" && !hasHdf5())
    throw InputError(path + ": this polhode was built without HDF5; end the name with .csv");
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw InputError(path + ": this is a directory; give the name of a file in it");
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw InputError(fmt::format("{}: the folder '{}' does not exist; make it first", path, folder.string()));

  const PartialFile trial(path);
  errno = 0;
  if (!std::ofstream(trial.path()))
    throw InputError(
        fmt::format("{}: no file can be made there ({}); choose another folder", path, std::strerror(errno)));
}

void writeRecording(const std::string& path, const Recording& recording, const Attributes& attributes) {
  checkOutputPath(path);
  const PartialFile file(path);
  const RowPlan plan{std::clamp<std::size_t>(recording.rows(), 1, 1024), recording.rows()};
  const auto writer = makeRecordingWriter(path, file.path(), recording.columns, attributes, plan);
  std::string why = writer->append(recording.values);
  if (why.empty()) why = writer->close();
  if (!why.empty()) throw InputError(fmt::format("{}: the file cannot be written ({})", path, why));
  file.complete();
}

std::unique_ptr<RecordingWriter> makeRecordingWriter(const std::string& name, const std::string& path,
                                                     const std::vector<std::string>& columns,
                                                     const Attributes& attributes, const RowPlan& plan) {
  if (fs::path(name).extension() == ".csv") return makeCsvWriter(path, columns);
  return makeHdf5Writer(path, columns, attributes, plan);
}

RecordingFile parseRecording(const std::string& name, std::string_view bytes) {
  if (bytes.starts_with("\x89HDF\r\n")) return parseHdf5Apart(name, bytes);
  return {parseCsv(name, bytes), {}};
}

RecordingFile readRecording(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  if (!file || file.bad())
    throw InputError(fmt::format("{}: the file cannot be read ({}); check the path", path, std::strerror(errno)));
  return parseRecording(path, std::move(bytes).str());
}

}  // namespace polhode
