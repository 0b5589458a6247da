#pragma once

#include <string>

namespace polhode {

/// The whole text of a file. Throws an InputError where it is missing, a directory, unreadable or far too
/// large to be a text that someone wrote.
std::string readTextFile(const std::string& path);

}  // namespace polhode
