//===- FreedMemory.cpp - memory that is certainly freed before it is used -===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/FreedMemory.h"

#include "dialect/LocationText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace broadloom;

static Value getRoot(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

static std::string inBrackets(Operation *op) {
  std::string text = getLocationText(op->getLoc());
  return text.empty() ? text : " (" + text + ")";
}

LogicalResult legalize::FreedMemory::check(Operation *op) {
  auto func = dyn_cast_or_null<func::FuncOp>(op->getParentOp());
  if (!func || op->getBlock() != &func.getBody().front() ||
      isa<memref::DimOp, memref::CastOp>(op))
    return success();
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    Value root = getRoot(operand);
    if (Operation *free = freed.lookup(root)) {
      InFlightDiagnostic error = op->emitError() << "'" << op->getName()
                                                 << "': this memory was freed"
                                                 << inBrackets(free);
      if (Operation *made = root.getDefiningOp())
        error << "; it is from '" << made->getName() << "'" << inBrackets(made);
      return error;
    }
    if (isa<memref::DeallocOp>(op))
      freed[root] = op;
  }
  return success();
}
