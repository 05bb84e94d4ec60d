//===- quilt-opt.cpp - somebody else's dialect and its mlir-opt -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuiltPasses.h"
#include "dialect/Broadcastable.h"
#include "dialect/BroadcastableOpInterface.h"
#include "dialect/ShapeFunctionOpInterface.h"
#include "driver/Register.h"
// The longer spelling finds the same headers.
#include "broadloom/dialect/ShapeConversion.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "QuiltDialect.h.inc"
#define GET_OP_CLASSES
#include "QuiltOps.h.inc"

#include "QuiltDialect.cpp.inc"
#define GET_OP_CLASSES
#include "QuiltOps.cpp.inc"

void quilt::QuiltDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "QuiltOps.cpp.inc"
      >();
}

llvm::FailureOr<mlir::Value>
quilt::OverlapOp::buildScalarBody(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::ValueRange scalars) {
  if (scalars.size() != 2)
    return mlir::failure();
  return mlir::arith::MaximumFOp::create(builder, loc, scalars[0], scalars[1])
      .getResult();
}

int main(int argc, char **argv) {
  quilt::registerQuiltPasses();
  mlir::DialectRegistry registry;
  broadloom::registerAllDialects(registry);
  broadloom::registerAllPasses();
  registry.insert<quilt::QuiltDialect>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "quilt's mlir-opt\n", registry));
}
