#pragma once

#include <string>
#include <vector>

/// Words for errors: how to quote what the user wrote, and what the user may have meant.
namespace polhode {

/// The text in single quotes, on one line: control characters become '?', long text is cut.
std::string quoted(const std::string& text);

/// The known word nearest to `word`, if it is near enough to be a misspelling; empty if none is.
std::string nearestWord(const std::string& word, const std::vector<std::string>& known);

/// The end of a sentence about an unknown word: "did you mean 'gravity'?" where a known word is near,
/// otherwise "known are 'name', 'gravity'".
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace polhode
