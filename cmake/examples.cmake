# Carries the model files of examples/ inside the library, so that they can be run by name from anywhere.

file(GLOB example_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.toml)
set(embedded ${PROJECT_BINARY_DIR}/embedded_examples.cpp)
add_custom_command(
  OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded} "-DFILES=${example_files}" -P ${PROJECT_SOURCE_DIR}/cmake/embed_examples.cmake
  DEPENDS ${example_files} ${PROJECT_SOURCE_DIR}/cmake/embed_examples.cmake
  COMMENT "Embedding the examples"
  VERBATIM)
target_sources(polhode PRIVATE ${embedded})
