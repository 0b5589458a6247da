#pragma once

#include <filesystem>
#include <string>

/// Files that are there whole or not at all: written under another name beside the final one and renamed when complete,
/// so that an existing one is never lost.
namespace polhode {

/// A file beside the final one that becomes the final one when it is complete, or vanishes.
class PartialFile {
 public:
  explicit PartialFile(const std::filesystem::path& path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  /// Removes what processes of this machine that were killed have left beside that file, and not touched for a minute: another
  /// machine may write there as well.
  static void removeAbandoned(const std::filesystem::path& path);

  const std::string& path() const { return partial_; }

  /// Puts it in the place of the final one, in one motion. Throws InputError where that fails.
  void complete() const;

 private:
  std::string final_, partial_;
};

/// Writes a text to a file, whole or not at all, and creates the folders above it. Throws InputError.
void writeWholeFile(const std::filesystem::path& path, const std::string& text);

/// A field of a CSV file: in quotes where it holds a comma, a quote or the end of a line.
std::string csvField(const std::string& text);

}  // namespace polhode
