# Code that contains MLIR and LLVM starts in a quarter of the time: the dynamic
# loader looks up 47,000 symbols of the shared libraries (decision 20). There is one
# library of that kind, libbroadloom, and the programs call it (decision 58).
#
# The archives are used where the installation has them and the linker is lld,
# which resolves archives in any order. Tests, broadloom-opt and what other projects
# link use the shared libraries, and so does all code with sanitizers.
if(CMAKE_EXE_LINKER_FLAGS MATCHES "fuse-ld=lld" AND NOT BROADLOOM_SANITIZE
    AND EXISTS "${LLVM_LIBRARY_DIR}/libMLIRIR.a"
    AND EXISTS "${LLVM_LIBRARY_DIR}/libLLVMCore.a")
  set(haveArchives ON)
else()
  set(haveArchives OFF)
endif()
option(BROADLOOM_STATIC_MLIR
  "libbroadloom contains MLIR and LLVM, so that programs start fast" ${haveArchives})

# The shared libraries, for everything else.
set(BROADLOOM_MLIR
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:BROADLOOM_STATIC_MLIR>>>:MLIR>
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:BROADLOOM_STATIC_MLIR>>>:LLVM>)

# The libraries that LLVM needs: their archives where there are such, so that
# nothing but the system's own libraries is loaded.
find_library(BROADLOOM_ZLIB NAMES libz.a z)
find_library(BROADLOOM_ZSTD NAMES libzstd.a zstd)
mark_as_advanced(BROADLOOM_ZLIB BROADLOOM_ZSTD)

# broadloom_contain_mlir(NAME)
# The library contains MLIR and LLVM, where that is on.
function(broadloom_contain_mlir name)
  set_target_properties(${name} PROPERTIES
    BROADLOOM_STATIC_MLIR ${BROADLOOM_STATIC_MLIR})
  target_link_libraries(${name} PRIVATE ${BROADLOOM_MLIR})
  if(BROADLOOM_STATIC_MLIR)
    file(GLOB archives
      ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
    target_link_libraries(${name} PRIVATE ${archives}
      ${BROADLOOM_ZLIB} ${BROADLOOM_ZSTD} ${CMAKE_DL_LIBS})
    # Debian's archives have some debugging information, of no use without the rest.
    target_link_options(${name} PRIVATE -Wl,--gc-sections -Wl,--as-needed
      $<$<CONFIG:Release>:-Wl,--strip-debug>)
  endif()
endfunction()

# broadloom_add_program(NAME sources... LINK ...)
# A program that is installed.
function(broadloom_add_program name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions)
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_link_options(${name} PRIVATE -Wl,--gc-sections -Wl,--as-needed)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
