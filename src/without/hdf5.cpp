// In place of src/io/hdf5_*.cpp where polhode is built with -DPOLHODE_HDF5=OFF.
#include "io/hdf5_apart.h"
#include "io/hdf5_writer.h"
#include "io/sweep_file.h"
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

// An ensemble has no other file; nothing of these is reached behind the constructors.
struct SweepWriter::Parts {};
struct SweepReader::Parts {};
SweepWriter::SweepWriter(const std::string& path, const SweepLayout&, const Attributes&) {
  throw InputError(path + ": the file of a sweep is HDF5, and this polhode was built without it");
}
SweepWriter::~SweepWriter() = default;
void SweepWriter::append(std::span<const double>, const std::string&) {}
void SweepWriter::sync() {}
void SweepWriter::takePlace() {}
void SweepWriter::takePlaceWithMembers() {}
bool isSweepFile(const std::string&) {
  return false;
}
SweepReader::SweepReader(const std::string& path) {
  throw InputError(path + ": the file of a sweep is HDF5, and this polhode was built without it");
}
SweepReader::~SweepReader() = default;
std::int64_t SweepReader::members() const {
  return 0;
}
std::int64_t SweepReader::done() const {
  return 0;
}
const Attributes& SweepReader::attributes() const {
  static const Attributes none;
  return none;
}
std::vector<double> SweepReader::column(const SweepColumn&, std::int64_t, std::int64_t) const {
  return {};
}
void SweepReader::forEach(const std::string&, const std::function<void(double)>&) const {}
SweepReader::Failed SweepReader::failed() const {
  return {};
}
std::vector<std::string> SweepReader::failures(std::int64_t, std::int64_t) const {
  return {};
}

}  // namespace polhode
