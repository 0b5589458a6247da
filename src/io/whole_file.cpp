#include "io/whole_file.h"

#include "polhode/error.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace polhode {

namespace fs = std::filesystem;

namespace {

/// What a link points to is replaced, not the link.
std::string finalName(const fs::path& path) {
  std::error_code ignored;
  const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
  return target.empty() ? path.string() : target.string();
}

std::string partialName(const std::string& final, pid_t process) {
  return fmt::format("{}.{}.partial", final, process);
}

}  // namespace

PartialFile::PartialFile(const fs::path& path) : final_(finalName(path)), partial_(partialName(final_, ::getpid())) {}

void PartialFile::removeAbandoned(const fs::path& path) {
  constexpr auto longAgo = std::chrono::minutes(1);
  const fs::path final = finalName(path);
  const std::string beginning = final.filename().string() + ".";
  std::error_code ignored;
  std::vector<fs::path> abandoned;
  for (const fs::directory_entry& each :
       fs::directory_iterator(final.has_parent_path() ? final.parent_path() : ".", ignored)) {
    const std::string name = each.path().filename().string();
    if (!name.starts_with(beginning)) continue;
    const pid_t process = static_cast<pid_t>(std::atol(name.c_str() + beginning.size()));
    const bool isOurs = process > 0 && name == partialName(final.filename().string(), process);
    const bool isOver = isOurs && ::kill(process, 0) != 0 && errno == ESRCH;
    if (isOver && each.last_write_time(ignored) + longAgo < fs::file_time_type::clock::now())
      abandoned.push_back(each.path());
  }
  for (const fs::path& each : abandoned) fs::remove(each, ignored);
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
