#include "server/command.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace polhode::live {

namespace {

constexpr std::size_t mostWords = 19;  // nine parts that are watched: eight on charts, and the one that is selected
constexpr std::size_t longestValue = 1000;  // letters of what is set
constexpr std::size_t longestName = 100;    // of a recording

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (words.size() <= mostWords) {
    const auto start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    words.push_back(text.substr(0, text.find(' ')));
    text.remove_prefix(words.back().size());
  }
  return words;
}

bool readNumber(std::string_view word, double& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() && std::isfinite(number);
}

/// All words behind the first as numbers, if there are as many as asked for.
template <std::size_t N>
std::optional<std::array<double, N>> numbersOf(const std::vector<std::string_view>& words) {
  std::array<double, N> numbers;
  if (words.size() != N + 1) return std::nullopt;
  for (std::size_t i = 0; i < N; ++i)
    if (!readNumber(words[i + 1], numbers[i])) return std::nullopt;
  return numbers;
}

/// A command of one positive number that is no larger than `most`.
template <class Made>
std::optional<Command> positive(const std::vector<std::string_view>& words, double least, double most) {
  const auto number = numbersOf<1>(words);
  if (!number || !((*number)[0] >= least) || (*number)[0] > most) return std::nullopt;
  return Made{(*number)[0]};
}

/// A command about one of several things.
template <class Made>
std::optional<Command> numbered(const std::vector<std::string_view>& words) {
  const auto number = numbersOf<1>(words);
  if (!number || !((*number)[0] >= 0.0 && (*number)[0] < 1e12)) return std::nullopt;
  return Made{static_cast<std::size_t>((*number)[0])};
}

template <class Made>
std::optional<Command> named(const std::vector<std::string_view>& words) {
  if (words.size() != 2 || words[1].size() > 64) return std::nullopt;
  return Made{std::string(words[1])};
}

std::optional<Command> parseGrab(const std::vector<std::string_view>& words) {
  const auto n = numbersOf<7>(words);
  if (!n || !((*n)[0] >= 0.0 && (*n)[0] < 1e6)) return std::nullopt;
  return Grab{static_cast<std::size_t>((*n)[0]), {(*n)[1], (*n)[2], (*n)[3]}, {(*n)[4], (*n)[5], (*n)[6]}};
}

std::optional<Command> parseTurn(const std::vector<std::string_view>& words) {
  const auto n = numbersOf<4>(words);
  if (!n || !((*n)[0] >= 0.0 && (*n)[0] < 1e6)) return std::nullopt;
  return Turn{static_cast<std::size_t>((*n)[0]), {(*n)[1], (*n)[2], (*n)[3]}};
}

std::optional<Command> parseLead(const std::vector<std::string_view>& words) {
  const auto n = numbersOf<3>(words);
  if (!n || !((*n)[0] >= 0.0 && (*n)[0] < 1e6) || !((*n)[1] >= 0.0 && (*n)[1] < 6.0)) return std::nullopt;
  return Lead{static_cast<std::size_t>((*n)[0]), static_cast<std::size_t>((*n)[1]), (*n)[2]};
}

std::optional<Command> parseWish(const std::vector<std::string_view>& words) {
  Vector3 target = Vector3::Zero();
  double actuator;
  if ((words.size() != 2 && words.size() != 3 && words.size() != 5) || !readNumber(words[1], actuator) ||
      !(actuator >= 0.0 && actuator < 1e6))
    return std::nullopt;
  for (std::size_t i = 2; i < words.size(); ++i)
    if (!readNumber(words[i], target[static_cast<Eigen::Index>(i - 2)])) return std::nullopt;
  return Wish{static_cast<std::size_t>(actuator), words.size() > 2 ? std::optional(target) : std::nullopt};
}

std::optional<Command> parseStrength(const std::vector<std::string_view>& words) {
  double force, factor = 0.0;
  if (words.size() > 3 || !readNumber(words[1], force) || !(force >= 0.0 && force < 1e6)) return std::nullopt;
  if (words.size() == 3 && !(readNumber(words[2], factor) && std::abs(factor) <= 1e3)) return std::nullopt;
  return Strengthen{static_cast<std::size_t>(force), words.size() == 3 ? std::optional(factor) : std::nullopt};
}

std::optional<Command> parseLaw(const std::vector<std::string_view>& words) {
  double timeConstant, largestForce;
  if (words.size() != 4 || words[1].size() > 64 || !readNumber(words[2], timeConstant) ||
      !readNumber(words[3], largestForce))
    return std::nullopt;
  if (timeConstant < 1e-3 || timeConstant > 10.0 || largestForce < 0.0 || largestForce >= 1e9) return std::nullopt;
  return ChooseLaw{std::string(words[1]), timeConstant, largestForce};
}

bool readPart(std::string_view kind, std::string_view number, Part& part) {
  double index;
  const bool isKnown = kind == "body" || kind == "joint" || kind == "force" || kind == "actuator" || kind == "model";
  if (!isKnown || !readNumber(number, index) || !(index >= 0.0 && index < 1e6)) return false;
  part = {std::string(kind), static_cast<std::size_t>(index)};
  return true;
}

std::optional<Command> parseWatch(const std::vector<std::string_view>& words) {
  Watch watch;
  if (words.size() % 2 == 0 || words.size() > mostWords) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); i += 2) {
    Part part;
    if (!readPart(words[i], words[i + 1], part)) return std::nullopt;
    watch.parts.push_back(std::move(part));
  }
  return watch;
}

bool isControl(unsigned char c) {
  return c < 0x20 || c == 0x7F;
}

/// The rest of a message from a word on, which may hold spaces; nothing where it is too long or no text.
std::optional<std::string> restFrom(std::string_view word, std::string_view message, std::size_t longest) {
  const std::string_view rest = message.substr(static_cast<std::size_t>(word.data() - message.data()));
  if (rest.size() > longest || std::any_of(rest.begin(), rest.end(), isControl)) return std::nullopt;
  return std::string(rest);
}

std::optional<Command> parseName(const std::vector<std::string_view>& words, std::string_view message) {
  double number;
  if (words.size() < 3 || !readNumber(words[1], number) || !(number >= 0.0 && number < 1e6)) return std::nullopt;
  const auto name = restFrom(words[2], message, longestName);
  if (!name) return std::nullopt;
  return NameRecording{static_cast<std::size_t>(number), *name};
}

/// The value is the rest of the line.
std::optional<Command> parseSet(const std::vector<std::string_view>& words, std::string_view message) {
  ChangeSetting change;
  if (words.size() < 5 || words[3].size() > 64 || !readPart(words[1], words[2], change.part)) return std::nullopt;
  change.key = words[3];
  const auto value = restFrom(words[4], message, longestValue);
  if (!value) return std::nullopt;
  change.value = *value;
  return change;
}

}  // namespace

std::optional<Command> parseCommand(std::string_view message) {
  const auto words = wordsOf(message);
  if (words.empty()) return std::nullopt;
  const std::string_view verb = words[0];

  if (verb == "watch") return parseWatch(words);
  if (verb == "set") return parseSet(words, message);
  if (verb == "name") return parseName(words, message);
  if (words.size() == 1) {
    if (verb == "play") return Play{};
    if (verb == "pause") return Pause{};
    if (verb == "step") return StepOnce{};
    if (verb == "back") return StepBack{};
    if (verb == "reset") return Reset{};
    if (verb == "release") return Release{};
    if (verb == "undo") return Undo{};
    if (verb == "steer") return Steer{};
    return std::nullopt;
  }
  if (verb == "speed") return positive<ChooseSpeed>(words, 1e-4, 100.0);
  if (verb == "stepsize") return positive<ChooseStep>(words, 0.0, 1.0);
  if (verb == "tolerance") return positive<ChooseTolerance>(words, 1e-14, 1e-1);
  if (verb == "integrator") return named<ChooseIntegrator>(words);
  if (verb == "example") return named<ChooseExample>(words);
  if (verb == "own") return numbered<ChooseOwn>(words);
  if (verb == "member") return numbered<ChooseMember>(words);
  if (verb == "replay") return numbered<Replay>(words);
  if (verb == "grab") return parseGrab(words);
  if (verb == "turn") return parseTurn(words);
  if (verb == "wish") return parseWish(words);
  if (verb == "strength") return parseStrength(words);
  if (verb == "lead") return parseLead(words);
  if (verb == "drag")
    if (const auto n = numbersOf<3>(words)) return Drag{{(*n)[0], (*n)[1], (*n)[2]}};
  if (verb == "seek")
    if (const auto n = numbersOf<1>(words)) return Seek{(*n)[0]};
  if (verb == "law") return parseLaw(words);
  if (verb == "record" && words.size() == 2 && (words[1] == "on" || words[1] == "off")) return Record{words[1] == "on"};
  return std::nullopt;
}

}  // namespace polhode::live
