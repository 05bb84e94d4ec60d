//===- TestDialect.cpp - operations to test with ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/TestDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

#include "test/lib/TestDialect.cpp.inc"
#define GET_OP_CLASSES
#include "test/lib/TestOps.cpp.inc"

namespace broadloom::test {

void TestDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "test/lib/TestOps.cpp.inc"
      >();
}

LogicalResult HalvesOp::inferReturnTypeComponents(
    MLIRContext *, std::optional<Location> location, ValueShapeRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<ShapedTypeComponents> &inferred) {
  ShapeAdaptor operand = operands.getShape(0);
  if (!operand.hasRank() || operand.getRank() != 1)
    return emitOptionalError(location, "halves are of vectors");
  int64_t extent = operand.isDynamicDim(0) ? 8 : operand.getDimSize(0);
  inferred.push_back(
      ShapedTypeComponents({extent / 2}, operand.getElementType()));
  return success();
}

FailureOr<Value> SumOfSquaresOp::buildScalarBody(OpBuilder &builder,
                                                 Location loc,
                                                 ValueRange scalars) {
  if (scalars.size() != 2)
    return failure();
  Value x = scalars[0], y = scalars[1];
  if (isa<FloatType>(x.getType()))
    return arith::AddFOp::create(builder, loc,
                                 arith::MulFOp::create(builder, loc, x, x),
                                 arith::MulFOp::create(builder, loc, y, y))
        .getResult();
  return arith::AddIOp::create(builder, loc,
                               arith::MulIOp::create(builder, loc, x, x),
                               arith::MulIOp::create(builder, loc, y, y))
      .getResult();
}

FailureOr<Value> EvenSumOp::buildScalarBody(OpBuilder &builder, Location loc,
                                            ValueRange scalars) {
  if (scalars.size() != 2)
    return failure();
  return arith::AddFOp::create(builder, loc, scalars[0], scalars[1])
      .getResult();
}

} // namespace broadloom::test
