# The traits and the conversion between MLIR's types and shape/, for this
# project's dialects and for anybody else's.
set(LLVM_TARGET_DEFINITIONS ShapeFunction.td)
mlir_tablegen(ShapeFunctionOpInterface.h.inc -gen-op-interface-decls)
mlir_tablegen(ShapeFunctionOpInterface.cpp.inc -gen-op-interface-defs)
add_public_tablegen_target(BroadloomShapeFunctionIncGen)

broadloom_add_mlir_library(BroadloomTrait
  Broadcastable.cpp
  ShapeConversion.cpp
  ShapeFunctionOpInterface.cpp
  DEPENDS BroadloomShapeFunctionIncGen
  LINK BroadloomShape)

broadloom_add_unit_test(BroadloomShapeConversionTest
  ShapeConversionTest.cpp
  LINK BroadloomTrait)
