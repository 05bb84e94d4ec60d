# Installs Broadloom into ${WORK}/install, reads a model of ONNX with what is there,
# and builds and runs programs in C and C++ against it, by find_package and by
# pkg-config.

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

# The converters and their files in Python.
set(ENV{BROADLOOM_PYTHON} ${PYTHON})
run(${WORK}/install/bin/broadloom shapes ${examples}/perceptron.onnx)
expect("batchx3")
set(ENV{BROADLOOM_PYTHON} /nowhere/python3)
foreach(converter "onnx;numpy" "torch;numpy and torch")
  list(GET converter 0 kind)
  list(GET converter 1 needed)
  execute_process(COMMAND ${WORK}/install/bin/broadloom-${kind} model -o ${WORK}/p.mlir
    RESULT_VARIABLE status ERROR_VARIABLE output)
  expect("there is no program /nowhere/python3; set BROADLOOM_PYTHON to a Python 3.11 or later that has ${needed}")
endforeach()
unset(ENV{BROADLOOM_PYTHON})

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

# The compiler as a library of C++. MLIR is found where Broadloom was built with it.
# What is missing without C, or without MLIR, the error says.
function(configure_cxx languages)
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/cxx -B ${WORK}/CXX
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${WORK}/install
    "-DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}"
    "-DLANGUAGES=${languages}" -DPROGRAM=${examples}/call.cpp ${ARGN}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
  set(status ${status} PARENT_SCOPE)
endfunction()

# expect_refused(LANGUAGES MESSAGE options...)
function(expect_refused languages message)
  configure_cxx("${languages}" ${ARGN})
  if(status EQUAL 0)
    message(FATAL_ERROR "Broadloom was found where this was expected: ${message}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  expect("${message}")
  file(REMOVE_RECURSE ${WORK}/CXX)
endfunction()

expect_refused(CXX "need the language C; write project(Installed LANGUAGES C CXX)")
set(advice "set MLIR_DIR to the folder of its MLIRConfig.cmake (Debian's package is \
libmlir-22-dev), or write COMPONENTS C or COMPONENTS Runtime, which need no MLIR")
# The package as it is on a machine where MLIR is elsewhere.
set(package ${WORK}/install/${LIBDIR}/cmake/broadloom/BroadloomConfig.cmake)
file(READ ${package} text)
string(REPLACE "${MLIR_DIR}" /nowhere moved "${text}")
file(WRITE ${package} "${moved}")
expect_refused("C;CXX" "Broadloom needs MLIR 22, and there is none in /nowhere, with which it was built; ${advice}"
  -DCMAKE_IGNORE_PATH=${MLIR_DIR})
file(WRITE ${WORK}/older/MLIRConfig.cmake "set(LLVM_VERSION_MAJOR 21)\n")
expect_refused("C;CXX" "Broadloom needs MLIR 22, and ${WORK}/older has version 21; ${advice}"
  -DMLIR_DIR=${WORK}/older)
# What the message says works.
configure_cxx("C;CXX" -DMLIR_DIR=${MLIR_DIR})
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
file(REMOVE_RECURSE ${WORK}/CXX)
file(WRITE ${package} "${text}")

configure_cxx("C;CXX")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
run(${CMAKE_COMMAND} --build ${WORK}/CXX)
run(${WORK}/CXX/program ${examples}/add.mlir)
expect("z[11] = 42")
