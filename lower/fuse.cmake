# Fusion of maps. It stands beside the lowerings and needs none of them.
set(LLVM_TARGET_DEFINITIONS ${CMAKE_CURRENT_LIST_DIR}/FusePasses.td)
mlir_tablegen(FusePasses.h.inc -gen-pass-decls -name LoomFuse)
add_public_tablegen_target(BroadloomFuseIncGen)

# What reductions compute, in whatever form they are lowered to.
broadloom_add_mlir_library(BroadloomReduction
  ${CMAKE_CURRENT_LIST_DIR}/Reduction.cpp
  DEPENDS BroadloomLoomIncGen
  LINK BroadloomElementwise BroadloomLoom BroadloomTrait)

broadloom_add_mlir_library(BroadloomFuse
  ${CMAKE_CURRENT_LIST_DIR}/FuseMaps.cpp
  ${CMAKE_CURRENT_LIST_DIR}/FusedMap.cpp
  ${CMAKE_CURRENT_LIST_DIR}/FusedRows.cpp
  ${CMAKE_CURRENT_LIST_DIR}/FuseRows.cpp
  ${CMAKE_CURRENT_LIST_DIR}/RowCandidates.cpp
  ${CMAKE_CURRENT_LIST_DIR}/UntangleMaps.cpp
  DEPENDS BroadloomFuseIncGen BroadloomLoomIncGen
  LINK BroadloomReduction BroadloomElementwise BroadloomInfer BroadloomLoom BroadloomTrait)
