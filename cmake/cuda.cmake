# The part for GPUs: one source for nvcc, with options of its own, and the program that compares a card with the processor.

enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(polhode_cuda OBJECT src/ensemble/gpu/gpu_trees.cu)
set_target_properties(polhode_cuda PROPERTIES CUDA_STANDARD 20 POSITION_INDEPENDENT_CODE ON
                      CUDA_ARCHITECTURES 90)  # cards that compute with double precision
target_include_directories(polhode_cuda PRIVATE include src ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(polhode_cuda PRIVATE Eigen3::Eigen fmt::fmt)
target_compile_definitions(polhode_cuda PRIVATE EIGEN_DONT_VECTORIZE)  # as all of polhode
# Eigen's functions are constant expressions, which a card may evaluate; nvcc warns of some that it leaves to the processor
target_compile_options(polhode_cuda PRIVATE --expt-relaxed-constexpr -diag-suppress=20012,20014,20015,177)
target_sources(polhode PRIVATE $<TARGET_OBJECTS:polhode_cuda>)
target_link_libraries(polhode PRIVATE CUDA::cudart_static)

add_executable(polhode_gpu_check bench/gpu_check.cpp)
target_link_libraries(polhode_gpu_check PRIVATE polhode)
