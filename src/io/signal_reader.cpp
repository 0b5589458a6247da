#include "signal_reader.h"

#include "polhode/error.h"

namespace polhode {

void readPairs(const Field& field, std::vector<double>& first, std::vector<double>& second) {
  const Value::Array* rows = field.value().array();
  if (!rows) field.fail("must be an array of pairs, [[0, 0], [0.5, 1]], not " + field.value().description());
  for (const Field& row : field.elements(rows->size(), "pairs, [[0, 0], [0.5, 1]]")) {
    const std::vector<double> pair = row.numbers(2);
    first.push_back(pair[0]);
    second.push_back(pair[1]);
  }
}

Signal readSignal(const Field& field) {
  if (!field.value().table()) return Signal(field.number());
  const ModelSection section =
      field.section({"formula", "table"}, "{ table = [[0, 0], [0.5, 1]] } or { formula = \"sin(t)\" }");
  const Field given = section.exactlyOne({"formula", "table"});
  try {
    if (section.has("formula")) return Signal::formula(given.text());
    std::vector<double> times, values;
    readPairs(given, times, values);
    return Signal::table(times, values);
  } catch (const InputError& error) {
    const std::string text = error.what();
    if (text.starts_with(given.value().place.text())) throw;
    given.fail(": " + text);
  }
}

}  // namespace polhode
