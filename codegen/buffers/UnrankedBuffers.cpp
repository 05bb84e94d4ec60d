//===- UnrankedBuffers.cpp - tensors of unknown rank to buffers -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/UnrankedBuffers.h"

#include "codegen/buffers/MakeLaunch.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace broadloom;
using namespace broadloom::codegen;

/// The new type of a value of type `type`.
static Type convert(Type type) {
  auto unranked = dyn_cast<UnrankedTensorType>(type);
  return unranked
             ? UnrankedMemRefType::get(unranked.getElementType(), Attribute())
             : type;
}

static SmallVector<Type> convert(TypeRange types) {
  return llvm::map_to_vector(types, [](Type type) { return convert(type); });
}

/// The buffer of a ranked tensor with any strides, for reading. No operation
/// takes over its memory (codegen/buffers/Ownership.h).
static Value makeBuffer(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<TensorType>(tensor.getType());
  return ToBufferOp::create(b, loc, getMemRefTypeWithFullyDynamicLayout(type),
                            tensor, /*read_only=*/true);
}

namespace {

class UnrankedBufferizer {
public:
  explicit UnrankedBufferizer(func::FuncOp func)
      : func(func), rewriter(func.getContext()) {}

  void run() {
    SmallVector<Operation *> work;
    walkAroundMaps(func, [&](Operation *op) {
      if (retype(op))
        work.push_back(op);
    });
    FunctionType type = func.getFunctionType();
    func.setType(FunctionType::get(func.getContext(), convert(type.getInputs()),
                                   convert(type.getResults())));
    for (Operation *op : work) {
      rewriter.setInsertionPoint(op);
      llvm::TypeSwitch<Operation *>(op)
          .Case<loom::MapOp, loom::FusedReductionOp>(
              [&](auto map) { launch(map); })
          .Case<tensor::CastOp, tensor::ReshapeOp>(
              [&](auto it) { replace(it); })
          .Default([&](Operation *other) { replaceQuery(rewriter, other); });
    }
  }

private:
  /// Changes the types of the results and block arguments of `op`. Returns
  /// whether it has or reads such a value; its operands may already have new
  /// types.
  static bool retype(Operation *op) {
    bool concerned = llvm::any_of(op->getOperandTypes(), [](Type type) {
      return isa<UnrankedTensorType, UnrankedMemRefType>(type);
    });
    auto change = [&](Value value) {
      Type type = convert(value.getType());
      concerned |= type != value.getType();
      value.setType(type);
    };
    for (Value result : op->getResults())
      change(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!op->hasTrait<loom::ScalarBody>())
          llvm::for_each(block.getArguments(), change);
    return concerned;
  }

  template <typename Op> void launch(Op map) {
    Location loc = map.getLoc();
    SmallVector<Value> inputs;
    for (Value input : map.getInputs())
      inputs.push_back(isa<TensorType>(input.getType())
                           ? makeBuffer(rewriter, loc, input)
                           : input);
    SmallVector<Type> types(map.getResultTypes());
    loom::LaunchOp launch = makeLaunch(rewriter, map, inputs);
    SmallVector<Value> results;
    for (auto [output, type] : llvm::zip_equal(launch.getOutputs(), types)) {
      results.push_back(output);
      if (isa<TensorType>(type))
        results.back() = ToTensorOp::create(rewriter, loc, type, output,
                                            /*restrict=*/true,
                                            /*writable=*/true);
    }
    rewriter.replaceOp(map, results);
  }

  /// Operands and results may already be buffers, so that accessors that return
  /// tensors must not be called.
  void replace(tensor::CastOp cast) {
    Location loc = cast.getLoc();
    Value source = cast->getOperand(0);
    Type to = cast->getResult(0).getType();
    bool isFrom = isa<BaseMemRefType>(source.getType()),
         isTo = isa<BaseMemRefType>(to);
    if (isFrom && isTo)
      return rewriter.replaceOp(cast, source);
    if (isTo) {
      Value buffer = makeBuffer(rewriter, loc, source);
      rewriter.replaceOpWithNewOp<memref::CastOp>(cast, to, buffer);
      return;
    }
    auto type = mlir::cast<RankedTensorType>(to);
    Value buffer = memref::CastOp::create(
        rewriter, loc, getMemRefTypeWithFullyDynamicLayout(type), source);
    Value tensor = ToTensorOp::create(rewriter, loc, type, buffer,
                                      /*restrict=*/true, /*writable=*/false);
    // Code on memory of known rank is faster on contiguous memory.
    if (!llvm::all_of(cast->getUsers(), readsAnyStrides))
      tensor = loom::ContiguousOp::create(rewriter, loc, type, tensor);
    rewriter.replaceOp(cast, tensor);
  }

  void replace(tensor::ReshapeOp reshape) {
    Location loc = reshape.getLoc();
    auto makeContiguous = [&](Value tensor) -> Value {
      Value rows =
          loom::ContiguousOp::create(rewriter, loc, tensor.getType(), tensor);
      return ToBufferOp::create(rewriter, loc,
                                getFreshBufferType(tensor.getType()), rows,
                                /*read_only=*/true);
    };
    Value source = makeContiguous(reshape->getOperand(0));
    Value shape = makeContiguous(reshape->getOperand(1));
    rewriter.replaceOpWithNewOp<memref::ReshapeOp>(
        reshape, reshape->getResult(0).getType(), source, shape);
  }

  func::FuncOp func;
  IRRewriter rewriter;
};

} // namespace

void codegen::replaceQuery(RewriterBase &rewriter, Operation *op) {
  // The accessor of the operand would expect a tensor.
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    rewriter.replaceOpWithNewOp<memref::DimOp>(dim, op->getOperand(0),
                                               dim.getIndex());
  else if (isa<tensor::RankOp>(op))
    rewriter.replaceOpWithNewOp<memref::RankOp>(op, op->getOperand(0));
}

void codegen::bufferizeUnranked(func::FuncOp func) {
  UnrankedBufferizer(func).run();
}
