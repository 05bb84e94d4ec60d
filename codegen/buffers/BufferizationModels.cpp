//===- BufferizationModels.cpp - what loom reads and makes ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The models by which upstream's bufferization converts operations of `loom` on
// tensors to operations on buffers.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/buffers/MakeLaunch.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// The common model of loom's operations on tensors: they read their operands,
/// write to none, and their results are new row-major memory.
template <typename Model, typename Op>
struct ReadingModel : BufferizableOpInterface::ExternalModel<Model, Op> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(getFreshBufferType(value.getType()));
  }
};

/// The model of a map, a fused reduction, or a contraction, which reads most of
/// its operands in row-major order.
template <typename Op> struct LaunchModel : ReadingModel<LaunchModel<Op>, Op> {
  bool bufferizesToAllocation(Operation *, Value) const { return true; }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto map = cast<Op>(op);
    SmallVector<Value> inputs;
    for (OpOperand &operand : op->getOpOperands()) {
      Value input = operand.get();
      if (!isa<TensorType>(input.getType())) {
        inputs.push_back(input);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, input, options, state);
      if (failed(buffer))
        return failure();
      inputs.push_back(*buffer);
      auto type = dyn_cast<MemRefType>(buffer->getType());
      if (isa<loom::ContractOp>(op) && !isReadWithAnyStrides(operand) && type &&
          !type.getLayout().isIdentity())
        inputs.back() = loom::ContiguousOp::create(
            rewriter, op->getLoc(), getFreshBufferType(input.getType()),
            *buffer);
    }
    loom::LaunchOp launch = makeLaunch(rewriter, map, inputs);
    replaceOpWithBufferizedValues(rewriter, op, launch.getOutputs());
    return success();
  }
};

struct TransposedModel : ReadingModel<TransposedModel, loom::TransposedOp> {
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Unknown}};
  }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(
        getMemRefTypeWithFullyDynamicLayout(cast<TensorType>(value.getType())));
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto transposed = cast<loom::TransposedOp>(op);
    FailureOr<Value> buffer =
        getBuffer(rewriter, transposed.getSource(), options, state);
    if (failed(buffer))
      return failure();
    SmallVector<unsigned> order(transposed.getOrder().begin(),
                                transposed.getOrder().end());
    replaceOpWithNewBufferizedOp<memref::TransposeOp>(
        rewriter, op, *buffer,
        AffineMapAttr::get(
            AffineMap::getPermutationMap(order, op->getContext())));
    return success();
  }
};

struct ContiguousModel : ReadingModel<ContiguousModel, loom::ContiguousOp> {
  // The result may be the operand's memory, so that a write to the result would
  // write to the operand.
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Equivalent,
             /*isDefinite=*/false}};
  }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(getFreshBufferType(value.getType()));
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto contiguous = cast<loom::ContiguousOp>(op);
    FailureOr<Value> buffer =
        getBuffer(rewriter, contiguous.getSource(), options, state);
    if (failed(buffer))
      return failure();
    Type type = getFreshBufferType(contiguous.getType());
    if (buffer->getType() == type)
      replaceOpWithBufferizedValues(rewriter, op, *buffer);
    else
      replaceOpWithNewBufferizedOp<loom::ContiguousOp>(rewriter, op, type,
                                                       *buffer);
    return success();
  }
};

struct ShapeOfModel : ReadingModel<ShapeOfModel, loom::ShapeOfOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto shapeOf = cast<loom::ShapeOfOp>(op);
    FailureOr<Value> buffer =
        getBuffer(rewriter, shapeOf.getTensor(), options, state);
    if (failed(buffer))
      return failure();
    replaceOpWithNewBufferizedOp<loom::ShapeOfOp>(rewriter, op,
                                                  shapeOf.getType(), *buffer);
    return success();
  }
};

struct RequireFunctionModel
    : ReadingModel<RequireFunctionModel, loom::RequireFunctionOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    for (OpOperand &input : op->getOpOperands()) {
      if (!isa<TensorType>(input.get().getType()))
        continue;
      FailureOr<Value> buffer =
          getBuffer(rewriter, input.get(), options, state);
      if (failed(buffer))
        return failure();
      rewriter.modifyOpInPlace(op, [&] { input.set(*buffer); });
    }
    return success();
  }
};

/// The destinations are written and not read.
template <typename Op>
struct RuntimeCallModel
    : DstBufferizableOpInterfaceExternalModel<RuntimeCallModel<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return cast<Op>(op).isDpsInput(&operand);
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    int64_t inputs = cast<Op>(op).getNumDpsInputs();
    Op::create(rewriter, op->getLoc(), TypeRange(), buffers, op->getAttrs());
    replaceOpWithBufferizedValues(rewriter, op,
                                  ArrayRef(buffers).drop_front(inputs));
    return success();
  }
};

struct AnyModel : ReadingModel<AnyModel, loom::AnyOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto any = cast<loom::AnyOp>(op);
    FailureOr<Value> buffer =
        getBuffer(rewriter, any.getFlags(), options, state);
    if (failed(buffer))
      return failure();
    rewriter.modifyOpInPlace(op,
                             [&] { any.getFlagsMutable().assign(*buffer); });
    return success();
  }
};

} // namespace

void codegen::registerBufferizationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, loom::LoomDialect *) {
    loom::MapOp::attachInterface<LaunchModel<loom::MapOp>>(*context);
    loom::FusedReductionOp::attachInterface<
        LaunchModel<loom::FusedReductionOp>>(*context);
    loom::ContractOp::attachInterface<LaunchModel<loom::ContractOp>>(*context);
    loom::ContiguousOp::attachInterface<ContiguousModel>(*context);
    loom::TransposedOp::attachInterface<TransposedModel>(*context);
    loom::ShapeOfOp::attachInterface<ShapeOfModel>(*context);
    loom::AnyOp::attachInterface<AnyModel>(*context);
    loom::SortOp::attachInterface<RuntimeCallModel<loom::SortOp>>(*context);
    loom::LinearAlgebraOp::attachInterface<
        RuntimeCallModel<loom::LinearAlgebraOp>>(*context);
    loom::RequireFunctionOp::attachInterface<RequireFunctionModel>(*context);
  });
}
