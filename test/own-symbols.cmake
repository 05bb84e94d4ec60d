# Fails where LIBRARY shows a symbol that is not of the C interface: another copy
# of MLIR or LLVM in a process must not meet the one in it. Fails too where it
# shows none.
execute_process(COMMAND ${NM} -D --defined-only --format=just-symbols ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
set(found 0)
foreach(symbol ${symbols})
  if(symbol MATCHES "^broadloom[A-Z]")
    math(EXPR found "${found} + 1")
  elseif(NOT symbol MATCHES "^BROADLOOM_[0-9]+")
    message(FATAL_ERROR "${LIBRARY} shows ${symbol}")
  endif()
endforeach()
if(found LESS 40)
  message(FATAL_ERROR "${LIBRARY} shows ${found} functions of the C interface")
endif()
