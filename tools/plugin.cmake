# BroadloomPlugin.so: our dialects and passes for the distribution's mlir-opt
# and other tools that load plugins, with the shared MLIR that those tools have.
# Not with sanitizers, which a tool must have been linked with.
if(BROADLOOM_SANITIZE)
  return()
endif()
set(pluginSymbols ${CMAKE_CURRENT_LIST_DIR}/plugin/symbols.map)
add_library(BroadloomPlugin MODULE plugin/Plugin.cpp)
set_target_properties(BroadloomPlugin PROPERTIES
  PREFIX ""
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
  LINK_DEPENDS ${pluginSymbols}
  INSTALL_RPATH "$ORIGIN/..")
target_compile_options(BroadloomPlugin PRIVATE -fno-rtti -fno-exceptions)
target_link_libraries(BroadloomPlugin PRIVATE BroadloomDriver)
target_link_options(BroadloomPlugin PRIVATE
  -Wl,--version-script=${pluginSymbols} -Wl,--gc-sections)
install(TARGETS BroadloomPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/broadloom)
