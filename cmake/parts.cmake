# Parts of polhode that may be left out, each with the library that it needs. What is left out is replaced by a file of
# src/without that says so where somebody asks for it. The tests need all parts.

option(POLHODE_HDF5 "Recordings in HDF5" ON)
option(POLHODE_SUNDIALS "The integrator bdf, by SUNDIALS" ON)
option(POLHODE_URDF "Models in URDF, by urdfdom" ON)
option(POLHODE_PAGES "Pages in the browser: reports and `polhode live` (Node to build them, and Boost)" ON)
option(POLHODE_MPI "Sweeps over many machines, by MPI (Debian's libopenmpi-dev)" OFF)

option(POLHODE_CUDA "Sweeps on a GPU, by NVIDIA's nvcc" OFF)

set(part_libraries "")
macro(polhode_leave_out pattern stand_in)
  list(FILTER library_sources EXCLUDE REGEX "${pattern}")
  list(APPEND library_sources ${PROJECT_SOURCE_DIR}/src/without/${stand_in})
endmacro()

if(POLHODE_HDF5)
  find_package(HDF5 REQUIRED COMPONENTS C)
  list(APPEND part_libraries ${HDF5_LIBRARIES})
else()
  polhode_leave_out("/src/io/hdf5_" hdf5.cpp)
endif()

if(POLHODE_SUNDIALS)
  find_package(SUNDIALS 6 REQUIRED COMPONENTS cvode ida nvecserial sunmatrixdense sunlinsoldense)
  list(APPEND part_libraries SUNDIALS::cvode SUNDIALS::ida SUNDIALS::nvecserial SUNDIALS::sunmatrixdense
                             SUNDIALS::sunlinsoldense)
else()
  polhode_leave_out("/src/integrate/(bdf|bdf_dae|sundials_stepper)[.]cpp" sundials.cpp)
endif()

if(POLHODE_URDF)
  find_package(urdfdom REQUIRED)
  find_package(console_bridge REQUIRED)  # what urdfdom prints with
  list(APPEND part_libraries urdfdom::urdfdom_model console_bridge::console_bridge)
else()
  polhode_leave_out("/src/io/urdf_(reader|left_out)[.]cpp" urdf.cpp)
endif()

if(POLHODE_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
  list(APPEND part_libraries ${MPI_C_LIBRARIES})
  set_source_files_properties(src/ensemble/mpi_ranks.cpp PROPERTIES  # nobody else sees its headers
                              INCLUDE_DIRECTORIES "${MPI_C_INCLUDE_DIRS}" SKIP_UNITY_BUILD_INCLUSION ON)
else()
  polhode_leave_out("/src/ensemble/mpi_ranks[.]cpp" mpi.cpp)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/without/mpi.cpp PROPERTIES  # tests put MPI in its place
                              SKIP_UNITY_BUILD_INCLUSION ON)
endif()

if(NOT POLHODE_CUDA)
  polhode_leave_out("^$" cuda.cpp)
endif()

if(POLHODE_PAGES)
  find_package(Boost 1.74 REQUIRED)  # headers only: Beast and Asio
  find_package(Threads REQUIRED)
else()
  polhode_leave_out("^$" report_page.cpp)
  polhode_leave_out("^$" live_page.cpp)
endif()

# Python where pybind11 is installed. (What is sanitised cannot be loaded by a Python that is not.)
find_path(POLHODE_PYBIND11 pybind11/pybind11.h)
set(python_default OFF)
if(POLHODE_PYBIND11 AND PROJECT_IS_TOP_LEVEL AND NOT POLHODE_SANITIZE)
  set(python_default ON)
endif()
option(POLHODE_PYTHON "The Python package (pybind11)" ${python_default})
if(POLHODE_PYTHON)
  # Debian's Python, whose packages pybind11 and numpy are; another one by -DPython_EXECUTABLE=...
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
  find_package(pybind11 2.9 CONFIG REQUIRED)
endif()
