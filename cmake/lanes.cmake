# Sources whose results must not depend on how many numbers go through a vector register at a time (src/math/lanes.h): the
# compiler does not fuse products and sums there unless it is told to. Precompiled headers know nothing of that.
function(polhode_same_in_all_lanes)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -ffp-contract=off SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# Sources that hold rows of numbers as registers: g++ makes one copy of loops that load several of them, in pieces that may be
# smaller than registers (wide_constants.cmake), and reading a register that was written in pieces takes as long as ten sums.
function(polhode_loads_whole_registers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fno-tree-loop-distribute-patterns)
  endif()
endfunction()
