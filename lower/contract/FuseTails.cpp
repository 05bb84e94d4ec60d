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

/// The limit of operands of a contraction, which are bits of a word.
static constexpr size_t kMaxOperands = 60;

/// The first map in the text that reads the result of `contract`, if it can be
/// fused; null if there is none. All other users of the sums come after it.
static MapOp findTail(ContractOp contract) {
  if (contract->getNumResults() != 1 || contract->use_empty())
    return {};
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
  if (!map ||
      map.getInputs().size() + contract.getInputs().size() > kMaxOperands)
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

/// The body of `contract` and then that of `map`, whose operands beside the sum
/// are added to `inputs`; yields the results of the map, and the sum itself if
/// `yieldsSum`.
static Block *joinBodies(ContractOp contract, MapOp map,
                         SmallVector<Value> &inputs, bool yieldsSum) {
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
  Value sum =
      mapping.lookup(contract.getBodyBlock().getTerminator()->getOperand(0));
  for (auto [argument, operand] :
       llvm::zip_equal(map.getBodyBlock().getArguments(), map.getInputs())) {
    if (operand == contract.getResult(0)) {
      mapping.map(argument, sum);
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
  if (yieldsSum)
    yielded.push_back(sum);
  loom::YieldOp::create(inner, map.getLoc(), yielded);
  return body;
}

/// Fuses `map` into the contraction, at the position of `map` (sum-2).
static ContractOp fuse(ContractOp contract, MapOp map) {
  bool yieldsSum = llvm::any_of(contract->getUsers(),
                                [&](Operation *user) { return user != map; });
  SmallVector<Value> inputs(contract.getInputs());
  Block *body = joinBodies(contract, map, inputs, yieldsSum);
  SmallVector<Type> types(map.getResultTypes());
  if (yieldsSum)
    types.push_back(contract.getResult(0).getType());
  OpBuilder builder(map);
  auto fused = ContractOp::create(
      builder, contract.getLoc(), types, inputs, contract.getStridesAttr(),
      contract.getDilationsAttr(), contract.getPadsAttr(),
      contract.getZeroPointsAttr(), contract.getPackedAttr(),
      contract.getDepthwiseAttr(), contract.getMaximumAttr(),
      contract.getUnweightedAttr());
  fused.getBody().push_back(body);
  for (auto [old, result] : llvm::zip(map.getResults(), fused.getResults()))
    old.replaceAllUsesWith(result);
  map.erase();
  if (yieldsSum)
    contract.getResult(0).replaceAllUsesWith(fused.getResults().back());
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
