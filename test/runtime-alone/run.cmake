# Builds the runtime alone, without LLVM, with the compilers CC and CXX, installs it,
# and runs program.mlir with it. TRIPLE names another architecture, whose programs
# run with QEMU. Says what is missing, and is skipped then (test/CMakeLists.txt).
find_program(cc ${CC})
find_program(cxx ${CXX})
if(NOT cc OR NOT cxx)
  message(STATUS "skipped: ${CC} and ${CXX} are needed (scripts/setup)")
  return()
endif()
set(cross "")
set(flags "")
set(emulator "")
if(TRIPLE)
  string(REGEX MATCH "^[^-]+" architecture ${TRIPLE})
  set(sysroot /usr/${TRIPLE})
  find_program(qemu qemu-${architecture})
  if(NOT qemu OR NOT EXISTS ${sysroot}/include/stdio.h)
    message(STATUS "skipped: qemu-user and libstdc++-12-dev-arm64-cross are needed (scripts/setup)")
    return()
  endif()
  set(emulator ${qemu} -L ${sysroot})
  set(cross -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=${architecture})
  set(target --target=${TRIPLE})
  if(CXX MATCHES "clang")
    set(flags ${target})
  endif()
endif()
set(link "")
if(CXX MATCHES "clang")
  set(link -fuse-ld=lld)
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

# A build as a stranger makes it: the default target, and no warning.
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -S ${ROOT} -B ${WORK}/build -G Ninja -DBROADLOOM_COMPILER=OFF
  -DCMAKE_C_COMPILER=${cc} -DCMAKE_CXX_COMPILER=${cxx} -DCMAKE_CXX_COMPILER_LAUNCHER=${CXX_LAUNCHER}
  -DCMAKE_C_FLAGS=${flags} -DCMAKE_CXX_FLAGS=${flags}
  -DCMAKE_EXE_LINKER_FLAGS=${link} -DCMAKE_SHARED_LINKER_FLAGS=${link} ${cross})
run(${CMAKE_COMMAND} --build ${WORK}/build)
if(output MATCHES "warning: |unittests/")
  message(FATAL_ERROR "there are warnings, or unit tests that nobody named:\n${output}")
endif()
run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/install)
file(REAL_PATH ${WORK}/install/${LIBDIR}/libbroadloom_runtime.so library)
file(SIZE ${library} size)
if(size GREATER 2000000)
  message(FATAL_ERROR "the runtime has ${size} bytes, more than two megabytes")
endif()

# Linked as the note says that the compiler prints.
run(${BROADLOOM} compile ${SOURCE}/program.mlir ${target} -o ${WORK}/program.o)
if(NOT output MATCHES "note: link with ([^\n]*)")
  message(FATAL_ERROR "no libraries are named: ${output}")
endif()
separate_arguments(libraries UNIX_COMMAND "${CMAKE_MATCH_1}")
run(${cc} ${flags} ${link} -O1 -I${WORK}/install/include/broadloom ${SOURCE}/host.c ${WORK}/program.o
  -o ${WORK}/host -L${WORK}/install/${LIBDIR} ${libraries} -Wl,-rpath,${WORK}/install/${LIBDIR})
run(${emulator} ${WORK}/host)
message(STATUS "${output}")
if(NOT output MATCHES "0 wrong" OR
   NOT output MATCHES "'tosa.matmul': a has 7 columns but b has 8 rows")
  message(FATAL_ERROR "unexpected: ${output}")
endif()

# And found by CMake, in a program that loads a library.
if(NOT TRIPLE)
  set(examples ${WORK}/install/share/broadloom/examples)
  run(${BROADLOOM} compile ${examples}/add.mlir -o ${WORK}/add.so)
  run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/../installed -B ${WORK}/load
    -DCMAKE_C_COMPILER=${cc} -DCMAKE_PREFIX_PATH=${WORK}/install -DCMAKE_EXE_LINKER_FLAGS=${link}
    -DVERSION=${VERSION} -DCOMPONENT=Runtime -DTARGET=Broadloom::BroadloomRuntime
    -DPROGRAM=${examples}/load.c)
  run(${CMAKE_COMMAND} --build ${WORK}/load)
  run(${WORK}/load/program ${WORK}/add.so)
  if(NOT output MATCHES "z.5. = 36")
    message(FATAL_ERROR "unexpected: ${output}")
  endif()
endif()
