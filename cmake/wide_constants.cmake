# g++ 12 with AVX-512 copies some constants wrongly. A constant that is copied in one piece of 32 or 64 bytes is held as one
# long integer without its leading zeros; whether all its words are equal, so that one of them can be broadcast into the
# register, is asked of the words that are left: (1, 1, 0, 0) becomes (1, 1, 1, 1). Pieces of 16 bytes are safe: an integer of
# two words has both, or is short and not asked. So the compiler is tried, and given the smaller pieces where it fails.

include(CheckCXXSourceRuns)

# Sets `result` to the options with which constants are right for code compiled with `processor`, as -march=native.
function(polhode_right_constants processor result)
  set(program "
    #include <cstring>
    __attribute__((noinline, noclone)) void fill(double* to) {
      const double from[4] = {1.0, 1.0, 0.0, 0.0};
      std::memcpy(to, from, sizeof from);
    }
    int main() {
      double to[4];
      fill(to);
      return to[2] == 0.0 && to[3] == 0.0 ? 0 : 1;
    }")
  set(smaller_pieces -mmove-max=128 -mstore-max=128)
  set(CMAKE_REQUIRED_FLAGS "-O2 ${processor}")
  check_cxx_source_runs("${program}" POLHODE_CONSTANTS_ARE_RIGHT)
  list(JOIN smaller_pieces " " flags)
  set(CMAKE_REQUIRED_FLAGS "-O2 ${processor} ${flags}")
  if(NOT POLHODE_CONSTANTS_ARE_RIGHT)
    check_cxx_source_runs("${program}" POLHODE_CONSTANTS_ARE_RIGHT_IN_SMALLER_PIECES)
  endif()
  if(POLHODE_CONSTANTS_ARE_RIGHT)
    set(${result} "" PARENT_SCOPE)
  elseif(POLHODE_CONSTANTS_ARE_RIGHT_IN_SMALLER_PIECES)
    set(${result} ${smaller_pieces} PARENT_SCOPE)
  else()
    message(FATAL_ERROR "This compiler copies constants wrongly with ${processor}; configure with -DPOLHODE_NATIVE=OFF")
  endif()
endfunction()
