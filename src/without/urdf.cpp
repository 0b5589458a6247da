// In place of src/io/urdf_reader.cpp where polhode is built with -DPOLHODE_URDF=OFF.
#include "io/urdf_reader.h"
#include "polhode/error.h"

namespace polhode {

UrdfModel readUrdf(const std::string&, const std::string& nameForErrors) {
  throw InputError(nameForErrors + ": this polhode was built without URDF; write the mechanism as a model file");
}

}  // namespace polhode
