#pragma once

#include <string>
#include <vector>

/// A table of model files that are wrong in one way each, for every reader of model files to be held against.
namespace polhode::test {

struct BrokenModel {
  std::string name;     // what is wrong, unique in the table
  std::string text;     // the file
  std::string culprit;  // what the error must mention
};

/// A model file that uses every key and is right; the broken ones are made from it.
const std::string& goodModel();

/// The good model with one piece of its text replaced; the piece must occur in it exactly once.
std::string goodModelWith(const std::string& piece, const std::string& replacement);

/// Every broken model.
std::vector<BrokenModel> brokenModels();

// The parts of the table.
std::vector<BrokenModel> modelsWithBrokenKeys();    // each key misspelt, missing, of a wrong type or not finite
std::vector<BrokenModel> modelsWithBrokenBodies();  // bodies that make no sense
std::vector<BrokenModel> modelsWithBrokenLinks();   // joints, forces and settings that make no sense
std::vector<BrokenModel> modelsThatAreNoModels();   // empty, binary, enormous, not TOML

}  // namespace polhode::test
