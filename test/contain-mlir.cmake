# Fails where one of PROGRAMS loads libMLIR or libLLVM when it starts.
foreach(program ${PROGRAMS})
  execute_process(COMMAND ${READELF} --needed-libs ${program}
    OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
  if(needed MATCHES "lib(MLIR|LLVM)[^\n]*")
    message(FATAL_ERROR "${program} loads ${CMAKE_MATCH_0} when it starts")
  endif()
endforeach()
