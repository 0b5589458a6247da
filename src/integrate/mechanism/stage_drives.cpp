#include "integrate/mechanism/stage_drives.h"

namespace polhode {

StageDrives::StageDrives(const Mechanism& mechanism) : mechanism_(mechanism), firstOf_(mechanism.joints().size(), -1) {
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int row = 0; row < mechanism.joints()[j].rows(); ++row) {
      if (!mechanism.joints()[j].equations[static_cast<std::size_t>(row)].drive) continue;
      if (firstOf_[j] < 0) firstOf_[j] = static_cast<int>(rows_.size());
      rows_.push_back({static_cast<int>(j), row});
    }
  atStages_.resize(rows_.size());
}

void StageDrives::follow(double time, double h, const GaussCoefficients& coefficients) {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    rows_[k].miss = 0.0;
    const JointEquation& equation = equationOf(rows_[k]);
    stages::DrivenRow& row = atStages_[k];
    for (int column = 0; column < stages::columns; ++column) {
      const double t = time + coefficients.c()[column] * h;  // those beyond the last stage repeat it
      if (equation.drive->kind == DriveKind::angle) {
        const Vector3 a = equation.formAt(t).a;
        row.arm.col(column) = a;
        row.armRate.col(column) = equation.drive->signal.rate(t) * equation.drive->axis.cross(a);
      } else {
        row.rate(0, column) = equation.drivenRate(t, Placement(), Placement());
      }
    }
  }
}

}  // namespace polhode
