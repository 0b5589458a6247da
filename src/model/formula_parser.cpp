#include "model/formula.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace polhode {

/// Reads a formula by recursive descent, one function a rule of the grammar.
class FormulaParser {
 public:
  FormulaParser(Formula& formula, const std::map<std::string, double>& parameters,
                const std::vector<std::string>& quantities)
      : formula_(formula), text_(formula.text_), parameters_(parameters), quantities_(quantities) {
    if (atEnd()) fail(fmt::format("is empty; write a number or an expression of {}", subject()));
    sum();
    if (!atEnd()) failHere(fmt::format("{} is not expected; write an operator or remove it", found()));
  }

  static bool isFunction(const std::string& name) {
    return std::any_of(functions.begin(), functions.end(), [&](const Function& each) { return name == each.name; });
  }

 private:
  using Operation = Formula::Operation;

  struct Function {
    const char* name;
    Operation operation;
    int arguments;
  };
  static constexpr std::array<Function, 16> functions = {{{"sin", Operation::sin, 1},
                                                          {"cos", Operation::cos, 1},
                                                          {"tan", Operation::tan, 1},
                                                          {"asin", Operation::asin, 1},
                                                          {"acos", Operation::acos, 1},
                                                          {"atan", Operation::atan, 1},
                                                          {"sinh", Operation::sinh, 1},
                                                          {"cosh", Operation::cosh, 1},
                                                          {"tanh", Operation::tanh, 1},
                                                          {"exp", Operation::exp, 1},
                                                          {"log", Operation::log, 1},
                                                          {"sqrt", Operation::sqrt, 1},
                                                          {"abs", Operation::abs, 1},
                                                          {"step", Operation::step, 1},
                                                          {"min", Operation::min, 2},
                                                          {"max", Operation::max, 2}}};

  // the grammar

  void sum() {
    product();
    while (peek() == '+' || peek() == '-') {
      const bool plus = next() == '+';
      product();
      emit(plus ? Operation::add : Operation::subtract, 2);
    }
  }

  void product() {
    sign();
    while (peek() == '*' || peek() == '/') {
      const bool times = next() == '*';
      sign();
      emit(times ? Operation::multiply : Operation::divide, 2);
    }
  }

  void sign() {
    bool negative = false;
    while (peek() == '+' || peek() == '-') negative ^= next() == '-';
    power();
    if (negative) emit(Operation::negate, 1);
  }

  void power() {
    operand();
    if (peek() != '^') return;
    next();
    enter();
    sign();
    --nesting_;
    emit(Operation::power, 2);
  }

  void operand() {
    const char c = peek();
    if (c == '(')
      parentheses();
    else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.')
      number();
    else if (std::isalpha(static_cast<unsigned char>(c)))
      word();
    else
      failHere(atEnd() ? fmt::format("it ends where a number, {} or a function is expected", subject())
                       : fmt::format("{} is not expected; write a number, {} or a function", found(), subject()));
  }

  void parentheses() {
    const std::size_t open = place_;
    next();
    enter();
    sum();
    close(open);
    --nesting_;
  }

  void number() {
    double value = 0.0;
    const char* const begin = text_.data() + place_;
    const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (failure != std::errc() || !std::isfinite(value)) failHere("this is not a number that can be used");
    place_ += static_cast<std::size_t>(end - begin);
    push({Operation::number, value});
  }

  void word() {
    const std::size_t begin = place_;
    std::string name;
    while (place_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[place_])) || text_[place_] == '_'))
      name += text_[place_++];
    if (name == formula_.variable_) return push({Operation::time});
    if (name == "pi") return push({Operation::number, std::numbers::pi});
    if (name == "e") return push({Operation::number, std::numbers::e});
    for (const Function& function : functions)
      if (name == function.name) return call(function, begin);
    if (const auto parameter = parameters_.find(name); parameter != parameters_.end())
      return push({Operation::number, parameter->second});
    if (const auto found = std::find(quantities_.begin(), quantities_.end(), name); found != quantities_.end())
      return push({Operation::quantity, static_cast<double>(found - quantities_.begin())});

    std::vector<std::string> known = quantities_;
    for (const auto& [parameter, value] : parameters_) known.push_back(parameter);
    if (!formula_.variable_.empty()) known.push_back(formula_.variable_);
    known.insert(known.end(), {"pi", "e"});
    for (const Function& function : functions) known.push_back(function.name);
    place_ = begin;
    failHere(fmt::format("{} is unknown; {}", quoted(name), suggestion(name, known)));
  }

  void call(const Function& function, std::size_t begin) {
    if (peek() != '(') failHere(fmt::format("a '(' is missing behind '{}'", function.name));
    const std::size_t open = place_;
    next();
    enter();
    int arguments = 1;
    for (sum(); peek() == ','; sum(), ++arguments) next();
    close(open);
    --nesting_;
    if (arguments != function.arguments) {
      place_ = begin;
      failHere(fmt::format("'{}' takes {}, not {}", function.name,
                           function.arguments == 1 ? "one argument" : "two arguments", arguments));
    }
    emit(function.operation, function.arguments);
  }

  void close(std::size_t open) {
    if (peek() != ')') failHere(fmt::format("a ')' is missing for the '(' at character {}", open + 1));
    next();
  }

  // the program

  void push(Formula::Instruction instruction) {
    formula_.program_.push_back(instruction);
    if (++depth_ > Formula::largestDepth) failHere("it is nested too deeply; write it in a simpler way");
  }

  void emit(Operation operation, int operands) {
    formula_.program_.push_back({operation});
    depth_ -= static_cast<std::size_t>(operands - 1);
  }

  void enter() {
    if (++nesting_ > 4 * Formula::largestDepth) failHere("it is nested too deeply; write it in a simpler way");
  }

  // the text

  void skipSpaces() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_]))) ++place_;
  }
  bool atEnd() {
    skipSpaces();
    return place_ == text_.size();
  }
  char peek() { return atEnd() ? '\0' : text_[place_]; }
  char next() { return text_[place_++]; }
  std::string subject() const { return formula_.variable_.empty() ? "a parameter" : formula_.variable_; }
  std::string found() const { return quoted(std::string(1, text_[place_])); }

  [[noreturn]] void fail(const std::string& sentence) const {
    throw InputError(fmt::format("formula {} {}", quoted(text_), sentence));
  }
  [[noreturn]] void failHere(const std::string& sentence) const {
    fail(fmt::format("is wrong at character {}: {}", place_ + 1, sentence));
  }

  Formula& formula_;
  const std::string& text_;
  const std::map<std::string, double>& parameters_;
  const std::vector<std::string>& quantities_;
  std::size_t place_ = 0;
  std::size_t depth_ = 0;    // of the stack, behind the last instruction
  std::size_t nesting_ = 0;  // of the rules
};

Formula::Formula(std::string text, std::string variable, const std::map<std::string, double>& parameters,
                 const std::vector<std::string>& quantities)
    : text_(std::move(text)), variable_(std::move(variable)) {
  FormulaParser parser(*this, parameters, quantities);
}

bool Formula::isReserved(const std::string& name) {
  return name == "t" || name == "x" || name == "pi" || name == "e" || FormulaParser::isFunction(name);
}

}  // namespace polhode
