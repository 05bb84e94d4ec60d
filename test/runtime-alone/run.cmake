# Compiles program.mlir for AArch64, the runtime too, and runs both with QEMU.
# Says what is missing, and is skipped then (test/CMakeLists.txt).
find_program(qemu qemu-aarch64)
set(sysroot /usr/aarch64-linux-gnu)
if(NOT qemu OR NOT EXISTS ${sysroot}/include/stdio.h)
  message(STATUS "skipped: qemu-user and libstdc++-12-dev-arm64-cross are needed")
  return()
endif()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(flags "--target=aarch64-linux-gnu")
set(cross
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
  -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
  -DCMAKE_C_FLAGS=${flags} -DCMAKE_CXX_FLAGS=${flags}
  "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld" "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld"
  -DCMAKE_CXX_COMPILER_LAUNCHER=${CXX_LAUNCHER})
run(${CMAKE_COMMAND} -S ${ROOT} -B ${WORK}/runtime -G Ninja
  -DCMAKE_BUILD_TYPE=Release -DBROADLOOM_COMPILER=OFF ${cross})
run(${CMAKE_COMMAND} --build ${WORK}/runtime --target BroadloomRuntime)
run(${BROADLOOM} compile ${SOURCE}/program.mlir --target=aarch64-linux-gnu
  -o ${WORK}/program.o)
run(${CC} ${flags} -O1 -fuse-ld=lld -I${ROOT} ${SOURCE}/host.c ${WORK}/program.o
  -o ${WORK}/host -L${WORK}/runtime/lib -lbroadloom_runtime -lm
  -Wl,-rpath,${WORK}/runtime/lib)
run(${qemu} -L ${sysroot} ${WORK}/host)
message(STATUS "${output}")
if(NOT output MATCHES "0 wrong" OR
   NOT output MATCHES "'tosa.matmul': a has 7 columns but b has 8 rows")
  message(FATAL_ERROR "unexpected: ${output}")
endif()
