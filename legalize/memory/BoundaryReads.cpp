//===- BoundaryReads.cpp - what reads boundaries of memory ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/BoundaryReads.h"

#include "dialect/LoomBoundary.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;

static constexpr StringLiteral writeSource =
    "it writes to a 'loom.boundary', whose elements beyond the ends are no "
    "memory; write to the memory that it is of";
static constexpr StringLiteral readElements =
    "it has an operand of 'loom.boundary', which is no memory of its own; such "
    "an operand is read by loads of 'memref', 'affine' and 'vector', by inputs "
    "of operations of 'linalg' that are loops, and by another 'loom.boundary', "
    "and may be one of a view";

/// The operand is a boundary of memory.
static bool isRead(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.isDpsInput(&operand);
  return isa<memref::LoadOp, memref::DimOp, affine::AffineLoadOp,
             affine::AffineVectorLoadOp, vector::LoadOp, vector::TransferReadOp,
             vector::MaskedLoadOp, vector::GatherOp, vector::ExpandLoadOp,
             loom::BoundaryOp>(op);
}

StringRef legalize::findUnsupportedBoundary(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto boundary = operand.get().getDefiningOp<loom::BoundaryOp>();
    if (!boundary || !boundary.isOfMemory() || isRead(operand))
      continue;
    if (effects &&
        effects.getEffectOnValue<MemoryEffects::Write>(operand.get()))
      return writeSource;
    return readElements;
  }
  return {};
}
