#pragma once

/// Functions that a processor and a GPU run alike, where nvcc compiles them; elsewhere this says nothing.
#ifdef __CUDACC__
#define POLHODE_KERNEL __host__ __device__
#else
#define POLHODE_KERNEL
#endif
