#include "hdf5_handles.h"
#include "hdf5_steady_driver.h"
#include "io/sweep_file.h"
#include "io/whole_file.h"
#include "polhode/error.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace polhode {
namespace {

constexpr std::size_t mostSentence = 240;            // bytes
constexpr hsize_t sentencesAtOnce = 64;              // take their place in the file together
constexpr std::size_t mostWaitingNumbers = 1 << 18;  // 2 MB
constexpr std::size_t mostWaitingMembers = 1 << 14;
constexpr std::int64_t statesAtOnce = 1 << 20;
constexpr std::int64_t numbersAtOnce = 1 << 16;
constexpr const char* versionName = "sweep_version";
constexpr int sweepVersion = 1;

enum Status : std::int8_t { notRun = 0, wasRun = 1, hasFailed = 2 };

/// A sentence as it fits, not cut within a character.
std::string fitting(std::string sentence) {
  if (sentence.size() <= mostSentence) return sentence;
  std::size_t end = mostSentence - 3;
  while (end > 0 && (static_cast<unsigned char>(sentence[end]) & 0xc0u) == 0x80u) --end;
  return sentence.substr(0, end) + "...";
}

Hdf5Handle sentenceType(const std::string& failed) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, failed);
  if (H5Tset_size(type, mostSentence) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
      H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)
    throw InputError(failed);
  return type;
}

/// Rows `first` and behind it of a table.
Hdf5Handle rowsOf(hid_t dataset, hsize_t first, hsize_t count, hsize_t width, const std::string& failed) {
  Hdf5Handle space(H5Dget_space(dataset), H5Sclose, failed);
  const hsize_t from[2] = {first, 0}, size[2] = {count, width};
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, from, nullptr, size, nullptr) < 0) throw InputError(failed);
  return space;
}

Hdf5Handle inMemory(hsize_t count, const std::string& failed) {
  return {H5Screate_simple(1, &count, nullptr), H5Sclose, failed};
}

}  // namespace

struct SweepWriter::Parts {
  std::string path, failed;
  std::size_t perMember = 0;
  std::optional<PartialFile> partial;
  std::optional<Hdf5Handle> file, sentence, status, done;
  std::vector<std::pair<std::size_t, Hdf5Handle>> columns;  // with their widths
  std::vector<double> waiting;
  std::vector<std::string> failures;                     // of those that wait
  hsize_t members = 0, written = 0, sentencesTaken = 0;  // the last: up to which their places are taken, 64 at once
  bool waitsForMembers = false;                          // until it takes its place
  std::string broken;

  void check(herr_t result) const {
    if (result < 0) throw InputError(failed);
  }

  void make(const SweepLayout& layout, const Attributes& attributes) {
    const Hdf5Handle access(steadyFileAccess(), H5Pclose, failed);
    const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, failed);
    check(H5Pset_obj_track_times(creation, false));
    file.emplace(H5Fcreate(partial->path().c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, failed);
    const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose, failed), one(H5Screate(H5S_SCALAR), H5Sclose, failed);
    check(H5Tset_size(text, H5T_VARIABLE));
    check(H5Tset_cset(text, H5T_CSET_UTF8));
    const auto attribute = [&](hid_t of, const std::string& name, hid_t type, const void* value) {
      const Hdf5Handle made(H5Acreate2(of, name.c_str(), type, one, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed);
      check(H5Awrite(made, type, value));
    };
    attribute(*file, versionName, H5T_NATIVE_INT, &sweepVersion);
    for (const auto& [name, value] : attributes) {
      const char* pointer = value.c_str();
      attribute(*file, name, text, &pointer);
    }
    for (const char* group : {"parameters", "measures", "trajectories"}) makeGroup(group);
    const hsize_t n = members = static_cast<hsize_t>(layout.members);
    for (const SweepColumn& column : layout.columns) {
      columns.emplace_back(column.width, makeTable(column.path, H5T_IEEE_F64LE, n, column.width));
      const char* pointer = column.values.c_str();
      if (!column.values.empty()) attribute(columns.back().second, "values", text, &pointer);
    }
    status.emplace(makeTable("status", H5T_STD_I8LE, n, 1));
    done.emplace(makeTable("done", H5T_STD_I64LE, 0, 1));
    makeSentences(n);
    writeDone();
    check(H5Fflush(*file, H5F_SCOPE_GLOBAL));
    takeRoom();
    check(H5Fstart_swmr_write(*file));
    requireRoom();
  }

  void makeGroup(const char* name) {
    const Hdf5Handle how(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, failed);
    check(H5Pset_obj_track_times(how, false));
    const Hdf5Handle group(H5Gcreate2(*file, name, H5P_DEFAULT, how, H5P_DEFAULT), H5Gclose, failed);
  }

  /// In one piece, whose place in the file is known at once and which is filled by nobody but us. A number for n = 0.
  Hdf5Handle makeTable(const std::string& path, hid_t type, hsize_t n, hsize_t width) {
    const hsize_t size[2] = {n, width};
    const Hdf5Handle space(n == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(width == 1 ? 1 : 2, size, nullptr),
                           H5Sclose, failed);
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, failed);
    check(H5Pset_obj_track_times(how, false));
    check(H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY));
    check(H5Pset_fill_time(how, H5D_FILL_TIME_NEVER));
    const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, failed);
    check(H5Pset_create_intermediate_group(links, 1));
    return {H5Dcreate2(*file, path.c_str(), type, space, links, how, H5P_DEFAULT), H5Dclose, failed};
  }

  /// Takes room where members fail only.
  void makeSentences(hsize_t n) {
    const Hdf5Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose, failed);
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, failed);
    const hsize_t chunk = std::min(n, sentencesAtOnce);
    check(H5Pset_obj_track_times(how, false));
    check(H5Pset_chunk(how, 1, &chunk));
    sentence.emplace(H5Dcreate2(*file, "sentence", sentenceType(failed), space, H5P_DEFAULT, how, H5P_DEFAULT),
                     H5Dclose, failed);
  }

  void takeRoom() const {
    const int descriptor = ::open(partial->path().c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    const off_t size = ::lseek(descriptor, 0, SEEK_END);
    errno = 0;
    const bool isShort = ::fallocate(descriptor, 0, 0, size) != 0 && (errno == ENOSPC || errno == EFBIG);
    const std::string why = std::strerror(errno);
    ::close(descriptor);
    if (isShort)
      throw InputError(fmt::format("{}: the file takes {:.3g} MB ({}); make room or choose another folder", path,
                                   static_cast<double>(size) * 1e-6, why));
  }

  void requireRoom() const {
    if (const std::string why = failureOf(*file); !why.empty()) throw InputError(fmt::format("{} ({})", failed, why));
  }

  void writeDone() {
    const auto number = static_cast<std::int64_t>(written);
    check(H5Dwrite(*done, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number));
  }

  void write() {
    const hsize_t count = failures.size();
    std::size_t start = 0;
    std::vector<double> block;
    for (const auto& [width, dataset] : columns) {
      block.clear();
      for (hsize_t row = 0; row < count; ++row) {
        const double* from = waiting.data() + row * perMember + start;
        block.insert(block.end(), from, from + width);
      }
      check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, inMemory(block.size(), failed),
                     rowsOf(dataset, written, count, width, failed), H5P_DEFAULT, block.data()));
      start += width;
    }
    std::vector<std::int8_t> states;
    for (hsize_t row = 0; row < count; ++row) {
      states.push_back(failures[row].empty() ? wasRun : hasFailed);
      if (!failures[row].empty()) writeSentence(written + row, failures[row]);
    }
    check(H5Dwrite(*status, H5T_NATIVE_INT8, inMemory(count, failed), rowsOf(*status, written, count, 1, failed),
                   H5P_DEFAULT, states.data()));
    check(H5Fflush(*file, H5F_SCOPE_GLOBAL));
    written += count;
    writeDone();
    check(H5Fflush(*file, H5F_SCOPE_GLOBAL));
    waiting.clear();
    failures.clear();
  }

  void writeSentence(hsize_t member, const std::string& text) {
    takeSentences(member / sentencesAtOnce);
    std::string padded = fitting(text);
    padded.resize(mostSentence);
    check(H5Dwrite(*sentence, sentenceType(failed), inMemory(1, failed), rowsOf(*sentence, member, 1, 1, failed),
                   H5P_DEFAULT, padded.data()));
  }

  /// The place of those that take it together is taken at once: left to HDF5's cache it would be taken when that is emptied, and
  /// the bytes of the file would hang on when members were written.
  void takeSentences(hsize_t together) {
    if (sentencesTaken > together) return;
    sentencesTaken = together + 1;
    const hsize_t first = together * sentencesAtOnce;
    const std::vector<char> nothing(std::min(members, sentencesAtOnce) * mostSentence);
    check(H5Dwrite_chunk(*sentence, H5P_DEFAULT, 0, &first, nothing.size(), nothing.data()));
  }

  void release() {
    columns.clear();
    sentence.reset();
    status.reset();
    done.reset();
    file.reset();
  }
};

SweepWriter::SweepWriter(const std::string& path, const SweepLayout& layout, const Attributes& attributes)
    : parts_(std::make_unique<Parts>()) {
  checkOutputPath(path);
  parts_->path = path;
  parts_->failed = path + ": the file cannot be written as HDF5; check the folder and the space on the disk";
  parts_->perMember = layout.numbers();
  PartialFile::removeAbandoned(path);
  parts_->partial.emplace(path);
  const Hdf5Session session;
  try {
    parts_->make(layout, attributes);
  } catch (...) {
    parts_->release();
    throw;
  }
}

SweepWriter::~SweepWriter() {
  const Hdf5Session session;
  parts_->release();
}

void SweepWriter::append(std::span<const double> numbers, const std::string& failure) {
  parts_->waiting.insert(parts_->waiting.end(), numbers.begin(), numbers.end());
  parts_->failures.push_back(failure);
  if (parts_->waiting.size() >= mostWaitingNumbers || parts_->failures.size() >= mostWaitingMembers) sync();
}

void SweepWriter::sync() {
  if (parts_->broken.empty() && !parts_->failures.empty()) {
    const Hdf5Session session;
    const hsize_t before = parts_->written;
    std::string why;
    try {
      parts_->write();
    } catch (const InputError&) {
      why = "HDF5 gave up";
    }
    if (const std::string disk = failureOf(*parts_->file); !disk.empty()) why = disk;
    if (!why.empty() && parts_->partial)
      parts_->broken =
          fmt::format("{}: the file cannot be written ({}); make room or choose another folder", parts_->path, why);
    else if (!why.empty())
      parts_->broken = fmt::format(
          "{0}: the file cannot be written any longer ({1}); its first {2} members are there; make room and go on with "
          "`polhode resume {0}`",
          parts_->path, why, before);
  }
  if (!parts_->broken.empty()) throw SimulationError(0.0, parts_->broken);
  if (parts_->waitsForMembers && parts_->written > 0) takePlace();
}

void SweepWriter::takePlaceWithMembers() {
  std::error_code ignored;
  parts_->waitsForMembers = parts_->written == 0 && std::filesystem::exists(parts_->path, ignored);
  if (!parts_->waitsForMembers) takePlace();
}

void SweepWriter::takePlace() {
  parts_->waitsForMembers = false;
  if (!parts_->partial) return;
  parts_->partial->complete();
  parts_->partial.reset();
}

struct SweepReader::Parts {
  std::string failed;
  std::optional<Hdf5Handle> file;
  std::int64_t members = 0, done = 0;
  Attributes attributes;

  void check(herr_t result) const {
    if (result < 0) throw InputError(failed);
  }

  Hdf5Handle table(const std::string& path) const {
    return {H5Dopen2(*file, path.c_str(), H5P_DEFAULT), H5Dclose, failed};
  }

  static herr_t collect(hid_t, const char* name, const H5A_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  }

  std::vector<std::int8_t> states(std::int64_t first, std::int64_t count) const {
    std::vector<std::int8_t> states(static_cast<std::size_t>(count));
    const Hdf5Handle status = table("status");
    check(H5Dread(status, H5T_NATIVE_INT8, inMemory(states.size(), failed),
                  rowsOf(status, static_cast<hsize_t>(first), states.size(), 1, failed), H5P_DEFAULT, states.data()));
    return states;
  }

  static std::unique_ptr<Parts> read(const std::string& path) {
    const Hdf5Session session;
    auto parts = std::make_unique<Parts>();
    parts->failed = path + ": the file is not one that `polhode sweep --out` wrote, or it is damaged";
    parts->file.emplace(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, parts->failed);
    parts->readAttributes();
    parts->check(H5Dread(parts->table("done"), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &parts->done));
    const Hdf5Handle status = parts->table("status");
    const Hdf5Handle space(H5Dget_space(status), H5Sclose, parts->failed);
    parts->members = H5Sget_simple_extent_npoints(space);
    if (parts->done < 0 || parts->done > parts->members) throw InputError(parts->failed);
    return parts;
  }

  void readAttributes() {
    std::vector<std::string> names;
    hsize_t position = 0;
    check(H5Aiterate2(*file, H5_INDEX_NAME, H5_ITER_INC, &position, collect, &names));
    for (const std::string& name : names) {
      const Hdf5Handle attribute(H5Aopen(*file, name.c_str(), H5P_DEFAULT), H5Aclose, failed);
      const Hdf5Handle type(H5Aget_type(attribute), H5Tclose, failed);
      if (H5Tis_variable_str(type) <= 0) continue;
      char* text = nullptr;
      check(H5Aread(attribute, type, &text));
      attributes.emplace_back(name, text ? text : "");
      H5free_memory(text);
    }
  }
};

bool isSweepFile(const std::string& path) {
  const Hdf5Session session;
  if (H5Fis_hdf5(path.c_str()) <= 0) return false;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return false;
  const bool is = H5Aexists(file, versionName) > 0;
  H5Fclose(file);
  return is;
}

/// What is just being written may be caught between two of its pieces; a moment later it is whole.
SweepReader::SweepReader(const std::string& path) {
  constexpr int most = 5;
  constexpr std::chrono::milliseconds moment(20);
  for (int tries = 1; !parts_; ++tries) {
    try {
      parts_ = Parts::read(path);
    } catch (const InputError&) {
      if (tries == most) throw;
      std::this_thread::sleep_for(moment);
    }
  }
}

SweepReader::~SweepReader() {
  const Hdf5Session session;
  parts_->file.reset();
}

std::int64_t SweepReader::members() const {
  return parts_->members;
}

std::int64_t SweepReader::done() const {
  return parts_->done;
}

const Attributes& SweepReader::attributes() const {
  return parts_->attributes;
}

std::vector<double> SweepReader::column(const SweepColumn& column, std::int64_t first, std::int64_t count) const {
  std::vector<double> numbers(static_cast<std::size_t>(count) * column.width);
  if (numbers.empty()) return numbers;
  const Hdf5Session session;
  const Hdf5Handle dataset = parts_->table(column.path);
  parts_->check(
      H5Dread(dataset, H5T_NATIVE_DOUBLE, inMemory(numbers.size(), parts_->failed),
              rowsOf(dataset, static_cast<hsize_t>(first), static_cast<hsize_t>(count), column.width, parts_->failed),
              H5P_DEFAULT, numbers.data()));
  return numbers;
}

void SweepReader::forEach(const std::string& name, const std::function<void(double)>& take) const {
  for (std::int64_t first = 0; first < parts_->done; first += numbersAtOnce)
    for (const double number : column({name, 1, ""}, first, std::min(numbersAtOnce, parts_->done - first)))
      take(number);
}

SweepReader::Failed SweepReader::failed() const {
  const Hdf5Session session;
  Failed failed;
  for (std::int64_t first = 0; first < parts_->done; first += statesAtOnce) {
    const std::vector<std::int8_t> states = parts_->states(first, std::min(statesAtOnce, parts_->done - first));
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] != hasFailed) continue;
      if (failed.count++ == 0) failed.first = first + static_cast<std::int64_t>(i);
    }
  }
  return failed;
}

std::vector<std::string> SweepReader::failures(std::int64_t first, std::int64_t count) const {
  std::vector<std::string> result(static_cast<std::size_t>(count));
  if (result.empty()) return result;
  const Hdf5Session session;
  const auto from = static_cast<hsize_t>(first);
  const std::vector<std::int8_t> states = parts_->states(first, count);
  const Hdf5Handle sentence = parts_->table("sentence");
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] != hasFailed) continue;
    std::string text(mostSentence, '\0');
    parts_->check(H5Dread(sentence, sentenceType(parts_->failed), inMemory(1, parts_->failed),
                          rowsOf(sentence, from + i, 1, 1, parts_->failed), H5P_DEFAULT, text.data()));
    result[i] = text.c_str();
  }
  return result;
}

}  // namespace polhode
