#include "loop_case.h"

#ifdef POLHODE_HAS_MUJOCO

#include <cmath>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

namespace loop_bench {

namespace {

std::string three(double x, double y, double z) {
  return fmt::format("'{:.17g} {:.17g} {:.17g}'", x, y, z);
}
std::string three(const Three& a) {
  return three(a[0], a[1], a[2]);
}
Three minus(const Three& a, const Three& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// The mechanism as a file of MuJoCo: the frame of a body is at the joint with its parent.
class Writer {
 public:
  explicit Writer(const Case& mechanism) : case_(mechanism), children_(mechanism.parts.size()) {
    for (std::size_t b = 0; b < case_.parts.size(); ++b) {
      const int j = case_.jointOfParent[b], parent = j < 0 ? -1 : case_.joints[static_cast<std::size_t>(j)].first;
      (parent < 0 ? roots_ : children_[static_cast<std::size_t>(parent)]).push_back(b);
    }
  }

  Three originOf(int body) const {
    if (body < 0) return {0.0, 0.0, 0.0};
    const int j = case_.jointOfParent[static_cast<std::size_t>(body)];
    return j < 0 ? case_.parts[static_cast<std::size_t>(body)].position
                 : case_.joints[static_cast<std::size_t>(j)].point;
  }

  std::string file() const {
    std::string bodies, equalities;
    for (const std::size_t root : roots_) bodies += written(root, -1);
    for (const Connection& joint : case_.closing) {
      const bool onGround = joint.second < 0;  // it is never the first one's other body
      const int body = onGround ? joint.first : joint.second, other = onGround ? joint.second : joint.first;
      equalities +=
          fmt::format("<connect body1='b{}'{} anchor={} solref='0.002 1' solimp='0.999 0.9999 0.0001'/>", body,
                      other < 0 ? "" : fmt::format(" body2='b{}'", other), three(minus(joint.point, originOf(body))));
    }
    return fmt::format(
        "<mujoco><compiler balanceinertia='false' angle='radian'/><option timestep='0.001' gravity={} integrator='RK4'>"
        "<flag contact='disable'/></option><size nstack='50000000'/><worldbody>{}</worldbody><equality>{}</equality>"
        "</mujoco>",
        three(case_.gravity), bodies, equalities);
  }

 private:
  std::string written(std::size_t b, int parent) const {
    const Part& part = case_.parts[b];
    const Three origin = originOf(static_cast<int>(b));
    std::array<double, 6> J = part.inertia;  // it takes no body that is a line
    for (std::size_t i = 0; i < 3; ++i) J[i] += 1e-9 * (part.inertia[0] + part.inertia[1] + part.inertia[2]);
    const int j = case_.jointOfParent[b];
    std::string joint = "<freejoint/>";
    if (j >= 0)
      joint = case_.joints[static_cast<std::size_t>(j)].isHinge
                  ? fmt::format("<joint type='hinge' axis={}/>", three(case_.joints[static_cast<std::size_t>(j)].axis))
                  : "<joint type='ball'/>";
    std::string text = fmt::format(
        "<body name='b{}' pos={}><inertial pos={} mass='{:.17g}' fullinertia='{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} "
        "{:.17g}'/>{}",
        b, three(minus(origin, originOf(parent))), three(minus(part.position, origin)), part.mass, J[0], J[1], J[2],
        J[3], J[4], J[5], joint);
    for (const std::size_t child : children_[b]) text += written(child, static_cast<int>(b));
    return text + "</body>";
  }

  const Case& case_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::size_t> roots_;
};

class MujocoPeer final : public Peer {
 public:
  explicit MujocoPeer(const Case& mechanism) : case_(mechanism) {
    const Writer writer(case_);
    const std::string text = writer.file();
    const auto folder = std::make_unique<mjVFS>();
    mj_defaultVFS(folder.get());
    mj_makeEmptyFileVFS(folder.get(), "case.xml", static_cast<int>(text.size()));
    std::memcpy(folder->filedata[mj_findFileVFS(folder.get(), "case.xml")], text.data(), text.size());
    char error[500] = "";
    model_ = mj_loadXML("case.xml", folder.get(), error, sizeof error);
    mj_deleteVFS(folder.get());
    if (!model_) throw std::runtime_error(error);
    data_ = mj_makeData(model_);
    for (std::size_t b = 0; b < case_.parts.size(); ++b)
      ids_.push_back(mj_name2id(model_, mjOBJ_BODY, fmt::format("b{}", b).c_str()));
  }
  ~MujocoPeer() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoPeer(const MujocoPeer&) = delete;
  MujocoPeer& operator=(const MujocoPeer&) = delete;

  std::string name() const override { return "MuJoCo"; }

  void startSteps(double step) override {
    model_->opt.timestep = step;
    for (int i = 0; i < model_->neq; ++i) model_->eq_solref[mjNREF * i] = 2.0 * step;  // as stiff as is sound
    mj_resetData(model_, data_);
    for (std::size_t b = 0; b < case_.parts.size(); ++b) setStart(b);
    mj_forward(model_, data_);
  }
  void startTo(double end, double step) override {
    end_ = end;
    startSteps(step);
  }
  void step() override { mj_step(model_, data_); }
  void advance() override {
    while (data_->time < end_ - 0.5 * model_->opt.timestep) mj_step(model_, data_);
  }

  double energy() override {
    double sum = kineticEnergy();
    for (int b = 1; b < model_->nbody; ++b)
      for (int i = 0; i < 3; ++i)
        sum -= model_->body_mass[b] * case_.gravity[static_cast<std::size_t>(i)] * data_->xipos[3 * b + i];
    return sum;
  }
  double kineticEnergy() override {
    place();
    mj_crb(model_, data_);
    std::vector<mjtNum> momentum(static_cast<std::size_t>(model_->nv));
    mj_mulM(model_, data_, momentum.data(), data_->qvel);
    double sum = 0.0;
    for (int i = 0; i < model_->nv; ++i) sum += 0.5 * momentum[static_cast<std::size_t>(i)] * data_->qvel[i];
    return sum;
  }

  std::vector<Three> positions() override {
    place();
    std::vector<Three> all;
    for (const int id : ids_) all.push_back({data_->xipos[3 * id], data_->xipos[3 * id + 1], data_->xipos[3 * id + 2]});
    return all;
  }

  double gap() override {
    place();
    const Writer writer(case_);
    double widest = 0.0;
    for (const Connection& joint : case_.closing) {
      Three apart{0.0, 0.0, 0.0};
      for (const auto& [body, sign] : {std::pair{joint.first, 1.0}, {joint.second, -1.0}}) {
        Three at = joint.point;
        if (body >= 0) {
          const int id = ids_[static_cast<std::size_t>(body)];
          const Three arm = minus(joint.point, writer.originOf(body));
          for (std::size_t i = 0; i < 3; ++i) {
            at[i] = data_->xpos[3 * id + static_cast<int>(i)];
            for (std::size_t k = 0; k < 3; ++k)
              at[i] += data_->xmat[9 * id + 3 * static_cast<int>(i) + static_cast<int>(k)] * arm[k];
          }
        }
        for (std::size_t i = 0; i < 3; ++i) apart[i] += sign * at[i];
      }
      widest = std::max(widest, std::hypot(apart[0], apart[1], apart[2]));
    }
    return widest;
  }

 private:
  void place() {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
  }

  /// Velocities: of a hinge about its axis, of a ball along the body's axes, of a free body of its centre and along its axes.
  void setStart(std::size_t b) {
    const Part& part = case_.parts[b];
    const int j = case_.jointOfParent[b];
    mjtNum* rate = data_->qvel + model_->jnt_dofadr[model_->body_jntadr[ids_[b]]];
    Three omega = part.angularVelocity;
    if (j < 0) {
      for (std::size_t i = 0; i < 3; ++i) rate[i] = part.velocity[i], rate[i + 3] = omega[i];
      return;
    }
    const Connection& joint = case_.joints[static_cast<std::size_t>(j)];
    if (joint.first >= 0) omega = minus(omega, case_.parts[static_cast<std::size_t>(joint.first)].angularVelocity);
    if (!joint.isHinge) {
      for (std::size_t i = 0; i < 3; ++i) rate[i] = omega[i];
      return;
    }
    const double length = std::hypot(joint.axis[0], joint.axis[1], joint.axis[2]);
    rate[0] = (omega[0] * joint.axis[0] + omega[1] * joint.axis[1] + omega[2] * joint.axis[2]) / length;
  }

  Case case_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<int> ids_;
  double end_ = 0.0;
};

}  // namespace

std::unique_ptr<Peer> mujocoPeer(const Case& mechanism) {
  return std::make_unique<MujocoPeer>(mechanism);
}

}  // namespace loop_bench

#else

std::unique_ptr<loop_bench::Peer> loop_bench::mujocoPeer(const Case&) {
  return nullptr;
}

#endif
