# Installs Broadloom into ${WORK}/install, and builds and runs programs in C
# against it, by find_package and by pkg-config. Then the same with a build of
# the runtime alone, which needs no LLVM.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "exit status ${status} from: ${command}\n${output}")
  endif()
endfunction()

function(expect text)
  string(FIND "${output}" "${text}" index)
  if(index EQUAL -1)
    message(FATAL_ERROR "'${text}' is not in what was printed:\n${output}")
  endif()
endfunction()

# build_program(PREFIX COMPONENT TARGET PROGRAM): as ${WORK}/${COMPONENT}/program.
function(build_program prefix component target program)
  run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${WORK}/${component}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_PREFIX_PATH=${prefix}
    "-DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}"
    -DVERSION=${VERSION} -DCOMPONENT=${component} -DTARGET=${target}
    -DPROGRAM=${program})
  run(${CMAKE_COMMAND} --build ${WORK}/${component})
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BROADLOOM_BUILD} --prefix ${WORK}/install)
set(ENV{LD_LIBRARY_PATH} "")
set(ENV{BROADLOOM_CACHE} "0")
set(examples ${WORK}/install/share/broadloom/examples)

# The compiler in a shared library.
set(printed "main takes tensor<?x?xf32> and tensor<?x?xf32>
z[5] = 36
tosa.add, axis 1: 3 and 2")
build_program(${WORK}/install C Broadloom::broadloom ${examples}/compile.c)
run(${WORK}/C/program ${examples}/add.mlir)
expect("${printed}")
find_program(pkgconfig pkg-config)
if(pkgconfig)
  set(ENV{PKG_CONFIG_PATH} ${WORK}/install/${LIBDIR}/pkgconfig)
  run(${pkgconfig} --cflags --libs broadloom)
  string(STRIP "${output}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${CC} ${examples}/compile.c -o ${WORK}/compile ${flags}
    -Wl,-rpath,${WORK}/install/${LIBDIR})
  run(${WORK}/compile ${examples}/add.mlir)
  expect("${printed}")
endif()

# The compiler as a library of C++. Without C the error says what is missing.
function(configure_cxx languages)
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/cxx -B ${WORK}/CXX
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${WORK}/install -DMLIR_DIR=${MLIR_DIR}
    "-DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}"
    "-DLANGUAGES=${languages}" -DPROGRAM=${examples}/call.cpp
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
  set(status ${status} PARENT_SCOPE)
endfunction()
configure_cxx(CXX)
if(status EQUAL 0)
  message(FATAL_ERROR "a project without C has found Broadloom")
endif()
string(REGEX REPLACE "[ \n]+" " " output "${output}")
expect("need the language C; write project(Installed LANGUAGES C CXX)")
file(REMOVE_RECURSE ${WORK}/CXX)
configure_cxx("C;CXX")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
run(${CMAKE_COMMAND} --build ${WORK}/CXX)
run(${WORK}/CXX/program ${examples}/add.mlir)
expect("z[11] = 42")

# The runtime alone.
run(${WORK}/install/bin/broadloom compile ${examples}/add.mlir -o ${WORK}/add.so)
run(${CMAKE_COMMAND} -G Ninja -S ${ROOT} -B ${WORK}/runtime
  -DCMAKE_BUILD_TYPE=Release -DBROADLOOM_COMPILER=OFF
  -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${CXX_LAUNCHER}
  "-DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}"
  "-DCMAKE_SHARED_LINKER_FLAGS=${LINKER_FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/runtime
  --target BroadloomRuntime BroadloomShape)
run(${CMAKE_COMMAND} --install ${WORK}/runtime --prefix ${WORK}/small)
build_program(${WORK}/small Runtime Broadloom::BroadloomRuntime
  ${examples}/load.c)
run(${WORK}/Runtime/program ${WORK}/add.so)
expect("z[5] = 36")
file(REAL_PATH ${WORK}/small/${LIBDIR}/libbroadloom_runtime.so library)
file(SIZE ${library} size)
if(size GREATER 1000000)
  message(FATAL_ERROR "the runtime has ${size} bytes, more than a megabyte")
endif()
