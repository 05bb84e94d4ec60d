# The command-line program, as a library: libbroadloom has it too.
add_library(BroadloomTool STATIC
  broadloom/Bench.cpp
  broadloom/BugReport.cpp
  broadloom/Check.cpp
  broadloom/CommandLine.cpp
  broadloom/Compile.cpp
  broadloom/Inspect.cpp
  broadloom/Load.cpp
  broadloom/Measure.cpp
  broadloom/MemoryOutputs.cpp
  broadloom/Profile.cpp
  broadloom/Run.cpp
  broadloom/Sequence.cpp
  broadloom/Shapes.cpp
  broadloom/SharedLibrary.cpp
  broadloom/Suggest.cpp
  broadloom/Terminal.cpp)
target_compile_options(BroadloomTool PRIVATE -fno-rtti -fno-exceptions)
target_link_libraries(BroadloomTool PUBLIC BroadloomDriver BroadloomIO)

broadloom_add_program(broadloom broadloom/broadloom.cpp LINK BroadloomTool)
