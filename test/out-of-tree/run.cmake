# Installs Broadloom into ${WORK}/install, runs what is installed there, builds
# programs and a dialect against it and runs them. A script of CMake's, so that
# ctest needs nothing else.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "exit status ${status} from: ${command}\n${output}")
  endif()
endfunction()

# Nothing of an earlier install may help.
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BROADLOOM_BUILD} --prefix ${WORK}/install)
set(examples ${WORK}/install/share/broadloom/examples)

function(expect text)
  string(FIND "${output}" "${text}" index)
  if(index EQUAL -1)
    message(FATAL_ERROR "'${text}' is not in what was printed:\n${output}")
  endif()
endfunction()

# Nothing tells the installed programs where their libraries are.
set(ENV{LD_LIBRARY_PATH} "")
run(${WORK}/install/bin/broadloom --version)
expect("broadloom")
run(${WORK}/install/bin/broadloom run ${examples}/add.mlir
  --input=1x2xf32=1 --input=1x2xf32=2)
expect("3")
run(${WORK}/install/bin/broadloom-opt ${examples}/add.mlir)
if(NOT SANITIZE)
  set(plugin ${WORK}/install/lib/broadloom/BroadloomPlugin.so)
  run(${LLVM_TOOLS}/mlir-opt --load-dialect-plugin=${plugin}
    --load-pass-plugin=${plugin}
    --pass-pipeline=builtin.module\(broadloom-check\) ${examples}/add.mlir)
endif()
foreach(file bin/broadloom-lsp-server share/man/man1/broadloom.1
    share/bash-completion/completions/broadloom
    share/zsh/site-functions/_broadloom
    share/fish/vendor_completions.d/broadloom.fish)
  if(NOT EXISTS ${WORK}/install/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
run(${WORK}/install/bin/broadloom compile ${examples}/add.mlir -o ${WORK}/add.so)

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
  -DBROADLOOM_EXAMPLES=${examples})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/call ${examples}/add.mlir)
expect("z[11] = 42")
run(${WORK}/build/load ${WORK}/add.so)
expect("z[5] = 36")
run(${WORK}/build/pipeline ${examples}/gelu_bias.mlir)
expect("cf.assert")
expect("linalg.generic")
run(${WORK}/build/quilt-opt ${SOURCE}/quilt.mlir
  -verify-diagnostics -split-input-file)
run(${WORK}/build/quilt-opt ${SOURCE}/element-wise.mlir
  -broadloom-legalize -loom-fuse-maps -loom-insert-guards
  -convert-loom-to-linalg -loom-guards-to-assert)
expect("linalg.generic")
expect("math.exp")
expect("arith.maximumf")
expect("'quilt.overlap': operands are not broadcast-compatible")
string(REGEX MATCHALL "linalg.generic" loops "${output}")
list(LENGTH loops count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${count} loops instead of one fused loop:\n${output}")
endif()
run(${WORK}/build/quilt-opt ${SOURCE}/shape-functions.mlir
  -loom-check-shape-functions -verify-diagnostics=only-expected -split-input-file)
# A function in a definition counts in whole pipelines, whatever is beside it.
foreach(pipeline broadloom-check broadloom-emit-loom broadloom-emit-linalg
    broadloom-legalize,broadloom-guard)
  run(${WORK}/build/quilt-opt ${SOURCE}/refuted.mlir -split-input-file
    -verify-diagnostics=only-expected --pass-pipeline=builtin.module\(${pipeline}\))
  foreach(program open open-beside)
    run(${WORK}/build/quilt-opt ${SOURCE}/${program}.mlir
      --pass-pipeline=builtin.module\(${pipeline}\))
    expect("a block is square, but this has")
    expect("quilt.block")
  endforeach()
endforeach()
if(NOT SANITIZE)
  run(${WORK}/install/bin/broadloom-opt ${SOURCE}/others.mlir -broadloom-legalize -broadloom-guard)
  expect("vector.print")
  run(${LLVM_TOOLS}/mlir-opt --load-dialect-plugin=${plugin}
    --load-pass-plugin=${plugin} ${SOURCE}/others.mlir
    --pass-pipeline=builtin.module\(broadloom-legalize{verbose},broadloom-guard,broadloom-to-linalg,canonicalize,convert-vector-to-llvm\))
  expect("is left as it is, unchecked: it has no tensors, and 'vector.print' is not compiled")
  expect("linalg.generic")
  expect("llvm.call @print")
endif()
# A pass behind a pipeline of Broadloom (docs/guides/pass.md).
run(${WORK}/build/quilt-opt ${SOURCE}/guards.mlir
  -broadloom-legalize -broadloom-guard -quilt-count-guards -verify-diagnostics)
run(${WORK}/build/quilt-opt ${SOURCE}/guards.mlir
  -broadloom-legalize -broadloom-guard -quilt-count-guards=at-least=0)
expect("remark: 0 guards")
