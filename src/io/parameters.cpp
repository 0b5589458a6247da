#include "parameters.h"

#include "field.h"
#include "model/formula.h"
#include "model/suggestion.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode {
namespace {

bool isLetterOfAName(unsigned char c) {
  return std::isalnum(c) || c == '_';
}

/// The words of a formula that are not parts of numbers, such as the e of 1e3.
std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    const auto begin = static_cast<unsigned char>(text[i]);
    if (!isLetterOfAName(begin)) {
      ++i;
      continue;
    }
    std::string word;
    while (i < text.size() && isLetterOfAName(static_cast<unsigned char>(text[i]))) word += text[i++];
    if (std::isalpha(begin)) words.push_back(word);
  }
  return words;
}

/// Finds the value of each parameter after those that it is made of.
class ParameterReader {
 public:
  explicit ParameterReader(const Value& table) : table_(table) {
    for (const Entry& entry : *table.table()) {
      requireName(entry);
      resolve(entry);
    }
  }

  std::map<std::string, double> take() { return std::move(context_.parameters); }

 private:
  static void requireName(const Entry& entry) {
    const std::string& name = entry.key;
    const bool isWord = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
                        std::all_of(name.begin(), name.end(), isLetterOfAName);
    if (!isWord)
      failAt(entry.place, fmt::format("[parameters] has the name {}, which cannot stand in a formula; use letters, "
                                      "digits and underscores, a letter first",
                                      quoted(name)));
    if (Formula::isReserved(name))
      failAt(entry.place, fmt::format("[parameters] has the name {}, which means something else in formulas; choose "
                                      "another one",
                                      quoted(name)));
  }

  void resolve(const Entry& entry) {
    if (context_.parameters.contains(entry.key)) return;
    const auto first = std::find(path_.begin(), path_.end(), entry.key);
    const bool isCircle = first != path_.end();
    const auto begin = first - path_.begin();
    path_.push_back(entry.key);
    if (isCircle)
      failAt(entry.value.place, fmt::format("[parameters]: {} depends on itself ({}); give one of them a number",
                                            quoted(entry.key), fmt::join(path_.begin() + begin, path_.end(), " -> ")));
    if (const std::string* text = entry.value.string())
      for (const std::string& word : wordsOf(*text)) resolveWord(entry, *text, word);
    const double value = Field(entry.value, "[parameters]: " + entry.key, &context_).number();
    context_.parameters.emplace(entry.key, value);
    path_.pop_back();
  }

  void resolveWord(const Entry& entry, const std::string& text, const std::string& word) {
    std::vector<std::string> known;
    for (const Entry& other : *table_.table()) {
      if (other.key == word) return resolve(other);
      known.push_back(other.key);
    }
    if (!Formula::isReserved(word))
      failAt(entry.value.place,
             fmt::format("[parameters]: {} must be a number; formula {} is wrong at character {}: {} is unknown; {}",
                         entry.key, quoted(text), text.find(word) + 1, quoted(word), suggestion(word, known)));
  }

  const Value& table_;
  FileContext context_;
  std::vector<std::string> path_;  // which parameter asks for which
};

}  // namespace

std::map<std::string, double> readParameters(const Value& document) {
  const Value* parameters = document.find("parameters");
  if (!parameters) return {};
  if (!parameters->table())
    failAt(parameters->place, fmt::format("parameters must be a table, not {}; write [parameters] above its keys",
                                          parameters->description()));
  return ParameterReader(*parameters).take();
}

}  // namespace polhode
