# libbroadloom.so: the C interface with everything in it but the runtime, which
# compiled programs share. Its name has the version of the interface.
set(symbols ${CMAKE_CURRENT_LIST_DIR}/libbroadloom/symbols.map)
add_library(libbroadloom SHARED libbroadloom/Programs.cpp)
set_target_properties(libbroadloom PROPERTIES
  OUTPUT_NAME broadloom
  EXPORT_NAME broadloom
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${symbols}
  INSTALL_RPATH "$ORIGIN")
target_compile_options(libbroadloom PRIVATE -fno-rtti -fno-exceptions)
# The whole of the driver: nobody in the library calls the C interface.
target_link_libraries(libbroadloom
  PRIVATE BroadloomTool
    -Wl,--whole-archive $<TARGET_FILE:BroadloomDriver> -Wl,--no-whole-archive
  PUBLIC BroadloomRuntime)
target_include_directories(libbroadloom INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/broadloom>)
target_link_options(libbroadloom PRIVATE
  -Wl,--version-script=${symbols} -Wl,-Bsymbolic)
broadloom_contain_mlir(libbroadloom)
install(TARGETS libbroadloom EXPORT BroadloomTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT Unspecified NAMELINK_COMPONENT Development)
