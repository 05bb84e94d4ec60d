# What other projects get: the headers under include/broadloom/<library>/, the
# libraries, and a package that find_package(Broadloom) finds. Included last by
# the root, when all targets are known.
include(CMakePackageConfigHelpers)

set(BROADLOOM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/broadloom)

# broadloom_install_headers(paths...)
# Headers keep their spelling, "library/Header.h", below include/broadloom; they
# may also be spelled "broadloom/library/Header.h". An .inc file is a generated
# one.
function(broadloom_install_headers)
  foreach(header ${ARGN})
    get_filename_component(folder ${header} DIRECTORY)
    set(root ${CMAKE_SOURCE_DIR})
    if(header MATCHES "[.]inc$")
      set(root ${CMAKE_BINARY_DIR})
    endif()
    install(FILES ${root}/${header}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/${folder}
      COMPONENT Development)
  endforeach()
endfunction()

install(DIRECTORY ${CMAKE_SOURCE_DIR}/shape
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom
  COMPONENT Development
  FILES_MATCHING PATTERN "*.h" PATTERN "*Test.h" EXCLUDE)
broadloom_install_headers(
  runtime/abi/Abi.h
  runtime/abi/ContractionKind.h
  runtime/abi/LinearAlgebraKind.h
  runtime/abi/ContractStructs.h
  runtime/abi/StepStructs.h
  runtime/abi/Structs.h
  runtime/calls/DLPack.h
  runtime/calls/Failure.h
  runtime/calls/Invoke.h
  runtime/calls/Tensor.h
  runtime/profile/Profile.h
  runtime/profile/SiteKind.h
  runtime/profile/Work.h
  dialect/Broadcastable.h
  dialect/Broadcastable.td
  dialect/ShapeConversion.h
  dialect/ShapeFunction.td
  dialect/ShapeFunctionOpInterface.h)
if(TARGET BroadloomShapeFunctions)
  # Shape functions: libraries, evaluation, operations from operands alone.
  broadloom_install_headers(
    dialect/ShapeFunctionOpInterface.h.inc
    dialect/LoomDialect.h
    dialect/LoomTraits.h
    dialect/LoomAttributes.h.inc
    dialect/LoomDialect.h.inc
    dialect/LoomEnums.h.inc
    dialect/LoomTypes.h.inc
    dialect/LoomOps.h.inc
    infer/functions/CreateOperation.h
    infer/functions/Datum.h
    infer/functions/Evaluate.h
    infer/functions/Library.h
    infer/functions/LibraryBuilder.h
    infer/functions/Passes.h
    infer/functions/Passes.h.inc
    infer/functions/ShapeLibraries.h
    infer/numbers/Number.h
    infer/numbers/NumberArithmetic.h
    infer/numbers/NumberFacts.h
    infer/numbers/NumberTable.h
    infer/numbers/Numbers.h
    infer/numbers/SymbolNumbers.h
    infer/report/GuardReport.h)
endif()
if(TARGET BroadloomElementwise)
  broadloom_install_headers(
    dialect/BroadcastableOpInterface.h
    dialect/BroadcastableOpInterface.td
    dialect/BroadcastableOpInterface.h.inc)
endif()
if(TARGET BroadloomDriver)
  # Compiling and calling programs, from C++ and C; the passes.
  broadloom_install_headers(
    driver/CApi.h
    driver/CheckedProgram.h
    driver/CompileOptions.h
    driver/SharedBytes.h
    driver/StampedFile.h
    driver/CompiledModule.h
    driver/Compiler.h
    driver/FunctionSignature.h
    driver/InspectedFile.h
    driver/ProfiledProgram.h
    driver/ProgramDiagnostic.h
    driver/Register.h
    driver/ShapeQueryArguments.h
    driver/Source.h
    driver/State.h)
  foreach(folder codegen legalize infer lower lower/fuse)
    broadloom_install_headers(${folder}/Passes.h ${folder}/Passes.h.inc)
  endforeach()
endif()

install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DATADIR}/broadloom
  PATTERN CMakeLists.txt EXCLUDE)

# The shells' completion and the manual page of `broadloom`.
if(TARGET broadloom)
  install(FILES ${CMAKE_SOURCE_DIR}/docs/broadloom.1
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${CMAKE_SOURCE_DIR}/tools/shell/broadloom.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME broadloom)
  install(FILES ${CMAKE_SOURCE_DIR}/tools/shell/_broadloom
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${CMAKE_SOURCE_DIR}/tools/shell/broadloom.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# Of these, the ones that this configuration builds.
set(BROADLOOM_EXPORTED "")
foreach(target BroadloomShape BroadloomPoly BroadloomRuntime BroadloomTrait
    BroadloomElementwise BroadloomLoom BroadloomStructure BroadloomReport
    BroadloomNumbers BroadloomShapeFunctions BroadloomShapeAnalysis
    BroadloomConstraints BroadloomShapeQueries BroadloomLegalize BroadloomRead BroadloomTflite BroadloomVersions
    BroadloomTosaFiles
    BroadloomReduction BroadloomFuse BroadloomLower BroadloomCodegen
    BroadloomDriver)
  if(TARGET ${target})
    list(APPEND BROADLOOM_EXPORTED ${target})
    target_include_directories(${target} INTERFACE
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/broadloom>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endif()
endforeach()
install(TARGETS ${BROADLOOM_EXPORTED} EXPORT BroadloomTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
install(EXPORT BroadloomTargets
  NAMESPACE Broadloom::
  DESTINATION ${BROADLOOM_CMAKE_DIR}
  COMPONENT Development)

# broadloom_install_pc(FILE NAME DESCRIPTION LIBS): a file for pkg-config.
function(broadloom_install_pc file PC_NAME PC_DESCRIPTION PC_LIBS)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/broadloom.pc.in
    ${CMAKE_BINARY_DIR}/cmake/${file}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/cmake/${file}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT Development)
endfunction()
broadloom_install_pc(broadloom-runtime "Broadloom's runtime"
  "What programs that Broadloom has compiled run with"
  "-lbroadloom_runtime")
if(TARGET libbroadloom)
  broadloom_install_pc(broadloom "Broadloom" "${PROJECT_DESCRIPTION}"
    "-lbroadloom -lbroadloom_runtime")
endif()

configure_package_config_file(
  ${CMAKE_SOURCE_DIR}/cmake/BroadloomConfig.cmake.in
  ${CMAKE_BINARY_DIR}/cmake/BroadloomConfig.cmake
  INSTALL_DESTINATION ${BROADLOOM_CMAKE_DIR}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/cmake/BroadloomConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
    ${CMAKE_BINARY_DIR}/cmake/BroadloomConfig.cmake
    ${CMAKE_BINARY_DIR}/cmake/BroadloomConfigVersion.cmake
  DESTINATION ${BROADLOOM_CMAKE_DIR}
  COMPONENT Development)
