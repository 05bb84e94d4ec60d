//===- MakeLaunch.cpp - maps to launches ----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/MakeLaunch.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

BaseMemRefType codegen::getFreshBufferType(Type tensorType) {
  if (auto buffer = dyn_cast<BaseMemRefType>(tensorType))
    return buffer;
  return bufferization::getMemRefTypeWithStaticIdentityLayout(
      cast<TensorType>(tensorType));
}

/// `kinds`, `axes` and `contraction` are attributes; each operation has one of
/// them.
template <typename Op>
static loom::LaunchOp make(RewriterBase &rewriter, Op op, ValueRange inputs,
                           ArrayAttr kinds, DenseI64ArrayAttr axes,
                           loom::ContractionAttr contraction) {
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    types.push_back(getFreshBufferType(type));
  SmallVector<int32_t> slots(types.size(), -1);
  auto launch = loom::LaunchOp::create(rewriter, op.getLoc(), types, inputs,
                                       rewriter.getDenseI32ArrayAttr(slots),
                                       kinds, axes, contraction);
  rewriter.inlineRegionBefore(op.getBody(), launch.getBody(),
                              launch.getBody().end());
  return launch;
}

loom::LaunchOp codegen::makeLaunch(RewriterBase &rewriter, loom::MapOp map,
                                   ValueRange inputs) {
  return make(rewriter, map, inputs, map.getKindsAttr(), {}, {});
}

loom::LaunchOp codegen::makeLaunch(RewriterBase &rewriter,
                                   loom::FusedReductionOp rows,
                                   ValueRange inputs) {
  return make(rewriter, rows, inputs, {}, rows.getAxesAttr(), {});
}

loom::LaunchOp codegen::makeLaunch(RewriterBase &rewriter,
                                   loom::ContractOp contract,
                                   ValueRange inputs) {
  return make(rewriter, contract, inputs, {}, {}, contract.getContraction());
}
