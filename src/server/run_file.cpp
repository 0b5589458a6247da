#include "server/run_file.h"

#include "io/run_attributes.h"
#include "polhode/error.h"
#include "polhode/io/recording.h"

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

std::optional<Model> ownModel(const std::string& name, const RecordingFile& file, OtherFiles files) {
  const std::optional<ModelFile> own = modelOfRun(file.attributes, name, files);
  return own ? std::optional(own->model) : std::nullopt;
}

/// The same for a file that was sent: where its model names other files, or cannot be read, bodies are shown as balls.
std::optional<Model> ownModelIfAlone(const std::string& name, const RecordingFile& file) {
  try {
    return ownModel(name, file, OtherFiles::refuse);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

bool isRunPath(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".h5" || extension == ".csv";
}

std::shared_ptr<const FinishedRun> openRunFile(const std::string& path, const std::optional<Model>& model) {
  const std::string name = std::filesystem::path(path).filename().string();
  RecordingFile file = readRecording(path);
  const std::optional<Model> shown = model ? model : ownModel(name, file, OtherFiles::read);
  return makeFinishedRun(name, std::make_shared<const Recording>(std::move(file.recording)), shown);
}

std::shared_ptr<const FinishedRun> openRunBytes(const std::string& name, std::string_view bytes) {
  const std::string shown = shownName(name);
  RecordingFile file = parseRecording(shown, bytes);
  const std::optional<Model> model = ownModelIfAlone(shown, file);
  return makeFinishedRun(shown, std::make_shared<const Recording>(std::move(file.recording)), model);
}

}  // namespace polhode::live
