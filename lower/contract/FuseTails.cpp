//===- FuseTails.cpp - maps of sums to where the sums are -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomAccess.h"
#include "dialect/LoomDialect.h"
#include "lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMFUSETAILS
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;
using loom::ContractOp;
using loom::MapOp;

/// The limit of operands and results of a contraction, which are bits of a
/// word.
static constexpr size_t kMaxTensors = 60;

/// Whether `user` reads extents alone. The map has the same ones.
static bool readsExtents(Operation *user) {
  return isa<loom::ShapeOfOp, tensor::DimOp>(user);
}

/// Whether the types tell that `input` broadcasts to a result of type `to`.
static bool isKnownToFit(Value input, RankedTensorType to) {
  auto type = dyn_cast<ShapedType>(input.getType());
  if (!type)
    return true;
  if (!type.hasRank() || !type.hasStaticShape() ||
      type.getRank() > to.getRank())
    return false;
  ArrayRef<int64_t> wanted = to.getShape().take_back(type.getRank());
  return llvm::all_of_zip(
      type.getShape(), wanted,
      [](int64_t own, int64_t all) { return own == 1 || own == all; });
}

/// Whether the operation that gives `value` can stand in front of `contract`.
static bool canPrecede(Value value, ContractOp contract) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != contract->getBlock() ||
      op->isBeforeInBlock(contract))
    return true;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return isa<arith::ConstantOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
             op) &&
         (!type || type.hasStaticShape()) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canPrecede(operand, contract);
         });
}

/// Whether the type of `contract` tells each extent that the type of `map`
/// does.
static bool tellsExtents(ContractOp contract, MapOp map) {
  auto own = cast<RankedTensorType>(contract.getResult(0).getType());
  auto wanted = cast<RankedTensorType>(map.getResult(0).getType());
  return llvm::all_of_zip(
      own.getShape(), wanted.getShape(), [](int64_t told, int64_t extent) {
        return ShapedType::isDynamic(extent) || extent == told;
      });
}

/// Whether `map` can be computed where `contract` is. What it reads is there or
/// can be made there, and either types tell that it fits, or no guard does. An
/// extent that only the type of the map tells may be what a guard proves.
static bool canPrecede(MapOp map, ContractOp contract) {
  bool hasGuards = false;
  for (Operation *op = contract->getNextNode(); op != map;
       op = op->getNextNode())
    hasGuards |= !isMemoryEffectFree(op) ||
                 (op->getNumRegions() != 0 && !isa<MapOp, ContractOp>(op));
  if (hasGuards && !tellsExtents(contract, map))
    return false;
  auto result = cast<RankedTensorType>(contract.getResult(0).getType());
  return llvm::all_of(map.getInputs(), [&](Value input) {
    return input.getDefiningOp() == contract ||
           (canPrecede(input, contract) &&
            (!hasGuards || isKnownToFit(input, result)));
  });
}

/// Moves the operation that gives `value` in front of `contract`.
static void precede(Value value, ContractOp contract) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != contract->getBlock() ||
      op->isBeforeInBlock(contract))
    return;
  for (Value operand : op->getOperands())
    precede(operand, contract);
  op->moveBefore(contract);
}

namespace {
/// A map that is computed with the sums, and whether that has to be where the
/// sums are, since something between reads their extents.
struct Tail {
  MapOp map;
  bool precedes = false;
};
} // namespace

/// The first map in the text that reads a result of `contract`, if it can be
/// fused; null if there is none. All other users of the results come after it,
/// or read extents.
static Tail findTail(ContractOp contract) {
  MapOp map;
  Block *block = contract->getBlock();
  for (Operation *user : contract->getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!ancestor)
      return {};
    auto own = dyn_cast<MapOp>(user);
    if (own && own->getBlock() == block && (!map || own->isBeforeInBlock(map)))
      map = own;
  }
  if (!map || map.getInputs().size() + map.getNumResults() +
                      contract.getInputs().size() + contract.getNumResults() >
                  kMaxTensors)
    return {};
  bool precedes = false;
  for (OpOperand &use : contract->getUses()) {
    if (use.getOwner() == map) {
      if (!loom::hasShapeOfMap(map, use.getOperandNumber()))
        return {};
      continue;
    }
    if (!block->findAncestorOpInBlock(*use.getOwner())->isBeforeInBlock(map))
      continue;
    if (!readsExtents(use.getOwner()))
      return {};
    precedes = true;
  }
  int64_t rank =
      cast<RankedTensorType>(contract.getResult(0).getType()).getRank();
  for (Value input : map.getInputs())
    if (auto type = dyn_cast<ShapedType>(input.getType());
        type && (!isa<RankedTensorType>(type) || type.getRank() > rank))
      return {};
  if (precedes && !canPrecede(map, contract))
    return {};
  return {map, precedes};
}

/// The results of `contract` whose elements others than `map` read.
static SmallVector<OpResult> findKept(ContractOp contract, MapOp map) {
  return llvm::filter_to_vector(contract->getResults(), [&](OpResult result) {
    return llvm::any_of(result.getUsers(), [&](Operation *user) {
      return user != map && !readsExtents(user);
    });
  });
}

/// The body of `contract` and then that of `map`, whose operands beside the
/// results of `contract` are added to `inputs`; yields the results of the map,
/// and then those of `contract` that are `kept`.
static Block *joinBodies(ContractOp contract, MapOp map,
                         SmallVector<Value> &inputs, ArrayRef<OpResult> kept) {
  auto *body = new Block();
  IRMapping mapping;
  auto addArgument = [&](BlockArgument argument) {
    mapping.map(argument,
                body->addArgument(argument.getType(), argument.getLoc()));
  };
  llvm::for_each(contract.getBodyBlock().getArguments(), addArgument);
  OpBuilder inner(contract.getContext());
  inner.setInsertionPointToEnd(body);
  for (Operation &op : contract.getBodyBlock().without_terminator())
    inner.clone(op, mapping);
  Operation *ends = contract.getBodyBlock().getTerminator();
  auto computed = [&](OpResult result) {
    return mapping.lookup(ends->getOperand(result.getResultNumber()));
  };
  for (auto [argument, operand] :
       llvm::zip_equal(map.getBodyBlock().getArguments(), map.getInputs())) {
    if (operand.getDefiningOp() == contract) {
      mapping.map(argument, computed(cast<OpResult>(operand)));
      continue;
    }
    inputs.push_back(operand);
    addArgument(argument);
  }
  for (Operation &op : map.getBodyBlock().without_terminator())
    inner.clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : map.getBodyBlock().getTerminator()->getOperands())
    yielded.push_back(mapping.lookup(value));
  for (OpResult result : kept)
    yielded.push_back(computed(result));
  loom::YieldOp::create(inner, map.getLoc(), yielded);
  return body;
}

/// `value` with the extents that the type of `like` tells.
static Value castShape(OpBuilder &builder, Value value, Value like) {
  Type element = cast<ShapedType>(value.getType()).getElementType();
  Type wanted = cast<RankedTensorType>(like.getType()).clone(element);
  if (wanted == value.getType())
    return value;
  return tensor::CastOp::create(builder, value.getLoc(), wanted, value);
}

/// Fuses the map into the contraction (sum-2), at the position of the map where
/// nothing in front of that reads extents.
static ContractOp fuse(ContractOp contract, Tail tail) {
  MapOp map = tail.map;
  if (tail.precedes) {
    for (Value input : map.getInputs())
      if (input.getDefiningOp() != contract)
        precede(input, contract);
    map->moveAfter(contract);
  }
  SmallVector<OpResult> kept = findKept(contract, map);
  SmallVector<Value> inputs(contract.getInputs());
  Block *body = joinBodies(contract, map, inputs, kept);
  SmallVector<Type> types(map.getResultTypes());
  for (OpResult result : kept)
    types.push_back(result.getType());
  OpBuilder builder(map);
  auto fused = ContractOp::create(
      builder, contract.getLoc(), types, inputs, contract.getStridesAttr(),
      contract.getDilationsAttr(), contract.getPadsAttr(),
      contract.getZeroPointsAttr(), contract.getPackedAttr(),
      contract.getKindAttr(), contract.getPaddingModeAttr(),
      contract.getGroupsAttr());
  fused.getBody().push_back(body);
  size_t count = map.getNumResults();
  map.replaceAllUsesWith(fused.getResults().take_front(count));
  map.erase();
  builder.setInsertionPointAfter(fused);
  for (auto [old, result] :
       llvm::zip_equal(kept, fused.getResults().drop_front(count)))
    old.replaceAllUsesWith(result);
  for (OpResult old : contract->getResults())
    if (!old.use_empty())
      old.replaceAllUsesWith(castShape(builder, fused.getResult(0), old));
  contract.erase();
  return fused;
}

namespace {

struct LoomFuseTailsPass : lower::impl::LoomFuseTailsBase<LoomFuseTailsPass> {
  void runOnOperation() override {
    SmallVector<ContractOp> contracts;
    getOperation()->walk(
        [&](ContractOp contract) { contracts.push_back(contract); });
    // Later ones first: a map of two contractions is fused with the later one,
    // so that no other moves after it.
    for (ContractOp contract : llvm::reverse(contracts))
      for (Tail tail = findTail(contract); tail.map; tail = findTail(contract))
        contract = fuse(contract, tail);
  }
};

} // namespace
