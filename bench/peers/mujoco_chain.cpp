#include "chain_case.h"

#ifdef POLHODE_HAS_MUJOCO

#include <cstring>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

namespace chain_bench {

namespace {

// Its reader refuses elements nested deeper than about a hundred: longer chains are files that include the next one.
constexpr int rodsInAFile = 60;

std::vector<std::string> chainFiles(int count, bool hinged) {
  const std::string rod = fmt::format("<inertial pos='{} 0 0' mass='{}' diaginertia='{:.17g} {:.17g} {:.17g}'/>{}",
                                      0.5 * length, mass, inertiaAlong, inertiaAcross, inertiaAcross,
                                      hinged ? "<joint type='hinge' axis='0 1 0'/>" : "<joint type='ball'/>");
  std::vector<std::string> files;
  for (int first = 0; first < count; first += rodsInAFile) {
    const int last = std::min(count, first + rodsInAFile);
    std::string bodies;
    for (int i = first; i < last; ++i) bodies += fmt::format("<body pos='{} 0 0'>{}", i == 0 ? 0.0 : length, rod);
    if (last < count) bodies += fmt::format("<include file='part{}.xml'/>", files.size() + 1);
    for (int i = first; i < last; ++i) bodies += "</body>";
    if (first == 0)
      files.push_back(
          fmt::format("<mujoco><compiler balanceinertia='false'/><option timestep='{}' gravity='0 0 -{}' "
                      "integrator='RK4'><flag contact='disable'/></option>{}<worldbody>{}</worldbody></mujoco>",
                      step, gravity, count >= 512 ? "<size nstack='50000000'/>" : "", bodies));
    else
      files.push_back("<mujocoinclude>" + bodies + "</mujocoinclude>");
  }
  return files;
}

class MujocoChain final : public Chain {
 public:
  MujocoChain(int count, bool hinged) {
    const auto folder = std::make_unique<mjVFS>();
    mj_defaultVFS(folder.get());
    const std::vector<std::string> files = chainFiles(count, hinged);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string name = fmt::format("part{}.xml", i);
      mj_makeEmptyFileVFS(folder.get(), name.c_str(), static_cast<int>(files[i].size()));
      std::memcpy(folder->filedata[mj_findFileVFS(folder.get(), name.c_str())], files[i].data(), files[i].size());
    }
    char error[500] = "";
    model_ = mj_loadXML("part0.xml", folder.get(), error, sizeof error);
    mj_deleteVFS(folder.get());
    if (!model_) throw std::runtime_error(error);
    data_ = mj_makeData(model_);
    reset();
  }
  ~MujocoChain() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoChain(const MujocoChain&) = delete;
  MujocoChain& operator=(const MujocoChain&) = delete;

  void reset() override {
    mj_resetData(model_, data_);
    mj_forward(model_, data_);
  }
  void advance() override { mj_step(model_, data_); }

  Energy energy() override {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_crb(model_, data_);
    std::vector<mjtNum> momentum(static_cast<std::size_t>(model_->nv));
    mj_mulM(model_, data_, momentum.data(), data_->qvel);
    Energy e{0.0, 0.0};
    for (int i = 0; i < model_->nv; ++i) e.kinetic += 0.5 * momentum[static_cast<std::size_t>(i)] * data_->qvel[i];
    for (int b = 1; b < model_->nbody; ++b) e.potential += model_->body_mass[b] * gravity * data_->xipos[3 * b + 2];
    return e;
  }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

std::unique_ptr<Chain> mujocoChain(int count, bool hinged) {
  return std::make_unique<MujocoChain>(count, hinged);
}

}  // namespace chain_bench

#else

std::unique_ptr<chain_bench::Chain> chain_bench::mujocoChain(int, bool) {
  return nullptr;
}

#endif
