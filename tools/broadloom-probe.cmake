# Reads bytecode first, where a process of several threads is given some.
add_executable(broadloom-probe broadloom-probe.cpp)
target_compile_options(broadloom-probe PRIVATE -fno-rtti -fno-exceptions)
target_link_libraries(broadloom-probe PRIVATE BroadloomDriver MLIR LLVM)
install(TARGETS broadloom-probe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
