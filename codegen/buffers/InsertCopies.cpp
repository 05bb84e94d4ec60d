//===- InsertCopies.cpp - copies before writes to memory ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/InsertCopies.h"

#include "codegen/buffers/MakeLaunch.h"
#include "codegen/buffers/Ownership.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace broadloom;
using namespace broadloom::codegen;

/// Whether the memory of the used value may be written: by the operation
/// itself, or by a user of a value to which it passes the memory.
static bool mayBeWritten(OpOperand &use, codegen::Ownership &ownership) {
  if (!isa<RankedTensorType>(use.get().getType()))
    return false;
  if (writesTo(use))
    return true;
  auto targets = getTargets(use);
  return (isa<scf::ForallOp>(use.getOwner()) && !targets.empty()) ||
         llvm::any_of(targets, [&](Value target) {
           return ownership.wantsOwnership(target);
         });
}

/// Whether an operation of linalg may leave elements of this destination as
/// they are: only where each loop goes along an axis of its own, each element
/// is written. Upstream's analysis takes all for written.
static bool keepsElements(OpOperand &use) {
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return op && op.isDpsInit(&use) &&
         !op.getMatchingIndexingMap(&use).isPermutation();
}

/// Whether `use` depends on what is in the memory.
static bool readsContents(OpOperand &use, const AnalysisState &state) {
  if (use.get().getDefiningOp<tensor::EmptyOp>())
    return false;
  if (keepsElements(use))
    return true;
  auto op = dyn_cast<BufferizableOpInterface>(use.getOwner());
  return !op || !writesTo(use) || op.bufferizesToMemoryRead(use, state);
}

/// Gives `use` memory of its own, with the same contents if it reads them.
static void copy(OpOperand &use, const AnalysisState &state) {
  Operation *op = use.getOwner();
  OpBuilder b(op);
  Value value = use.get();
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>()) {
    use.set(b.clone(*empty)->getResult(0));
    return;
  }
  auto type = cast<RankedTensorType>(value.getType());
  // Upstream would allocate the copy with the dynamic extents of the copied
  // buffer's type. That type may be more static than `type`: the result of a
  // call has its callee's type.
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      extents.push_back(tensor::DimOp::create(b, op->getLoc(), value, axis));
  Value memory = AllocTensorOp::create(b, op->getLoc(), type, extents, Value());
  if (readsContents(use, state))
    memory =
        MaterializeInDestinationOp::create(b, op->getLoc(), type, value, memory)
            .getResult();
  use.set(memory);
}

void codegen::insertCopies(func::FuncOp func) {
  codegen::Ownership ownership;
  SmallVector<OpOperand *> copied;
  // All copies are decided before the function changes.
  walkAroundMaps(func, [&](Operation *op) {
    for (OpOperand &use : op->getOpOperands())
      if (mayBeWritten(use, ownership) && !ownership.canTakeOver(use))
        copied.push_back(&use);
  });
  BufferizationOptions options;
  AnalysisState state(options);
  for (OpOperand *use : copied)
    copy(*use, state);
}
