#include "io/broken_models.h"

namespace polhode::test {
namespace {

constexpr std::size_t tenMegabytes = 10'000'000;

std::string repeated(const std::string& piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

/// Bytes of a small linear congruential generator.
std::string noise(std::size_t count) {
  std::string text;
  unsigned state = 1;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  return text;
}

/// The first part of the good model, up to somewhere in the middle of a line.
std::string cutAt(const std::string& piece) {
  return goodModel().substr(0, goodModel().find(piece));
}

}  // namespace

std::vector<BrokenModel> modelsThatAreNoModels() {
  return {
      {"empty", "", "no body"},
      {"white space", " \n\t\n", "no body"},
      {"only a comment", "# nothing here\n", "no body"},
      {"without bodies", "[model]\nname = \"empty\"\n", "no body"},
      {"empty list of bodies", "body = []\n", "no body"},
      {"body that is a number", "body = 1\n", "[[body]]"},
      {"body in single brackets", "[body]\nname = \"top\"\n", "[[body]]"},
      {"list of numbers as bodies", "body = [1, 2]\n", "body 1 must be a table"},
      {"body without anything", "[[body]]\n", "body 1 has no 'name'"},
      {"model in double brackets", "[[model]]\nname = \"x\"\n", "model must be a table"},
      {"model that is a word", "model = \"top\"\n", "model must be a table"},
      {"simulation that is a number", "simulation = 3\n", "simulation must be a table"},
      {"misspelt [model]", goodModelWith("[model]", "[modle]"), "did you mean 'model'?"},
      {"misspelt [[body]]", goodModelWith("[[body]]", "[[bdy]]"), "did you mean 'body'?"},
      {"misspelt [[joint]]", goodModelWith("[[joint]]", "[[joints]]"), "did you mean 'joint'?"},
      {"misspelt [[force]]", goodModelWith("[[force]]", "[[forec]]"), "did you mean 'force'?"},
      {"misspelt [simulation]", goodModelWith("[simulation]", "[simlation]"), "did you mean 'simulation'?"},
      {"key far from any known", goodModelWith("[model]", "[model]\nxyzzyplugh = 1"), "known are 'name', 'gravity'"},
      {"key at the top", "mass = 1\n" + goodModel(), "unknown key 'mass'"},
      {"key of many letters", "[model]\n" + repeated("k", 5000) + " = 1\n", "unknown key 'kkk"},
      {"key with a line break", "[model]\n\"a\\nb\" = 1\n", "unknown key 'a?b'"},

      {"open bracket", goodModelWith("[model]", "[model"), "not valid TOML"},
      {"open string", goodModelWith("name = \"top\"", "name = \"top"), "not valid TOML"},
      {"no value", goodModelWith("mass = 2.0", "mass = "), "not valid TOML"},
      {"no equals sign", goodModelWith("mass = 2.0", "mass 2.0"), "not valid TOML"},
      {"comma as decimal point", goodModelWith("mass = 2.0", "mass = 2,0"), "not valid TOML"},
      {"word without quotes", goodModelWith("name = \"top\"", "name = top"), "not valid TOML"},
      {"unit behind a number", goodModelWith("mass = 2.0", "mass = 2.0 kg"), "not valid TOML"},
      {"cut in an array", cutAt("0.2, 0.25]"), "not valid TOML"},
      {"cut in a string", cutAt("op\"\nmass"), "not valid TOML"},
      {"cut behind a key", cutAt(" = [0, 0, 0]"), "not valid TOML"},
      {"two [model] tables", goodModel() + "[model]\nname = \"again\"\n", "not valid TOML"},
      {"an integer too large", goodModelWith("mass = 2.0", "mass = 99999999999999999999"), "not valid TOML"},
      {"JSON", "{\"body\": [{\"name\": \"top\"}]}\n", "not valid TOML"},
      {"XML", "<?xml version=\"1.0\"?>\n<robot/>\n", "not valid TOML"},
      {"YAML", "body:\n  - name: top\n", "not valid TOML"},

      {"a zero byte", std::string("\0", 1), "not valid TOML"},
      {"zero bytes behind a model", goodModel() + std::string(100, '\0'), "not valid TOML"},
      {"noise", noise(10'000), "not valid TOML"},
      {"an ELF header", std::string("\x7F\x45LF\x02\x01\x01\0\0\0", 10), "not valid TOML"},
      {"a PNG header", "\x89PNG\r\n\x1A\n", "not valid TOML"},
      {"broken UTF-8", goodModelWith("Heavy top", "Heavy \xC3\x28 top"), "not valid TOML"},
      {"UTF-16", std::string("\xFF\xFE[\0m\0]\0", 8), "not valid TOML"},

      {"ten megabytes of one letter", std::string(tenMegabytes, 'a'), "not valid TOML"},
      {"ten megabytes of spaces", std::string(tenMegabytes, ' '), "no body"},
      {"ten megabytes of open brackets", std::string(tenMegabytes, '['), "not valid TOML"},
      {"ten megabytes of a comment", "#" + std::string(tenMegabytes, 'x'), "no body"},
      {"ten megabytes of a string", "[model]\nname = \"" + std::string(tenMegabytes, 'x') + "\"\n", "no body"},
      {"ten megabytes of a number", "[model]\ngravity = " + std::string(tenMegabytes, '1'), "not valid TOML"},
      {"ten megabytes of an array", "[model]\ngravity = [" + repeated("1, ", tenMegabytes / 3) + "1]\n",
       "an array of 3333334"},
      {"nested arrays", "[model]\ngravity = " + repeated("[", 10'000) + repeated("]", 10'000), "not valid TOML"},
      {"nested tables", "[model]\ngravity = " + repeated("{a=", 10'000) + "1" + repeated("}", 10'000),
       "not valid TOML"},
      {"a hundred nested arrays", "[model]\ngravity = " + repeated("[", 100) + repeated("]", 100), "gravity"},
      {"a long dotted key", "[model]\na" + repeated(".a", 50'000) + " = 1\n", ":2:"},
  };
}

}  // namespace polhode::test
