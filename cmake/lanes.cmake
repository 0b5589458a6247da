# Sources whose results must not depend on how many numbers go through a vector register at a time (src/math/lanes.h): the
# compiler does not fuse products and sums there unless it is told to. Precompiled headers know nothing of that.
function(polhode_same_in_all_lanes)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -ffp-contract=off SKIP_PRECOMPILE_HEADERS ON)
endfunction()
