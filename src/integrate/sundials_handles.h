#pragma once

#include "polhode/math/types.h"

#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/// Owners for the C objects of SUNDIALS: each frees what it holds, in the right order when declared after its
/// context.
namespace polhode::sundials_handles {

/// Every solver has a context of its own, so that solvers can run in different threads.
class Context {
 public:
  Context() {
    if (SUNContext_Create(nullptr, &context_) != 0) throw std::bad_alloc();
  }
  ~Context() { SUNContext_Free(&context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  operator SUNContext() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

template <auto destroy>
struct Destroyer {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};

template <class Pointer, auto destroy>
using Handle = std::unique_ptr<std::remove_pointer_t<Pointer>, Destroyer<destroy>>;

using VectorHandle = Handle<N_Vector, &N_VDestroy>;
using MatrixHandle = Handle<SUNMatrix, &SUNMatDestroy>;
using LinearSolverHandle = Handle<SUNLinearSolver, &SUNLinSolFree>;

/// A SUNDIALS vector on the memory of an Eigen vector, which must outlive it and keep its size.
inline VectorHandle viewOf(VectorX& v, SUNContext context) {
  return VectorHandle(N_VMake_Serial(v.size(), v.data(), context));
}

/// The memory of a SUNDIALS vector, seen by Eigen.
inline Eigen::Map<VectorX> eigen(N_Vector v) {
  return Eigen::Map<VectorX>(N_VGetArrayPointer(v), N_VGetLength(v));
}

/// Error handler that keeps silent: return codes become exceptions elsewhere.
inline void ignoreMessage(int, const char*, const char*, char*, void*) {}

}  // namespace polhode::sundials_handles
