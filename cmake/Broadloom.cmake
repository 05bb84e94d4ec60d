# The few ways in which this project makes targets.

# How code that includes MLIR is compiled.
set(BROADLOOM_MLIR_OPTIONS -fno-rtti -fno-exceptions)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Without the time in it, a precompiled header made again is the same to ccache.
  list(APPEND BROADLOOM_MLIR_OPTIONS "SHELL:-Xclang -fno-pch-timestamp")
endif()

# Objects of all libraries that include MLIR share one precompiled header: most of
# a file's four seconds are MLIR's headers.
function(broadloom_precompiled_header)
  file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp "\n")
  add_library(BroadloomPch OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
  target_compile_options(BroadloomPch PRIVATE ${BROADLOOM_MLIR_OPTIONS})
  target_precompile_headers(BroadloomPch PRIVATE
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/BuiltinTypes.h>
    <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Dialect/Tosa/IR/TosaOps.h>
    <mlir/Pass/Pass.h>)
endfunction()

# broadloom_add_mlir_library(NAME sources... [DEPENDS ...] [LINK ...])
# A static library of one library whose code includes MLIR: no RTTI, no exceptions.
function(broadloom_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE ${BROADLOOM_MLIR_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM BroadloomPch)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} ${BROADLOOM_MLIR})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# broadloom_add_unit_test(NAME sources... [LINK ...])
# A GoogleTest program; ctest runs it whole. Another machine's are not built, and
# those of the runtime alone only where they are named: ninja BroadloomRuntimeTest.
function(broadloom_add_unit_test name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  if(BROADLOOM_COMPILER)
    find_package(GTest REQUIRED)
    add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
    add_test(NAME ${name} COMMAND ${name})
  else()
    find_package(GTest QUIET)
    if(NOT GTest_FOUND)
      return()
    endif()
    add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
endfunction()
