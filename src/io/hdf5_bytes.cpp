#include "io/hdf5_bytes.h"

#include "polhode/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace polhode {

namespace {

/// A folder of one's own, in which nobody else has put links; it vanishes with all that is in it.
class OwnFolder {
 public:
  OwnFolder() : path_((std::filesystem::temp_directory_path() / "polhode-XXXXXX").string()) {
    if (!::mkdtemp(path_.data()))
      throw InputError(fmt::format("{}: no folder can be made there ({})", path_, std::strerror(errno)));
  }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace

std::string hdf5Bytes(const Recording& recording, const Attributes& attributes) {
  const OwnFolder folder;  // HDF5 writes to files
  const std::string path = folder / "recording.h5";
  writeRecording(path, recording, attributes);
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(bytes).str();
}

}  // namespace polhode
