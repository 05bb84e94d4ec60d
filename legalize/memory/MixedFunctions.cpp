//===- MixedFunctions.cpp - functions with tensors and memory -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/MixedFunctions.h"

#include "dialect/LoomDialect.h"
#include "legalize/memory/OperationTypes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace broadloom;

static constexpr StringLiteral passInMemory =
    "it passes tensors on, in a function that works on memory; put them in "
    "memory, or the whole of it in a function without memory";
static constexpr StringLiteral rankTensors =
    "give its tensors' ranks, with '?' for their extents, in a function that "
    "works on memory";
static constexpr StringLiteral useOneKind =
    "it has tensors and memory; take its tensors from memory by "
    "'bufferization.to_tensor', or put them there by 'bufferization.to_buffer'";
static constexpr StringLiteral useTensor =
    "its destination is a tensor; use the tensor that it would store";
static constexpr StringLiteral useOpenLayout =
    "it makes memory of a layout; leave the layout out, or write '?' for its "
    "offset and strides";

template <typename T> static bool has(Operation *op) {
  return legalize::mentionsType(op, llvm::IsaPred<T>);
}

bool legalize::isOnTensorsAlone(Operation *op) {
  return !has<BaseMemRefType>(op) &&
         (has<TensorType>(op) ||
          isa_and_nonnull<loom::LoomDialect, tensor::TensorDialect>(
              op->getDialect()));
}

bool legalize::isBridge(Operation *op) {
  return isa<bufferization::ToTensorOp, bufferization::ToBufferOp,
             bufferization::AllocTensorOp, bufferization::DeallocTensorOp,
             bufferization::CloneOp, bufferization::DeallocOp,
             bufferization::MaterializeInDestinationOp>(op);
}

/// Whether memory that is made has such a type, or can be cast to it.
static bool isOpenOrRowMajor(Type type) {
  auto memory = dyn_cast<MemRefType>(type);
  if (!memory || memory.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(memory.getStridesAndOffset(strides, offset)) &&
         ShapedType::isDynamic(offset) &&
         llvm::all_of(strides, ShapedType::isDynamic);
}

StringRef legalize::findUnsupportedMix(Operation *op) {
  if (isa<bufferization::ToBufferOp, bufferization::CloneOp>(op) &&
      !isOpenOrRowMajor(op->getResult(0).getType()))
    return useOpenLayout;
  if (!has<TensorType>(op) || isa<FunctionOpInterface>(op))
    return {};
  if (has<UnrankedTensorType>(op))
    return rankTensors;
  if (isa<BranchOpInterface>(op))
    return passInMemory;
  if (isa<linalg::LinalgOp, linalg::SoftmaxOp>(op) && has<BaseMemRefType>(op))
    return useOneKind;
  if (isa<bufferization::MaterializeInDestinationOp>(op) &&
      op->getNumResults() != 0)
    return useTensor;
  bool worksOnMemory = false;
  for (Region &region : op->getRegions())
    region.walk(
        [&](Operation *inner) { worksOnMemory |= has<BaseMemRefType>(inner); });
  return worksOnMemory ? StringRef(passInMemory) : StringRef();
}
