#include "text_file.h"

#include "polhode/error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr std::size_t largestFile = 64u << 20;

}  // namespace

std::string readTextFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(path + ": this is a directory; give the path of a model file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError(fmt::format("{}: the file cannot be opened ({}); check the path", path, std::strerror(errno)));

  std::string text;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(file.gcount()));
    if (text.size() > largestFile)
      throw InputError(path + ": the file is larger than 64 MB; give a model file, which is a short text");
  }
  if (file.bad()) throw InputError(path + ": the file cannot be read to its end; check the disk");
  return text;
}

std::string trimmed(const std::string& text, const char* blanks) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace polhode
