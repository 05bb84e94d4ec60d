# mlir-opt with this project's dialects, passes and the test dialect.
add_executable(broadloom-opt broadloom-opt.cpp)
target_compile_options(broadloom-opt PRIVATE -fno-rtti -fno-exceptions)
target_link_libraries(broadloom-opt PRIVATE
  BroadloomDriver BroadloomTestDialect MLIR LLVM)
install(TARGETS broadloom-opt RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
