# The command-line program.
add_executable(broadloom
  broadloom/broadloom.cpp
  broadloom/Bench.cpp
  broadloom/Compile.cpp
  broadloom/Options.cpp
  broadloom/Run.cpp
  broadloom/SharedLibrary.cpp)
target_compile_options(broadloom PRIVATE -fno-rtti -fno-exceptions)
target_link_libraries(broadloom PRIVATE BroadloomDriver BroadloomIO MLIR LLVM)
# So that programs compiled to shared libraries find the runtime in here.
set_target_properties(broadloom PROPERTIES ENABLE_EXPORTS ON)
install(TARGETS broadloom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
