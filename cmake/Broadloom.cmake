# The few ways in which this project makes targets.

# How code that includes MLIR is compiled.
set(BROADLOOM_MLIR_OPTIONS -fno-rtti -fno-exceptions)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Without the time in it, a precompiled header made again is the same to ccache.
  list(APPEND BROADLOOM_MLIR_OPTIONS "SHELL:-Xclang -fno-pch-timestamp")
endif()

# All libraries that include MLIR share one precompiled header, which has what more
# than a few files include: parsing MLIR's headers is most of a file's time
# otherwise (decision 55).
set(BROADLOOM_PCH ${CMAKE_BINARY_DIR}/CMakeFiles/BroadloomPch.dir/cmake_pch.hxx.pch)
function(broadloom_precompiled_header)
  file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp "\n")
  add_library(BroadloomPch OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
  target_compile_options(BroadloomPch PRIVATE ${BROADLOOM_MLIR_OPTIONS})
  set(headers
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/BuiltinTypes.h>
    <mlir/IR/IRMapping.h>
    <mlir/IR/Matchers.h>
    <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h>
    <mlir/IR/SymbolTable.h>
    <mlir/IR/TypeUtilities.h>
    <mlir/Dialect/Affine/IR/AffineOps.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Arith/Utils/Utils.h>
    <mlir/Dialect/Bufferization/IR/Bufferization.h>
    <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Index/IR/IndexOps.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Shape/IR/Shape.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Dialect/Tosa/IR/TosaOps.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/Pass/Pass.h>
    <mlir/Transforms/DialectConversion.h>
    <llvm/ADT/TypeSwitch.h>
    <llvm/Support/JSON.h>)
  target_precompile_headers(BroadloomPch PRIVATE ${headers})
  # What ccache takes for the compiled header (CCACHE_PCH_EXTSUM in scripts/build):
  # its bytes have the path of this tree in them.
  file(SHA256 ${LLVM_INCLUDE_DIR}/llvm/Support/VCSRevision.h revision)
  file(CONFIGURE OUTPUT ${BROADLOOM_PCH}.sum @ONLY
    CONTENT "${revision} ${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE} ${CMAKE_CXX_FLAGS_RELWITHDEBINFO} ${headers}\n")
endfunction()

# Puts the sources of a library into batches of eight, each compiled as one file, which
# takes half the time of eight files (decision 55). Those that use the namespace llvm
# are apart, since names of it and of mlir are the same. CMake's own UNITY_BUILD writes
# the path of this tree into a batch, so that ccache would not find it in another clone.
function(broadloom_make_batches name result)
  set(batches)
  set(sources)
  foreach(source ${ARGN})
    # What is generated is compiled alone.
    if(IS_ABSOLUTE ${source})
      list(APPEND sources ${source})
      continue()
    endif()
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    file(STRINGS ${source} llvm REGEX "^using namespace llvm;")
    set(kind Mlir)
    if(llvm)
      set(kind Llvm)
    endif()
    if(NOT number${kind} OR count${kind} EQUAL 8)
      math(EXPR number${kind} "${number${kind}} + 1")
      set(count${kind} 0)
      list(APPEND batches ${name}${kind}${number${kind}})
    endif()
    math(EXPR count${kind} "${count${kind}} + 1")
    string(APPEND text${name}${kind}${number${kind}} "#include \"${path}\"\n")
  endforeach()
  foreach(batch ${batches})
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${batch}.cpp CONTENT "${text${batch}}" @ONLY)
    list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/${batch}.cpp)
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# broadloom_embed_text(SOURCE NAME RESULT)
# Appends to the list RESULT a source that has the text of SOURCE as the C++ string NAME.
function(broadloom_embed_text source name result)
  set(text ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  add_custom_command(
    OUTPUT ${text}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${source} -DOUTPUT=${text} -DNAME=${name}
      -P ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake)
  set(${result} ${${result}} ${text} PARENT_SCOPE)
endfunction()

# broadloom_add_mlir_library(NAME sources... [DEPENDS ...] [LINK ...])
# A static library of one library whose code includes MLIR: no RTTI, no exceptions.
function(broadloom_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  set(sources ${ARG_UNPARSED_ARGUMENTS})
  set(targets ${name})
  if(BROADLOOM_BATCHES)
    # Never built: compile_commands.json has each file for editors.
    add_library(${name}Files OBJECT EXCLUDE_FROM_ALL ${sources})
    list(APPEND targets ${name}Files)
    broadloom_make_batches(${name} sources ${sources})
  endif()
  add_library(${name} STATIC ${sources})
  foreach(target ${targets})
    target_compile_options(${target} PRIVATE ${BROADLOOM_MLIR_OPTIONS})
    target_link_libraries(${target} PUBLIC ${ARG_LINK} ${BROADLOOM_MLIR})
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # As REUSE_FROM does, which would name the header by a path of this tree.
      target_compile_options(${target} PRIVATE
        "SHELL:-Xclang -include-pch -Xclang ${BROADLOOM_PCH}")
      set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS ${BROADLOOM_PCH})
    else()
      target_precompile_headers(${target} REUSE_FROM BroadloomPch)
    endif()
  endforeach()
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
