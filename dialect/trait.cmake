# The traits and the conversion between MLIR's types and shape/, for this
# project's dialects and for anybody else's.
broadloom_add_mlir_library(BroadloomTrait
  Broadcastable.cpp
  ShapeConversion.cpp
  LINK BroadloomShape)

broadloom_add_unit_test(BroadloomShapeConversionTest
  ShapeConversionTest.cpp
  LINK BroadloomTrait)
