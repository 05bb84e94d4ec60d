//===- GroupCalls.cpp - operations that share a runtime call --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/GroupCalls.h"

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Operations by what they make: launches, and casts of their results.
using Names = llvm::SmallPtrSet<Operation *, 8>;

/// Whether `op` computes nothing that takes time: another name of memory, or
/// numbers for that.
static bool isName(Operation *op) {
  return isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::GetGlobalOp, memref::SubViewOp, memref::ViewOp>(op) ||
         (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
          isSpeculatable(op));
}

static bool readsAny(Operation *op, const Names &made) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return made.contains(operand.getDefiningOp());
  });
}

/// Whether `op`, a launch, a release or a site, shares a runtime call with
/// `before` and what is there already, which makes `made`: between them stand
/// names of other values, and casts of theirs, which only the runtime reads.
static bool followsAtOnce(Operation *before, Operation *op, Names &made) {
  if (!before->hasTrait<loom::LaunchStep>() ||
      !op->hasTrait<loom::LaunchStep>() || before->getBlock() != op->getBlock())
    return false;
  for (Operation *next = before->getNextNode(); next != op;
       next = next->getNextNode()) {
    if (!next || !isName(next))
      return false;
    if (!readsAny(next, made))
      continue;
    if (!isa<memref::CastOp>(next))
      return false;
    made.insert(next);
  }
  return true;
}

/// Moves names between operations that share a call before the first of them,
/// because the call reads them.
static void hoistNames(ArrayRef<Operation *> ops) {
  if (ops.size() < 2)
    return;
  Names made(ops.begin(), ops.end());
  for (Operation *op = ops.front(); op != ops.back();) {
    Operation *next = op->getNextNode();
    if (isName(op)) {
      if (readsAny(op, made))
        made.insert(op);
      else
        op->moveBefore(ops.front());
    }
    op = next;
  }
}

SmallVector<SharedCall> codegen::groupCalls(func::FuncOp func) {
  SmallVector<SharedCall> calls;
  Names made;
  func.walk([&](Operation *op) {
    if (isa<func::FuncOp>(op) || isName(op))
      return;
    if (!calls.empty() && followsAtOnce(calls.back().back(), op, made)) {
      calls.back().push_back(op);
    } else {
      calls.push_back({op});
      made.clear();
    }
    made.insert(op);
  });
  for (ArrayRef<Operation *> ops : calls)
    hoistNames(ops);
  return calls;
}
