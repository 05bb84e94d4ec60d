# What other projects get: the headers under include/broadloom/<room>/, the
# libraries, and a package that find_package(Broadloom) finds. Included last by
# the root, when all targets are known.
include(CMakePackageConfigHelpers)

set(BROADLOOM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/broadloom)

# Headers keep their spelling, "room/Header.h", below include/broadloom; they
# may also be spelled "broadloom/room/Header.h".
install(DIRECTORY ${CMAKE_SOURCE_DIR}/shape
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom
  COMPONENT Development
  FILES_MATCHING PATTERN "*.h" PATTERN "*Test.h" EXCLUDE)
install(FILES
    ${CMAKE_SOURCE_DIR}/runtime/Abi.h
    ${CMAKE_SOURCE_DIR}/runtime/DLPack.h
    ${CMAKE_SOURCE_DIR}/runtime/Invoke.h
    ${CMAKE_SOURCE_DIR}/runtime/Tensor.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/runtime
  COMPONENT Development)
install(FILES
    ${CMAKE_SOURCE_DIR}/dialect/Broadcastable.h
    ${CMAKE_SOURCE_DIR}/dialect/Broadcastable.td
    ${CMAKE_SOURCE_DIR}/dialect/ShapeConversion.h
    ${CMAKE_SOURCE_DIR}/dialect/ShapeFunction.td
    ${CMAKE_SOURCE_DIR}/dialect/ShapeFunctionOpInterface.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/dialect
  COMPONENT Development)
if(TARGET BroadloomShapeFunctions)
  # Shape functions: libraries, evaluation, operations from operands alone.
  install(FILES
      ${CMAKE_BINARY_DIR}/dialect/ShapeFunctionOpInterface.h.inc
      ${CMAKE_SOURCE_DIR}/dialect/LoomDialect.h
      ${CMAKE_BINARY_DIR}/dialect/LoomAttributes.h.inc
      ${CMAKE_BINARY_DIR}/dialect/LoomDialect.h.inc
      ${CMAKE_BINARY_DIR}/dialect/LoomTypes.h.inc
      ${CMAKE_BINARY_DIR}/dialect/LoomOps.h.inc
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/dialect
    COMPONENT Development)
  install(FILES
      ${CMAKE_SOURCE_DIR}/infer/functions/CreateOperation.h
      ${CMAKE_SOURCE_DIR}/infer/functions/Datum.h
      ${CMAKE_SOURCE_DIR}/infer/functions/Evaluate.h
      ${CMAKE_SOURCE_DIR}/infer/functions/Library.h
      ${CMAKE_SOURCE_DIR}/infer/functions/LibraryBuilder.h
      ${CMAKE_SOURCE_DIR}/infer/functions/Numbers.h
      ${CMAKE_SOURCE_DIR}/infer/functions/Passes.h
      ${CMAKE_BINARY_DIR}/infer/functions/Passes.h.inc
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/infer/functions
    COMPONENT Development)
  install(FILES ${CMAKE_SOURCE_DIR}/infer/GuardReport.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/infer
    COMPONENT Development)
endif()
if(TARGET BroadloomElementwise)
  install(FILES
      ${CMAKE_SOURCE_DIR}/dialect/BroadcastableOpInterface.h
      ${CMAKE_SOURCE_DIR}/dialect/BroadcastableOpInterface.td
      ${CMAKE_BINARY_DIR}/dialect/BroadcastableOpInterface.h.inc
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/dialect
    COMPONENT Development)
endif()

if(TARGET BroadloomDriver)
  # Compiling and calling programs, from C++ and C; the passes.
  install(FILES
      ${CMAKE_SOURCE_DIR}/driver/CApi.h
      ${CMAKE_SOURCE_DIR}/driver/CheckedProgram.h
      ${CMAKE_SOURCE_DIR}/driver/Compiler.h
      ${CMAKE_SOURCE_DIR}/driver/Register.h
      ${CMAKE_SOURCE_DIR}/driver/ShapeQuestion.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/driver
    COMPONENT Development)
  foreach(header codegen/Passes infer/Passes lower/Passes lower/FusePasses)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${CMAKE_SOURCE_DIR}/${header}.h ${CMAKE_BINARY_DIR}/${header}.h.inc
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom/${folder}
      COMPONENT Development)
  endforeach()
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DATADIR}/broadloom
  PATTERN CMakeLists.txt EXCLUDE)

# Of these, the ones that this configuration builds.
set(BROADLOOM_EXPORTED "")
foreach(target BroadloomShape BroadloomRuntime BroadloomTrait
    BroadloomElementwise BroadloomLoom BroadloomStructure BroadloomReport
    BroadloomShapeFunctions BroadloomInfer BroadloomDerive BroadloomReduction
    BroadloomFuse BroadloomLower BroadloomCodegen BroadloomDriver)
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
