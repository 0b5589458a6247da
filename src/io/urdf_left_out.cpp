#include "urdf_left_out.h"

#include "model/suggestion.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr std::size_t mostNames = 5;

/// The text without its comments, which may hold elements that are meant to be gone.
std::string withoutComments(const std::string& text) {
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t begin = text.find("<!--", at);
    result += text.substr(at, begin - at);
    if (begin == std::string::npos) return result;
    const std::size_t end = text.find("-->", begin + 4);
    if (end == std::string::npos) return result;
    at = end + 3;
  }
}

/// The value of name=".." in a tag, or of reference="..".
std::string nameIn(const std::string& tag) {
  for (const std::string key : {" name=", " reference="}) {
    const std::size_t found = tag.find(key);
    if (found == std::string::npos || found + key.size() >= tag.size()) continue;
    const std::size_t begin = found + key.size() + 1;
    const std::size_t end = tag.find(tag[begin - 1], begin);
    if (end != std::string::npos) return tag.substr(begin, end - begin);
  }
  return "";
}

}  // namespace

void UrdfLeftOut::add(const std::string& kind, const std::string& part, const std::string& name) {
  const auto found =
      std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& k) { return k.kind == kind && k.part == part; });
  Kind& entry = found != kinds_.end() ? *found : kinds_.emplace_back(Kind{kind, part, {}});
  entry.names.push_back(name);
}

void UrdfLeftOut::addJoint(const urdf::Joint& joint) {
  const bool turnsOrSlides = joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS ||
                             joint.type == urdf::Joint::PRISMATIC;
  if (const auto& limits = joint.limits) {
    if (limits->lower != 0.0 || limits->upper != 0.0) add("limits", "joint", joint.name);
    if (limits->effort > 0.0 || limits->velocity > 0.0) add("largest effort and speed", "joint", joint.name);
  }
  if (joint.dynamics && joint.dynamics->friction != 0.0) add("friction", "joint", joint.name);
  if (joint.dynamics && joint.dynamics->damping != 0.0 && !turnsOrSlides) add("damping", "joint", joint.name);
  if (joint.mimic) add("mimicry", "joint", joint.name);
  if (joint.safety) add("safety controller", "joint", joint.name);
  if (joint.calibration) add("calibration", "joint", joint.name);
}

void UrdfLeftOut::addLink(const urdf::Link& link, bool isDrawn) {
  const bool hasMesh = link.visual && link.visual->geometry && link.visual->geometry->type == urdf::Geometry::MESH;
  if (hasMesh)
    add("mesh", "link", link.name);
  else if (link.visual && !isDrawn)
    add("shape away from the centre of mass", "link", link.name);
  if (link.collision) add("collision shape", "link", link.name);
}

void UrdfLeftOut::addElements(const std::string& commented) {
  const std::string text = withoutComments(commented);
  for (const std::string element : {"transmission", "gazebo", "sensor"}) {
    const std::string open = "<" + element;
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
      const std::size_t behind = at + open.size();
      if (behind >= text.size() || std::string(" \t\r\n>/").find(text[behind]) == std::string::npos) continue;
      const std::size_t end = text.find('>', behind);
      add("", element + " element", nameIn(text.substr(at, end - at)));
    }
  }
}

std::vector<std::string> UrdfLeftOut::sentences() const {
  std::vector<std::string> result;
  for (const Kind& kind : kinds_) {
    std::string names;
    std::size_t shown = 0;
    for (const std::string& name : kind.names) {
      if (name.empty()) continue;
      if (shown++ == mostNames) break;
      names += (names.empty() ? "" : ", ") + quoted(name);
    }
    const std::size_t count = kind.names.size();
    if (shown > mostNames) names += fmt::format(" and {} more", count - mostNames);
    result.push_back(fmt::format("{}{} {}{}{}", kind.kind.empty() ? "" : kind.kind + " of ", count, kind.part,
                                 count == 1 ? "" : "s", names.empty() ? "" : " (" + names + ")"));
  }
  return result;
}

}  // namespace polhode
