# What the pages in the browser need; see web/README.md.

find_program(POLHODE_NODE node REQUIRED)
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/web/node_modules)
  message(FATAL_ERROR "web/node_modules is missing, which the pages in the browser are built from; run scripts/setup")
endif()

# Bundles the page web/NAME into a C++ source, and makes it part of a library.
function(polhode_embed_page target name)
  # pages share parts
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/report/* ${PROJECT_SOURCE_DIR}/web/live/*
       ${PROJECT_SOURCE_DIR}/web/run/*)
  set(embedded ${PROJECT_BINARY_DIR}/web/${name}_page.cpp)
  add_custom_command(
    OUTPUT ${embedded}
    COMMAND ${POLHODE_NODE} ${PROJECT_SOURCE_DIR}/web/bundle.mjs ${name} ${embedded}
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/web/bundle.mjs ${PROJECT_SOURCE_DIR}/web/package-lock.json
    COMMENT "Bundling the page web/${name}"
    VERBATIM)
  set_source_files_properties(${embedded} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${embedded})
endfunction()

polhode_embed_page(polhode report)
polhode_embed_page(polhode run)
