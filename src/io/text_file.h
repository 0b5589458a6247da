#pragma once

#include <string>

namespace polhode {

/// What is said where a model may not name other files.
inline constexpr const char* otherFileIsRefused =
    "names another file, which a model that was sent here may not; open it with `polhode live` where its files are";

/// The whole text of a file. Throws an InputError where it is missing, a directory, unreadable or far too
/// large to be a text that someone wrote.
std::string readTextFile(const std::string& path);

/// The text without the blanks before and behind it.
std::string trimmed(const std::string& text, const char* blanks = " \t");

}  // namespace polhode
