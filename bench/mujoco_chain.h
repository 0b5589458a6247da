#pragma once

#ifdef POLHODE_HAVE_MUJOCO

#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>

namespace polhode::bench {

/// The chain of tests/support/mechanisms.h (rodChain) in MuJoCo: rods of 1 m and 1 kg, radius 0.05 m.
class MujocoChain {
 public:
  MujocoChain(int rods, bool ball) {
    load(rods, ball);
    data_ = mj_makeData(model_);
    if (!data_) throw std::runtime_error("MuJoCo has no memory for the chain");
    mj_resetData(model_, data_);
    for (int i = 0; i < model_->nv; ++i) data_->qvel[i] = 0.1;
  }
  ~MujocoChain() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoChain(const MujocoChain&) = delete;
  MujocoChain& operator=(const MujocoChain&) = delete;

  /// All accelerations of the present state.
  void forward() { mj_forward(model_, data_); }

  const mjModel* model() const { return model_; }
  mjData* data() { return data_; }

 private:
  // MuJoCo's reader takes about a hundred nested bodies a file: longer chains go on in files that are included.
  static constexpr int perFile = 60;

  void load(int rods, bool ball) {
    std::vector<std::string> files;
    std::ostringstream xml;
    xml.precision(17);
    int open = 0;
    const auto finish = [&] {
      for (; open > 0; --open) xml << "</body>";
      xml << (files.empty() ? "</worldbody></mujoco>" : "</mujocoinclude>");
      files.push_back(xml.str());
      xml.str("<mujocoinclude>");
      xml.seekp(0, std::ios::end);
    };
    xml << "<mujoco><option gravity='0 0 -9.81'><flag contact='disable'/></option>"
        << (rods >= 512 ? "<size nstack='50000000'/>" : "") << "<worldbody>";
    const double r = 0.05, along = r * r / 2.0, across = (3.0 * r * r + 1.0) / 12.0;
    for (int i = 0; i < rods; ++i) {
      if (i > 0 && i % perFile == 0) {
        xml << "<include file='part" << i / perFile << ".xml'/>";
        finish();
      }
      xml << "<body pos='" << (i > 0 ? 1 : 0) << " 0 0'><inertial pos='0.5 0 0' mass='1' diaginertia='" << along << ' '
          << across << ' ' << across << "'/>" << (ball ? "<joint type='ball'/>" : "<joint type='hinge' axis='0 1 0'/>");
      ++open;
    }
    finish();

    auto storage = std::make_unique<mjVFS>();
    mj_defaultVFS(storage.get());
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string name = "part" + std::to_string(i) + ".xml";
      mj_makeEmptyFileVFS(storage.get(), name.c_str(), static_cast<int>(files[i].size()));
      std::memcpy(storage->filedata[mj_findFileVFS(storage.get(), name.c_str())], files[i].data(), files[i].size());
    }
    char error[1000] = "";
    model_ = mj_loadXML("part0.xml", storage.get(), error, sizeof error);
    mj_deleteVFS(storage.get());
    if (!model_) throw std::runtime_error(error);
  }

  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace polhode::bench

#endif
