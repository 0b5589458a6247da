#include "ensemble/vary.h"

#include "io/text_file.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/io/recording.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode::ensemble {

namespace {

constexpr double mostLevels = 1e6;

/// Reads the value behind KEY= from left to right and finds what varies in it.
class VaryParser {
 public:
  explicit VaryParser(const std::string& text) : whole_(text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail("there is no '='; write for instance body.top.mass=0.5:2");
    if (text.find_first_of("\r\n") != std::string::npos) fail("it has several lines; write it in one");
    vary_.key = trimmed(text.substr(0, equals));
    text_ = trimmed(text.substr(equals + 1));
    if (vary_.key.empty() || text_.empty()) fail("a key or a value is missing; write for instance body.top.mass=0.5:2");
  }

  Vary take() {
    scan();
    if (vary_.parameters.empty()) takeList();
    if (vary_.parameters.empty())
      fail("nothing varies in it; write a range such as 0.5:2, or give what stays the same with --set");
    vary_.pieces.push_back(piece_);
    for (std::size_t i = 0; i < vary_.parameters.size(); ++i)
      vary_.parameters[i].name = vary_.parameters.size() == 1 ? vary_.key : fmt::format("{}.{}", vary_.key, i + 1);
    return std::move(vary_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("--vary {}: {}", quoted(whole_), why));
  }

  void scan() {
    bool inWord = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        takeString(c);
      } else if (c == '@' && !inWord) {
        takeColumn();
      } else if (inWord || c == ' ' || !(takeRange() || takeFunction())) {
        piece_ += text_[at_++];
      }
      const char last = text_[at_ - 1];
      inWord = std::isalnum(static_cast<unsigned char>(last)) || last == '_' || last == '.';
    }
  }

  void takeString(char quote) {
    do {
      if (text_[at_] == '\\' && quote == '"' && at_ + 1 < text_.size()) piece_ += text_[at_++];
      piece_ += text_[at_++];
    } while (at_ < text_.size() && text_[at_] != quote);
    if (at_ == text_.size()) fail("a quote is not closed");
    piece_ += text_[at_++];
  }

  std::optional<double> numberAt(std::size_t& at) const {
    std::size_t begin = at;
    while (begin < text_.size() && text_[begin] == ' ') ++begin;
    if (begin == text_.size() || !(std::isdigit(static_cast<unsigned char>(text_[begin])) ||
                                   std::string("+-.").find(text_[begin]) != std::string::npos))
      return std::nullopt;
    char* end = nullptr;
    const double number = std::strtod(text_.c_str() + begin, &end);
    if (end == text_.c_str() + begin) return std::nullopt;
    at = static_cast<std::size_t>(end - text_.c_str());
    return number;
  }

  bool takeSign(char sign, std::size_t& at) const {
    std::size_t next = at;
    while (next < text_.size() && text_[next] == ' ') ++next;
    if (next == text_.size() || text_[next] != sign) return false;
    at = next + 1;
    return true;
  }

  /// LOW:HIGH or LOW:HIGH:COUNT
  bool takeRange() {
    std::size_t at = at_;
    const std::optional<double> low = numberAt(at);
    if (!low || !takeSign(':', at)) return false;
    const std::optional<double> high = numberAt(at);
    if (!high) fail(fmt::format("there is no number behind '{}'; write LOW:HIGH or LOW:HIGH:COUNT", between(at_, at)));
    std::optional<double> count;
    if (takeSign(':', at)) {
      count = numberAt(at);
      if (!count) fail(fmt::format("there is no number behind '{}'; write LOW:HIGH:COUNT", between(at_, at)));
    }
    addRange(*low, *high, count, at);
    return true;
  }

  void addRange(double low, double high, std::optional<double> count, std::size_t end) {
    requireFinite({low, high}, end);
    if (!(low < high)) fail(fmt::format("the range {} is empty; give the smaller number first", between(at_, end)));
    Parameter parameter;
    parameter.first = low;
    parameter.second = high;
    parameter.words = fmt::format("uniform({}, {})", low, high);
    if (count) {
      if (!(*count >= 2.0 && *count <= mostLevels && *count == std::floor(*count)))
        fail(fmt::format("the range {} has {} values; give a whole number from 2 to {:g}", between(at_, end), *count,
                         mostLevels));
      parameter.kind = Parameter::Kind::levels;
      for (double k = 0.0; k < *count; k += 1.0) {
        const double share = k / (*count - 1.0);
        parameter.numbers.push_back(share == 1.0 ? high : low + (high - low) * share);
        parameter.levels.push_back(fmt::format("{}", parameter.numbers.back()));
      }
      parameter.words = fmt::format("{}:{}:{}", low, high, *count);
    }
    add(std::move(parameter), end);
  }

  /// uniform(LOW, HIGH), normal(MEAN, DEVIATION), among(A, B, ...), rows(FILE; A, B, ...)
  bool takeFunction() {
    for (const char* name : {"uniform", "normal", "among", "rows"}) {
      const std::string opening = std::string(name) + "(";
      if (text_.compare(at_, opening.size(), opening) != 0) continue;
      const std::size_t end = closing(at_ + opening.size() - 1);
      const std::string inside = between(at_ + opening.size(), end);
      if (opening[0] == 'a') {
        addLevels(split(inside), "", end + 1);
      } else if (opening[0] == 'r') {
        const std::vector<std::string> parts = split(inside, ';');
        if (parts.size() != 2) fail("it is not of the form rows(FILE; A, B, ...)");
        addLevels(split(parts[1]), withoutQuotes(parts[0]), end + 1);
      } else {
        addDistribution(opening[0] == 'n', split(inside), end + 1);
      }
      return true;
    }
    return false;
  }

  void addDistribution(bool isNormal, const std::vector<std::string>& words, std::size_t end) {
    const char* form = isNormal ? "normal(MEAN, DEVIATION)" : "uniform(LOW, HIGH)";
    std::vector<double> numbers;
    for (const std::string& word : words)
      if (const auto number = asNumber(word)) numbers.push_back(*number);
    if (words.size() != 2 || numbers.size() != 2)
      fail(fmt::format("'{}' is not of the form {}", between(at_, end), form));
    if (!isNormal) return addRange(numbers[0], numbers[1], std::nullopt, end);
    requireFinite(numbers, end);
    if (!(numbers[1] > 0.0))
      fail(fmt::format("the standard deviation {} is not positive; give what stays the same with --set", numbers[1]));
    Parameter parameter;
    parameter.kind = Parameter::Kind::normal;
    parameter.first = numbers[0];
    parameter.second = numbers[1];
    parameter.words = fmt::format("normal({}, {})", numbers[0], numbers[1]);
    add(std::move(parameter), end);
  }

  /// @FILE:COLUMN, or @"FILE:COLUMN" where there are spaces or brackets in it
  void takeColumn() {
    const char quote = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    const bool isQuoted = quote == '"' || quote == '\'';
    std::size_t end = std::min(text_.find_first_of(" \t,]})", at_), text_.size());
    if (isQuoted) {
      end = text_.find(quote, at_ + 2);
      if (end == std::string::npos) fail("a quote is not closed");
      ++end;
    }
    const std::string name = withoutQuotes(between(at_ + 1, end));
    const std::size_t colon = name.rfind(':');
    if (colon == std::string::npos || colon == 0)
      fail(fmt::format("'@{}' names no column; write @FILE.csv:COLUMN", name));
    const std::string path = name.substr(0, colon), column = name.substr(colon + 1);
    const Recording table = readRecording(path).recording;
    if (std::find(table.columns.begin(), table.columns.end(), column) == table.columns.end())
      fail(fmt::format("{} has no column {}; {}", path, quoted(column), suggestion(column, table.columns)));
    std::vector<std::string> levels;
    for (const double number : table.column(column)) {
      levels.push_back(fmt::format("{}", number));
      if (!std::isfinite(number))
        fail(fmt::format("{} has {} in column {}, in row {} below the names; give a number there, or leave the row out",
                         path, number, quoted(column), levels.size()));
    }
    if (levels.empty()) fail(fmt::format("{} has no rows; give at least one", path));
    addLevels(levels, path, end);
  }

  /// A list in which nothing varies: [1, 2, 5]
  void takeList() {
    if (text_.front() != '[' || text_.back() != ']' || closing(0) + 1 != text_.size()) return;
    piece_.clear();
    at_ = 0;
    addLevels(split(between(1, text_.size() - 1)), "", text_.size());
  }

  void addLevels(std::vector<std::string> levels, std::string together, std::size_t end) {
    if (levels.size() > 1 && levels.back().empty()) levels.pop_back();  // a comma behind the last, as TOML has it
    if (levels.size() == 1 && levels.back().empty())
      fail("the list is empty; give what it is to be, with commas between");
    if (std::find(levels.begin(), levels.end(), "") != levels.end())
      fail("there is nothing between two commas of a list; give what it is to be, or leave one comma out");
    Parameter parameter;
    parameter.kind = Parameter::Kind::levels;
    for (const std::string& level : levels)
      if (const auto number = asNumber(level)) parameter.numbers.push_back(*number);
    parameter.areWords = parameter.numbers.size() < levels.size();
    if (parameter.areWords) {
      parameter.numbers.clear();
      for (std::size_t i = 0; i < levels.size(); ++i) parameter.numbers.push_back(static_cast<double>(i));
    }
    parameter.words = together.empty() ? fmt::format("among({})", fmt::join(levels, ", "))
                                       : fmt::format("rows({}; {})", inQuotes(together), fmt::join(levels, ", "));
    parameter.levels = std::move(levels);
    parameter.together = std::move(together);
    add(std::move(parameter), end);
  }

  void add(Parameter parameter, std::size_t end) {
    vary_.pieces.push_back(std::exchange(piece_, ""));
    vary_.parameters.push_back(std::move(parameter));
    at_ = end;
  }

  void requireFinite(const std::vector<double>& numbers, std::size_t end) const {
    for (const double number : numbers)
      if (!std::isfinite(number)) fail(fmt::format("'{}' is not of finite numbers", between(at_, end)));
  }

  static std::optional<double> asNumber(const std::string& word) {
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0' || !std::isfinite(number)) return std::nullopt;
    return number;
  }

  std::string between(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }

  /// The path of a file, in quotes where it would not be read back as it is.
  std::string inQuotes(const std::string& path) const {
    if (path.find_first_of(";,()[]{}\"'") == std::string::npos && path == trimmed(path)) return path;
    for (const char quote : {'"', '\''})
      if (path.find(quote) == std::string::npos) return quote + path + quote;
    fail(fmt::format("the path {} has quotes of both kinds; rename the file", path));
  }

  static std::string withoutQuotes(const std::string& word) {
    const bool isQuoted = word.size() > 1 && (word[0] == '"' || word[0] == '\'') && word.back() == word[0];
    return isQuoted ? word.substr(1, word.size() - 2) : word;
  }

  /// How deep in brackets one is, reading character by character. What is in quotes has none.
  class Depth {
   public:
    void read(char c) {
      if (quote_ != 0) {
        const bool isEscape = c == '\\' && quote_ == '"' && !isEscaped_;
        if (c == quote_ && !isEscaped_) quote_ = 0;
        isEscaped_ = isEscape;
      } else if (c == '"' || c == '\'') {
        quote_ = c;
      } else if (std::string("([{").find(c) != std::string::npos) {
        ++brackets_;
      } else if (std::string(")]}").find(c) != std::string::npos) {
        --brackets_;
      }
    }
    bool isOutside() const { return quote_ == 0 && brackets_ == 0; }

   private:
    char quote_ = 0;
    bool isEscaped_ = false;
    int brackets_ = 0;
  };

  /// Where the bracket at `open` is closed.
  std::size_t closing(std::size_t open) const {
    Depth depth;
    for (std::size_t i = open; i < text_.size(); ++i) {
      depth.read(text_[i]);
      if (depth.isOutside()) return i;
    }
    fail(fmt::format("a bracket is not closed behind '{}'", between(open, std::min(open + 20, text_.size()))));
  }

  /// At the commas that are in no bracket and in no quotes.
  static std::vector<std::string> split(const std::string& list, char comma = ',') {
    std::vector<std::string> parts(1);
    Depth depth;
    for (const char c : list) {
      depth.read(c);
      if (c == comma && depth.isOutside())
        parts.emplace_back();
      else
        parts.back() += c;
    }
    for (std::string& part : parts) part = trimmed(part);
    return parts;
  }

  std::string whole_, text_, piece_;
  std::size_t at_ = 0;
  Vary vary_;
};

/// (c_0 + c_1 x + ...) / (d_0 + d_1 x + ...)
double ratio(double x, const double (&c)[8], const double (&d)[8]) {
  double above = 0.0, below = 0.0;
  for (int i = 7; i >= 0; --i) {
    above = above * x + c[i];
    below = below * x + d[i];
  }
  return above / below;
}

}  // namespace

std::size_t Parameter::level(double share) const {
  const auto count = static_cast<double>(levels.size());
  return static_cast<std::size_t>(std::clamp(std::floor(share * count), 0.0, count - 1.0));
}

double Parameter::number(double share) const {
  switch (kind) {
    case Kind::uniform:
      return first + (second - first) * share;
    case Kind::normal:
      return first + second * normalQuantile(share);
    case Kind::levels:
      break;
  }
  return numbers[level(share)];
}

std::string Parameter::text(double share) const {
  return kind == Kind::levels ? levels[level(share)] : fmt::format("{}", number(share));
}

std::string Vary::words() const {
  std::string text = key + "=";
  for (std::size_t i = 0; i < parameters.size(); ++i) text += pieces[i] + parameters[i].words;
  return text + pieces.back();
}

Vary parseVary(const std::string& text) {
  return VaryParser(text).take();
}

double normalQuantile(double probability) {
  static constexpr double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                  1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                  3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr double b[8] = {1.0,
                                  4.2313330701600911252e+1,
                                  6.8718700749205790830e+2,
                                  5.3941960214247511077e+3,
                                  2.1213794301586595867e+4,
                                  3.9307895800092710610e+4,
                                  2.8729085735721942674e+4,
                                  5.2264952788528545610e+3};
  static constexpr double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                  3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double d[8] = {1.0,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
  static constexpr double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                  2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double f[8] = {1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};
  const double q = probability - 0.5;
  if (std::abs(q) <= 0.425) return q * ratio(0.180625 - q * q, a, b);
  const double r = std::sqrt(-std::log(q < 0.0 ? probability : 1.0 - probability));
  const double x = r <= 5.0 ? ratio(r - 1.6, c, d) : ratio(r - 5.0, e, f);
  return q < 0.0 ? -x : x;
}

}  // namespace polhode::ensemble
