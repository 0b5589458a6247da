#include "polhode/server/run_file.h"

#include "polhode/io/recording.h"
#include "polhode/io/run_attributes.h"

#include <charconv>
#include <filesystem>

namespace polhode::live {

namespace {

/// A name as pages and errors may show it: decoded, without its folder, printable, short.
std::string shownName(std::string_view encoded) {
  std::string name;
  for (std::size_t i = 0; i < encoded.size() && name.size() < 80; ++i) {
    unsigned code = static_cast<unsigned char>(encoded[i]);
    if (encoded[i] == '%' && i + 2 < encoded.size()) {
      const char* digits = encoded.data() + i + 1;
      if (std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) i += 2;
    }
    name += code >= 0x20 && code < 0x7f ? static_cast<char>(code) : '?';
  }
  return name.empty() ? "run" : name;
}

std::shared_ptr<const FinishedRun> show(const std::string& name, const RecordingFile& file,
                                        const std::optional<Model>& given) {
  if (given) return makeFinishedRun(name, file.recording, given);
  const std::optional<ModelFile> own = modelOfRun(file.attributes, name);
  return makeFinishedRun(name, file.recording, own ? std::optional(own->model) : std::nullopt);
}

}  // namespace

bool isRunPath(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".h5" || extension == ".csv";
}

std::shared_ptr<const FinishedRun> openRunFile(const std::string& path, const std::optional<Model>& model) {
  return show(std::filesystem::path(path).filename().string(), readRecording(path), model);
}

std::shared_ptr<const FinishedRun> openRunBytes(const std::string& name, std::string_view bytes) {
  const std::string shown = shownName(name);
  return show(shown, parseRecording(shown, bytes), std::nullopt);
}

}  // namespace polhode::live
