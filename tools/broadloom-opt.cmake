# mlir-opt with this project's dialects, passes and the test dialect.
broadloom_add_program(broadloom-opt broadloom-opt.cpp
  LINK BroadloomDriver BroadloomTestDialect)
