#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What differs from member to member of an ensemble, as `polhode sweep --vary KEY=VALUE` says it. KEY is one that `--set`
/// knows, and somewhere in VALUE, which is TOML otherwise, stands what varies:
///
///     body.top.mass=0.5:2                                between 0.5 and 2, all alike
///     body.top.mass=0.5:2:50                             one of 50 values, 0.5 and 2 among them
///     body.top.angular_velocity={ body = [0, 0, 100:200] }
///     joint.hip.start=normal(0.3, 0.01)                  mean and standard deviation
///     model.gravity=[0, 0, -uniform(1, 10)]              the same as 1:10
///     simulation.integrator=[director-em, dop853]        one of a list, if nothing in it varies
///     body.top.mass=among(1, 2, 5)                       the same, also inside of a value
///     body.top.mass=@masses.csv:m                        a column of a table; columns of one file go together, row by row
///     body.top.mass=@"my masses.csv:m of top"            the same, where there are spaces
namespace polhode::ensemble {

/// A number, or a choice, that varies.
struct Parameter {
  enum class Kind { uniform, normal, levels };

  std::string name;           // the key; with a number behind it where one value has several: "body.top.position.2"
  Kind kind = Kind::uniform;  //
  double first = 0.0, second = 1.0;  // the ends of the range, or mean and standard deviation
  std::vector<std::string> levels;   // what is written in the value, for each level
  std::vector<double> numbers;       // the levels as numbers, or counted from 0 where they are words
  bool areWords = false;
  std::string together;  // the file whose rows go together; empty where it varies alone
  std::string words;     // as it would be written

  /// The value that a share of all possible ones does not exceed, 0 < share < 1.
  double number(double share) const;
  std::string text(double share) const;

 private:
  std::size_t level(double share) const;
};

/// A key, and its value with places for parameters: pieces[0] parameter 0 pieces[1] parameter 1 ... pieces[n].
struct Vary {
  std::string key;
  std::vector<std::string> pieces;
  std::vector<Parameter> parameters;

  /// Says the same as what it was read from, without files.
  std::string words() const;
};

/// Throws InputError, with the text, where it cannot be understood, a range is empty or a file does not have the column.
Vary parseVary(const std::string& text);

/// What a normal variable of mean 0 and standard deviation 1 does not exceed with that probability, to 1e-15 (M. J. Wichura,
/// Applied Statistics 37 (1988), algorithm AS 241).
double normalQuantile(double probability);

}  // namespace polhode::ensemble
