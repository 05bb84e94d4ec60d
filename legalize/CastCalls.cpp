//===- CastCalls.cpp - calls whose types differ from the signature --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringMap.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMCASTCALLS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Whether a cast converts one to the other: they differ only in static shape
/// information.
static bool canCast(Type from, Type to) {
  return isa<TensorType>(from) && isa<TensorType>(to) && from != to &&
         tensor::CastOp::areCastCompatible(from, to);
}

/// A cast with the origin and location of `op`.
static Value makeCast(OpBuilder &builder, Operation *op, Type type,
                      Value value) {
  auto cast = tensor::CastOp::create(builder, op->getLoc(), type, value);
  infer::setOrigin(cast, op);
  return cast;
}

static void castOperands(Operation *op, ArrayRef<Type> types) {
  if (op->getNumOperands() != types.size())
    return;
  OpBuilder builder(op);
  for (auto [operand, type] : llvm::zip_equal(op->getOpOperands(), types))
    if (canCast(operand.get().getType(), type))
      operand.set(makeCast(builder, op, type, operand.get()));
}

static void castResults(Operation *op, ArrayRef<Type> types) {
  if (op->getNumResults() != types.size())
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
    Type expected = result.getType();
    if (!canCast(type, expected))
      continue;
    result.setType(type);
    Value cast = makeCast(builder, op, expected, result);
    result.replaceAllUsesExcept(cast, cast.getDefiningOp());
  }
}

/// Casts the arguments of a block that `op` enters with values of these types.
static void castArguments(Operation *op, Block &block, TypeRange types) {
  if (block.getNumArguments() != types.size())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  for (auto [argument, type] : llvm::zip_equal(block.getArguments(), types)) {
    Type expected = argument.getType();
    if (!canCast(type, expected))
      continue;
    argument.setType(type);
    if (argument.use_empty())
      continue;
    Value cast = makeCast(builder, op, expected, argument);
    argument.replaceAllUsesExcept(cast, cast.getDefiningOp());
  }
}

/// Casts the values that `tosa.cond_if` and `tosa.while_loop` pass to and get
/// from their regions: loops iterate with the types of their results.
static void castBranches(Operation *op) {
  bool isLoop = isa<tosa::WhileOp>(op);
  SmallVector<Type> results(op->getResultTypes());
  if (isLoop)
    castOperands(op, results);
  ValueRange given =
      isLoop ? op->getOperands() : op->getOperands().drop_front();
  for (Region &region : op->getRegions()) {
    if (region.empty() || region.front().empty())
      continue;
    castArguments(op, region.front(), given.getTypes());
    bool isCondition = isLoop && region.getRegionNumber() == 0;
    if (auto yield = dyn_cast<tosa::YieldOp>(region.front().back());
        yield && !isCondition)
      castOperands(yield, results);
  }
}

/// Null if the function, which is not verified, has no type.
static FunctionType getSignature(func::FuncOp func) {
  auto type = func->getAttrOfType<TypeAttr>(func.getFunctionTypeAttrName());
  return type ? dyn_cast<FunctionType>(type.getValue()) : FunctionType();
}

namespace {

struct LoomCastCallsPass
    : legalize::impl::LoomCastCallsBase<LoomCastCallsPass> {
  LogicalResult apply(ModuleOp module) override {
    llvm::StringMap<FunctionType> signatures;
    for (auto func : module.getOps<func::FuncOp>()) {
      auto name =
          func->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      FunctionType type = getSignature(func);
      if (!name || !type)
        continue;
      signatures[name.getValue()] = type;
      for (Block &block : func.getBody())
        if (!block.empty())
          if (auto op = dyn_cast<func::ReturnOp>(block.back()))
            castOperands(op, type.getResults());
    }
    module.walk([](Operation *op) {
      if (isa<tosa::IfOp, tosa::WhileOp>(op) && op->getNumOperands() != 0)
        castBranches(op);
    });
    module.walk([&](func::CallOp call) {
      auto callee =
          call->getAttrOfType<FlatSymbolRefAttr>(call.getCalleeAttrName());
      auto it = callee ? signatures.find(callee.getValue()) : signatures.end();
      if (it == signatures.end())
        return;
      castOperands(call, it->second.getInputs());
      castResults(call, it->second.getResults());
    });
    return success();
  }
};

} // namespace
