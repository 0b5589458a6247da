# Compiler options that the library, its tests and its users share.

# As part of another project polhode is built as that one says, and optimised where it says nothing.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(polhode_options INTERFACE)
target_compile_options(polhode_options INTERFACE -Wall -Wextra -Wpedantic -Werror)
if(NOT CMAKE_UNITY_BUILD)
  target_compile_options(polhode_options INTERFACE -Wshadow)  # of sources compiled together it tells what is none
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees these in inlined string functions of its own library, here and there, depending on how it inlines
  target_compile_options(polhode_options INTERFACE -Wno-error=array-bounds -Wno-error=restrict -Wno-error=stringop-overflow)
else()
  target_compile_options(polhode_options INTERFACE -Wno-overlength-strings)  # the pages inside the program
endif()

if(NOT CMAKE_BUILD_TYPE OR CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(polhode_options INTERFACE -O3)
endif()

if(POLHODE_NATIVE)
  target_compile_options(polhode_options INTERFACE -march=native)
  include(cmake/wide_constants.cmake)
  polhode_right_constants(-march=native right_constants)
  target_compile_options(polhode_options INTERFACE ${right_constants})
elseif(POLHODE_PROCESSOR)
  target_compile_options(polhode_options INTERFACE -march=${POLHODE_PROCESSOR})
endif()

# Vectors of 3, 4 and 7 numbers are what there is. Eigen's own vector instructions load them in pieces of other sizes than
# they were stored in, which stalls; what the compiler makes of plain loops is faster (DOPRI5: 130 ns a step, not 280).
target_compile_definitions(polhode_options INTERFACE EIGEN_DONT_VECTORIZE)

if(POLHODE_SANITIZE)
  # -O1 as clang means it; g++ takes four times as long for what the sanitizers make of templates.
  target_compile_options(polhode_options INTERFACE -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
                                                   -fno-omit-frame-pointer)
  target_link_options(polhode_options INTERFACE -fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Eigen takes blocks of matrices without entries, whose null pointers it moves and never follows. What follows a null
    # pointer, or leaves an object, is found by AddressSanitizer; asking twice takes a tenth of the time of compiling.
    target_compile_options(polhode_options INTERFACE -fno-sanitize=pointer-overflow,null,object-size)
    target_link_options(polhode_options INTERFACE -fuse-ld=lld)
  else()
    target_compile_options(polhode_options INTERFACE -Wno-maybe-uninitialized)  # g++ 12 imagines some in what it instruments
  endif()
endif()
