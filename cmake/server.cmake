# The server of the live page. Beast compiles slowly, and the network is not where the time goes: no -O3.

file(GLOB server_sources CONFIGURE_DEPENDS src/server/*.cpp)
add_library(polhode_server STATIC ${server_sources})
polhode_compile_together(polhode_server ${server_sources})
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/server/http_connection.cpp ${PROJECT_SOURCE_DIR}/src/server/page_connection.cpp
                            ${PROJECT_SOURCE_DIR}/src/server/live_server.cpp PROPERTIES UNITY_GROUP network)
target_link_libraries(polhode_server PUBLIC polhode Threads::Threads PRIVATE Boost::headers)
target_compile_options(polhode_server PRIVATE -O1)
set_target_properties(polhode_server PROPERTIES POSITION_INDEPENDENT_CODE ON)  # it is part of the shared library
polhode_embed_page(polhode_server live)
