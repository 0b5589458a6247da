#include "io/whole_file.h"

#include "polhode/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace polhode {

namespace fs = std::filesystem;

PartialFile::PartialFile(const fs::path& path) {
  // what a link points to is replaced, not the link
  std::error_code ignored;
  const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
  final_ = target.empty() ? path.string() : target.string();
  partial_ = fmt::format("{}.{}.partial", final_, ::getpid());
}

PartialFile::~PartialFile() {
  std::error_code ignored;
  fs::remove(partial_, ignored);
}

void PartialFile::complete() const {
  std::error_code error;
  fs::rename(partial_, final_, error);
  if (error) throw InputError(fmt::format("{}: the file cannot be replaced ({})", final_, error.message()));
}

void writeWholeFile(const fs::path& path, const std::string& text) {
  const auto fail = [&](const std::string& why) {
    throw InputError(
        fmt::format("{}: the file cannot be written ({}); choose a folder that you may write to", path.string(), why));
  };
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) fail(error.message());

  const PartialFile file(path);
  errno = 0;
  std::ofstream stream(file.path(), std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) fail(std::strerror(errno != 0 ? errno : EIO));
  file.complete();
}

std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

}  // namespace polhode
