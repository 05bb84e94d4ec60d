# Operations of the loom dialect that live in shape functions.
set(LLVM_TARGET_DEFINITIONS LoomShapeOps.td)
mlir_tablegen(LoomShapeOps.h.inc -gen-op-decls)
mlir_tablegen(LoomShapeOps.cpp.inc -gen-op-defs)
add_public_tablegen_target(BroadloomLoomShapeIncGen)

target_sources(BroadloomLoom PRIVATE LoomShapeOps.cpp)
add_dependencies(BroadloomLoom BroadloomLoomShapeIncGen)
