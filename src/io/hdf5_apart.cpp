#include "hdf5_apart.h"

#include "hdf5_handles.h"
#include "io/hdf5_reader.h"
#include "polhode/error.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace polhode {
namespace {

/// Seconds of computing after which a file is given up: a damaged one can keep HDF5 in a circle.
rlim_t longestParse(std::size_t size) {
  return 5 + size / 5'000'000;  // bytes a second, far less than a sound one takes
}

enum Outcome : char { parsed = 'r', refused = 'x' };

// What goes through the pipe: numbers and texts with their lengths, as they lie in memory.

void put(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& bytes, const std::string& text) {
  put(bytes, text.size());
  bytes += text;
}

std::string packed(const RecordingFile& file) {
  std::string bytes(1, parsed);
  put(bytes, file.attributes.size());
  for (const auto& [name, text] : file.attributes) {
    put(bytes, name);
    put(bytes, text);
  }
  put(bytes, file.recording.columns.size());
  for (const std::string& column : file.recording.columns) put(bytes, column);
  put(bytes, file.recording.values.size());
  bytes.append(reinterpret_cast<const char*>(file.recording.values.data()),
               file.recording.values.size() * sizeof(double));
  return bytes;
}

/// Takes the same apart again. Whatever is missing ends it: the other process may have died while it wrote.
class Unpacker {
 public:
  Unpacker(std::string_view bytes, const std::string& damaged) : bytes_(bytes), damaged_(damaged) {}

  RecordingFile file() {
    RecordingFile file;
    for (std::uint64_t i = number(); i > 0; --i) {
      std::string name = text();
      file.attributes.emplace_back(std::move(name), text());
    }
    for (std::uint64_t i = number(); i > 0; --i) file.recording.columns.push_back(text());
    const std::uint64_t count = number();
    if (count > bytes_.size() / sizeof(double)) throw InputError(damaged_);
    file.recording.values.resize(count);
    const std::string_view values = take(count * sizeof(double));
    if (count > 0) std::memcpy(file.recording.values.data(), values.data(), values.size());
    return file;
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw InputError(damaged_);
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::uint64_t number() {
    std::uint64_t result = 0;
    std::memcpy(&result, take(sizeof result).data(), sizeof result);
    return result;
  }
  std::string text() { return std::string(take(number())); }

  std::string_view bytes_;
  const std::string& damaged_;
};

/// All of it; false where nobody reads any more.
bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string readAll(int file) {
  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(count));
  }
}

/// The life of the child: it dies quietly where HDF5 makes it, and never comes back.
[[noreturn]] void parseAndTell(const std::string& name, std::string_view bytes, int pipe) {
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGPIPE}) ::signal(fatal, SIG_DFL);
  ::alarm(0);
  const rlimit noCore{0, 0}, computing{longestParse(bytes.size()), longestParse(bytes.size())};
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::setrlimit(RLIMIT_CPU, &computing);
  std::string told;
  try {
    told = packed(parseHdf5(name, bytes));
  } catch (const InputError& error) {
    told = std::string(1, refused) + error.what();
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(writeAll(pipe, told) ? 0 : 1);
}

}  // namespace

RecordingFile parseHdf5Apart(const std::string& name, std::string_view bytes) {
  const std::string damaged = name + ": the file is not a run that `polhode run --out` wrote, or it is damaged";
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw InputError(fmt::format("{}: the file cannot be read ({})", name, std::strerror(errno)));
  std::optional<Hdf5Session> alone(std::in_place);  // no other thread is inside HDF5 while the process is copied
  const pid_t child = ::fork();
  alone.reset();
  if (child == 0) parseAndTell(name, bytes, ends[1]);
  ::close(ends[1]);
  const std::string told = child > 0 ? readAll(ends[0]) : std::string();
  ::close(ends[0]);
  if (child < 0)
    throw InputError(fmt::format("{}: no process can be started to read it ({})", name, std::strerror(errno)));

  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!ended || told.empty()) throw InputError(damaged);
  if (told.front() == refused) throw InputError(told.substr(1));
  return Unpacker(std::string_view(told).substr(1), damaged).file();
}

}  // namespace polhode
