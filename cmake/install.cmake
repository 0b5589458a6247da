# What is installed: the program, the shared library, the headers behind polhode/polhode.h, and what find_package,
# pkg-config and shells need. `cpack` makes Debian packages of the same.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The library as others link it: polhode::polhode. None of the flags that it was built with go along.
add_library(polhode_shared SHARED ${PROJECT_SOURCE_DIR}/src/shared_library.cpp)
add_library(polhode::polhode ALIAS polhode_shared)
target_link_libraries(polhode_shared PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,polhode>" PUBLIC Eigen3::Eigen)
if(POLHODE_PAGES)
  target_sources(polhode_shared PRIVATE $<TARGET_OBJECTS:polhode_server>)
  target_link_libraries(polhode_shared PRIVATE Threads::Threads)
endif()
target_include_directories(polhode_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(polhode_shared INTERFACE cxx_std_20)
set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
target_link_options(polhode_shared PRIVATE -Wl,--version-script=${exports} -Wl,-Bsymbolic)
set_target_properties(polhode_shared PROPERTIES OUTPUT_NAME polhode EXPORT_NAME polhode VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS ${exports})
if(NOT POLHODE_INSTALL)
  return()
endif()

install(TARGETS polhode_app RUNTIME COMPONENT program)
install(TARGETS polhode_shared EXPORT polhode_targets
        LIBRARY COMPONENT library NAMELINK_COMPONENT development)

# The same for newer processors, from a build of its own (scripts/install --packages makes it): the program hands over to
# its faster twin (src/app/faster_twin.h), and the loader of the C library takes the library of the processor by itself.
set(POLHODE_FASTER_BUILD "" CACHE PATH "A build with POLHODE_PROCESSOR=x86-64-v3, to be installed beside this one")
if(POLHODE_FASTER_BUILD)
  set(faster x86-64-v3)
  install(PROGRAMS ${POLHODE_FASTER_BUILD}/polhode DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/polhode/${faster}
          COMPONENT program)
  install(PROGRAMS ${POLHODE_FASTER_BUILD}/libpolhode.so.${PROJECT_VERSION}
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${faster}
          RENAME libpolhode.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} COMPONENT library)
endif()

# The headers that polhode/polhode.h includes, and no others.
include(cmake/public_headers.cmake)
foreach(header ${public_headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES include/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/polhode)
install(EXPORT polhode_targets NAMESPACE polhode:: FILE polhodeTargets.cmake DESTINATION ${package_folder}
        COMPONENT development)
configure_package_config_file(cmake/polhodeConfig.cmake.in ${PROJECT_BINARY_DIR}/polhodeConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/polhodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/polhodeConfig.cmake ${PROJECT_BINARY_DIR}/polhodeConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT development)
file(RELATIVE_PATH prefix_from_here /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # wherever it is installed
configure_file(cmake/polhode.pc.in ${PROJECT_BINARY_DIR}/polhode.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/polhode.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Manual pages and completions, as the program itself writes them.
set(words ${PROJECT_BINARY_DIR}/words)
add_custom_command(
  OUTPUT ${words}/polhode.bash
  COMMAND polhode_app man ${words}/man1
  COMMAND sh -c "$<TARGET_FILE:polhode_app> completion bash >polhode.bash"
  COMMAND sh -c "$<TARGET_FILE:polhode_app> completion zsh >_polhode"
  COMMAND sh -c "$<TARGET_FILE:polhode_app> completion fish >polhode.fish"
  DEPENDS polhode_app
  WORKING_DIRECTORY ${words}
  COMMENT "Writing manual pages and completions"
  VERBATIM)
file(MAKE_DIRECTORY ${words})
add_custom_target(polhode_words ALL DEPENDS ${words}/polhode.bash)
add_custom_target(polhode_installed DEPENDS polhode_app polhode_shared polhode_words)  # all that is installed
install(DIRECTORY ${words}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
install(FILES ${words}/polhode.bash RENAME polhode DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        COMPONENT program)
install(FILES ${words}/_polhode DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${words}/polhode.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME polhode)
set(CPACK_PACKAGE_CONTACT "the authors of polhode")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program, with its manual pages and completions.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The shared library.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers, and what find_package and pkg-config need.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME polhode)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libpolhode)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpolhode-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libpolhode (= ${PROJECT_VERSION}), libeigen3-dev")
include(CPack)
