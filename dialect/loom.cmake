# The loom dialect.
set(LLVM_TARGET_DEFINITIONS LoomOps.td)
mlir_tablegen(LoomOps.h.inc -gen-op-decls)
mlir_tablegen(LoomOps.cpp.inc -gen-op-defs)
mlir_tablegen(LoomAttributes.h.inc -gen-attrdef-decls -attrdefs-dialect=loom)
mlir_tablegen(LoomAttributes.cpp.inc -gen-attrdef-defs -attrdefs-dialect=loom)
mlir_tablegen(LoomTypes.h.inc -gen-typedef-decls -typedefs-dialect=loom)
mlir_tablegen(LoomTypes.cpp.inc -gen-typedef-defs -typedefs-dialect=loom)
mlir_tablegen(LoomDialect.h.inc -gen-dialect-decls -dialect=loom)
mlir_tablegen(LoomDialect.cpp.inc -gen-dialect-defs -dialect=loom)
add_public_tablegen_target(BroadloomLoomIncGen)

broadloom_add_mlir_library(BroadloomLoom
  LoomDialect.cpp
  LoomExtents.cpp
  LoomFolds.cpp
  LoomMap.cpp
  LoomRows.cpp
  LocationText.cpp
  VerifyExtents.cpp
  DEPENDS BroadloomLoomIncGen)
