//===- FuseTails.cpp - maps of sums to where the sums are -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomAccess.h"
#include "lower/Passes.h"

#include "mlir/IR/IRMapping.h"

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

/// The first map in the text that reads a result of `contract`, if it can be
/// fused; null if there is none. All other users of the results come after it.
static MapOp findTail(ContractOp contract) {
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
  for (OpOperand &use : contract->getUses()) {
    if (use.getOwner() == map) {
      if (!loom::hasShapeOfMap(map, use.getOperandNumber()))
        return {};
      continue;
    }
    if (block->findAncestorOpInBlock(*use.getOwner())->isBeforeInBlock(map))
      return {};
  }
  int64_t rank =
      cast<RankedTensorType>(contract.getResult(0).getType()).getRank();
  for (Value input : map.getInputs())
    if (auto type = dyn_cast<ShapedType>(input.getType());
        type && (!isa<RankedTensorType>(type) || type.getRank() > rank))
      return {};
  return map;
}

/// The results of `contract` that others than `map` read.
static SmallVector<OpResult> findKept(ContractOp contract, MapOp map) {
  return llvm::filter_to_vector(contract->getResults(), [&](OpResult result) {
    return llvm::any_of(result.getUsers(),
                        [&](Operation *user) { return user != map; });
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

/// Fuses `map` into the contraction, at the position of `map` (sum-2).
static ContractOp fuse(ContractOp contract, MapOp map) {
  SmallVector<OpResult> kept = findKept(contract, map);
  SmallVector<Value> inputs(contract.getInputs());
  Block *body = joinBodies(contract, map, inputs, kept);
  SmallVector<Type> types(map.getResultTypes());
  for (OpResult result : kept)
    types.push_back(result.getType());
  OpBuilder builder(map);
  auto fused =
      ContractOp::create(builder, contract.getLoc(), types, inputs,
                         contract.getStridesAttr(), contract.getDilationsAttr(),
                         contract.getPadsAttr(), contract.getZeroPointsAttr(),
                         contract.getPackedAttr(), contract.getKindAttr());
  fused.getBody().push_back(body);
  size_t count = map.getNumResults();
  map.replaceAllUsesWith(fused.getResults().take_front(count));
  map.erase();
  for (auto [old, result] :
       llvm::zip_equal(kept, fused.getResults().drop_front(count)))
    old.replaceAllUsesWith(result);
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
      while (MapOp map = findTail(contract))
        contract = fuse(contract, map);
  }
};

} // namespace
