//===- UnrankedMemory.cpp - memory without a rank -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/UnrankedMemory.h"

#include "dialect/MemoryViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;

static bool hasNoRank(Value value) {
  return isa<UnrankedMemRefType>(value.getType());
}

/// A cast from unranked memory, the rank of memory, and an extent of it. A cast
/// to another rank stays, and is refused.
static void seeCasts(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<memref::CastOp, memref::DimOp, memref::RankOp>(op))
      ops.push_back(op);
  });
  SmallVector<memref::CastOp> casts;
  for (Operation *op : ops) {
    if (auto cast = dyn_cast<memref::CastOp>(op)) {
      Value ranked = loom::getRanked(cast.getSource());
      auto to = dyn_cast<MemRefType>(cast.getType());
      bool isUnused = cast->use_empty();
      if (!to && cast.getType() == cast.getSource().getType())
        cast.replaceAllUsesWith(cast.getSource());
      // One that nobody uses stays, and is verified.
      if (!to && !isUnused)
        casts.push_back(cast);
      else if (to && hasNoRank(cast.getSource()) && ranked &&
               mlir::cast<MemRefType>(ranked.getType()).getRank() ==
                   to.getRank())
        cast.getSourceMutable().assign(ranked);
    } else if (auto dim = dyn_cast<memref::DimOp>(op)) {
      if (Value ranked = loom::getRanked(dim.getSource()))
        dim.getSourceMutable().assign(ranked);
    } else if (auto rank = dyn_cast<memref::RankOp>(op)) {
      Value ranked = loom::getRanked(rank.getMemref());
      if (!ranked)
        continue;
      OpBuilder builder(rank);
      rank.replaceAllUsesWith(Value(arith::ConstantIndexOp::create(
          builder, rank.getLoc(),
          mlir::cast<MemRefType>(ranked.getType()).getRank())));
      rank.erase();
    }
  }
  for (memref::CastOp cast : llvm::reverse(casts))
    if (cast->use_empty())
      cast.erase();
}

/// The first operation of the block that may do more than read memory, or the
/// last one. An assertion is a program's own message about its arguments.
static Operation *findFirstEffect(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (isa<cf::AssertOp>(op))
      continue;
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(&op);
    if (!effects || llvm::any_of(*effects, [](const auto &effect) {
          return !isa<MemoryEffects::Read>(effect.getEffect());
        }))
      return &op;
  }
  return &block.back();
}

/// Makes the rank of `memory`, which the call tells, one number.
static void askRank(Value memory, OpBuilder builder) {
  SmallVector<memref::CastOp> casts;
  SmallVector<memref::RankOp> ranks;
  bool isAsked = false;
  for (Operation *user : memory.getUsers()) {
    if (auto cast = dyn_cast<memref::CastOp>(user);
        cast && isa<MemRefType>(cast.getType()))
      casts.push_back(cast);
    if (auto rank = dyn_cast<memref::RankOp>(user))
      ranks.push_back(rank);
    isAsked |= isa<memref::CastOp, memref::RankOp, memref::DimOp>(user);
  }
  if (!isAsked)
    return;
  auto rank = memref::RankOp::create(builder, memory.getLoc(), memory);
  for (memref::RankOp other : ranks) {
    other.replaceAllUsesWith(rank.getResult());
    other.erase();
  }
  Block *block = memory.getParentBlock();
  Operation *first =
      isa<BlockArgument>(memory) ? findFirstEffect(*block) : nullptr;
  for (memref::CastOp cast : casts) {
    auto type = mlir::cast<MemRefType>(cast.getType());
    SmallVector<int64_t> open(type.getRank(), ShapedType::kDynamic);
    auto least = MemRefType::get(open, type.getElementType());
    // The rank of an argument is checked before anything is written (rt-1).
    Operation *at = cast;
    if (first && cast->getBlock() == block && first->isBeforeInBlock(cast))
      at = first;
    OpBuilder before(at);
    Value ranked = memref::CastOp::create(before, cast.getLoc(), least, memory);
    if (type != least) {
      cast.getSourceMutable().assign(ranked);
      continue;
    }
    cast.replaceAllUsesWith(ranked);
    cast.erase();
  }
}

void legalize::seeRanks(ModuleOp module) {
  seeCasts(module);
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isDeclaration())
      continue;
    Block &entry = func.getBody().front();
    for (BlockArgument argument : entry.getArguments())
      if (hasNoRank(argument))
        askRank(argument, OpBuilder::atBlockBegin(&entry));
    SmallVector<func::CallOp> calls;
    func.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls)
      for (Value result : call.getResults())
        if (hasNoRank(result)) {
          OpBuilder builder(call);
          builder.setInsertionPointAfter(call);
          askRank(result, builder);
        }
  }
}
