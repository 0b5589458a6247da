# Compiler options that the library, its tests and its users share.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(polhode_options INTERFACE)
target_compile_options(polhode_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)

# g++ 12 takes the undefined registers inside its own AVX-512 headers for uninitialised variables (bug 105593).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(polhode_options INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized -Wno-array-bounds)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(polhode_options INTERFACE -O3)
endif()

if(POLHODE_NATIVE)
  target_compile_options(polhode_options INTERFACE -march=native)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(polhode_options INTERFACE -mprefer-vector-width=256)
  endif()
endif()

# Vectors of 3, 4 and 7 numbers are what there is. Eigen's own vector instructions load them in pieces of other sizes than
# they were stored in, which stalls; what the compiler makes of plain loops is faster (DOPRI5: 130 ns a step, not 280).
target_compile_definitions(polhode_options INTERFACE EIGEN_DONT_VECTORIZE)

if(POLHODE_SANITIZE)
  target_compile_options(polhode_options INTERFACE -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
                                                   -fno-omit-frame-pointer)
  target_link_options(polhode_options INTERFACE -fsanitize=address,undefined)
endif()
