# Installs Broadloom's development files into ${WORK}/install, builds quilt
# against them and runs its test. A script of CMake's, so that ctest needs
# nothing else.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "exit status ${status} from: ${command}\n${output}")
  endif()
endfunction()

# Nothing of an earlier install may help.
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BROADLOOM_BUILD} --prefix ${WORK}/install
  --component Development)

set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${WORK}/build
  -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_C_COMPILER=${CC}
  -DCMAKE_CXX_COMPILER=${CXX}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${CXX_LAUNCHER}
  -DCMAKE_CXX_FLAGS=${flags}
  -DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}
  -DCMAKE_PREFIX_PATH=${WORK}/install
  -DMLIR_DIR=${MLIR_DIR})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/quilt-opt ${SOURCE}/quilt.mlir
  -verify-diagnostics -split-input-file)
run(${WORK}/build/quilt-opt ${SOURCE}/shape-functions.mlir
  -loom-test-shape-functions -verify-diagnostics=only-expected -split-input-file)
