#include "io/broken_models.h"

namespace polhode::test {
namespace {

/// A line of the good model, what kind of value it has, and how its key may be misspelt.
struct Line {
  std::string text;
  std::string misspelt;
  enum Kind { number, vector, word, boolean, table } kind;
  enum Presence { required, optional } presence;

  std::string key() const { return text.substr(0, text.find(' ')); }
};

const std::vector<Line> lines = {
    {"name = \"Heavy top\"", "nmae", Line::word, Line::optional},
    {"gravity = [0.0, 0.0, -9.81]", "gravitiy", Line::vector, Line::optional},
    {"assemble = false", "asemble", Line::boolean, Line::optional},
    {"name = \"top\"", "names", Line::word, Line::required},
    {"mass = 2.0", "mas", Line::number, Line::required},
    {"inertia = [0.1, 0.2, 0.25]", "intertia", Line::vector, Line::optional},
    {"position = [0.0, 0.0, 0.5]", "positon", Line::vector, Line::optional},
    {"orientation = { quaternion = [1, 0, 0, 0] }", "orientaton", Line::table, Line::optional},
    {"angular_velocity = { body = [1.0, 0.0, 20.0] }", "angularVelocity", Line::table, Line::optional},
    {"velocity = [0.0, -0.5, 0.0]", "velocitiy", Line::vector, Line::optional},
    {"shape = { cone = { radius = 0.05, height = 0.1 } }", "shpae", Line::table, Line::optional},
    {"name = \"tip\"", "nam", Line::word, Line::required},
    {"type = \"spherical\"", "typ", Line::word, Line::required},
    {"bodies = [\"ground\", \"top\"]", "bodys", Line::word, Line::required},
    {"point = [0, 0, 0]", "ponit", Line::vector, Line::required},
    {"name = \"cord\"", "Name", Line::word, Line::required},
    {"type = \"spring\"", "tpye", Line::word, Line::required},
    {"bodies = [\"top\", \"ground\"]", "bodeis", Line::word, Line::required},
    {"points = [[0, 0, 0.6], [0, 0, 2]]", "pionts", Line::vector, Line::required},
    {"stiffness = 100", "stifness", Line::number, Line::required},
    {"length = 0.2", "lenght", Line::number, Line::optional},
    {"coordinates = \"quaternion\"", "coordinate", Line::word, Line::optional},
    {"formulation = \"null-space\"", "formulaton", Line::word, Line::optional},
    {"integrator = \"dop853\"", "intergrator", Line::word, Line::optional},
    {"projection = \"none\"", "projektion", Line::word, Line::optional},
    {"step = 0.01", "setp", Line::number, Line::optional},
    {"tolerance = 1e-9", "tolerence", Line::number, Line::optional},
    {"end = 2.0", "ende", Line::number, Line::optional},
    {"output = { every = 0.05 }", "outputs", Line::table, Line::optional},
    {"stop_when = \"top.position.z=0\"", "stop-when", Line::word, Line::optional},
};

/// Values that a key of this kind must refuse.
std::vector<std::string> wrongValues(Line::Kind kind) {
  switch (kind) {
    case Line::number:
      return {"\"heavy\"", "true", "[1.0]", "{ value = 1.0 }", "1979-05-27", "nan", "inf", "-inf", "-1.0"};
    case Line::vector:
      return {"1.0",         "\"up\"",        "[]",          "[1, 2]",   "[1, 2, 3, 4]", "[1, nan, 3]",
              "[inf, 0, 0]", "[1, 2, \"3\"]", "[1, [2], 3]", "{ x = 1 }"};
    case Line::word:
      return {"1", "false", "[]", "\"\"", "{}", "07:32:00"};
    case Line::boolean:
      return {"1", "\"yes\"", "[true]", "nan"};
    case Line::table:
      return {"1", "\"word\"", "[1, 2, 3]", "true", "{}", "{ nonsense = 1 }"};
  }
  return {};
}

}  // namespace

std::vector<BrokenModel> modelsWithBrokenKeys() {
  std::vector<BrokenModel> models;
  for (const Line& line : lines) {
    const std::string key = line.key();
    const std::string value = line.text.substr(key.size());
    models.push_back({line.text + " misspelt", goodModelWith(line.text, line.misspelt + value),
                      "unknown key '" + line.misspelt + "'; did you mean '" + key + "'?"});
    if (line.presence == Line::required)
      models.push_back({line.text + " missing", goodModelWith(line.text, ""), "'" + key + "'"});
    models.push_back({line.text + " twice", goodModelWith(line.text, line.text + "\n" + line.text), key});
    for (const std::string& wrong : wrongValues(line.kind))
      models.push_back({line.text + " as " + wrong, goodModelWith(line.text, key + " = " + wrong), key});
  }
  return models;
}

}  // namespace polhode::test
