//===- ForwardSums.cpp - sums of tiles where they belong ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/ForwardSums.h"
#include "codegen/memory/CopyNest.h"
#include "codegen/memory/LinearIndex.h"
#include "codegen/memory/MovableValues.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// A scratchpad that is filled, used, and copied back to where it came from.
class SumsScratchpad {
public:
  SumsScratchpad(Value memory, scf::ForOp copy, scf::ForOp nest)
      : memory(memory), copy(copy), nest(nest) {}

  /// False if it is no such scratchpad, which stays then.
  bool forward() {
    if (!cast<MemRefType>(memory.getType()).getLayout().isIdentity() ||
        !readUses() || !isOfSamePlaces() ||
        !llvm::all_of(between, [&](Operation *op) { return isBetween(op); }))
      return false;
    for (Operation *op : between)
      replace(op);
    filled->root.erase();
    emptied->root.erase();
    return true;
  }

private:
  /// Reads what the copy of the nest does with the scratchpad. Nothing outside
  /// of both nests loads from it or stores to it.
  bool readUses() {
    for (OpOperand &use : memory.getUses()) {
      Operation *user = use.getOwner();
      if (!copy->isAncestor(user)) {
        if (!nest->isAncestor(user) && !isa<memref::DeallocOp>(user))
          return false;
        continue;
      }
      if (auto load = dyn_cast<memref::LoadOp>(user)) {
        if (!emptied && (emptied = CopyNest::outOf(load)))
          continue;
      } else if (auto store = dyn_cast<memref::StoreOp>(user);
                 store && store.getMemRef() == memory) {
        if (!filled && (filled = CopyNest::into(store)))
          continue;
      } else {
        return false;
      }
      between.push_back(user);
    }
    return filled && emptied &&
           filled->load.getMemRef() == emptied->store.getMemRef() &&
           filled->root->getBlock() == emptied->root->getBlock() &&
           filled->root->isBeforeInBlock(emptied->root) && isCopiedAlone();
  }

  /// Whether the copy of the nest does nothing else with the other memory: in
  /// between it has what it had in front of the first copy, which sums that are
  /// added to it would change.
  bool isCopiedAlone() {
    Value other = filled->load.getMemRef();
    return llvm::all_of(other.getUsers(), [&](Operation *user) {
      return !copy->isAncestor(user) || user == filled->load ||
             user == emptied->store || isa<memref::DimOp>(user);
    });
  }

  /// Whether both copies have the same elements, each of them one of its own in
  /// the other memory.
  bool isOfSamePlaces() {
    for (auto [to, from] : llvm::zip_equal(filled->axes, emptied->axes))
      if (!areSame(
              {scf::ForOp(to).getLowerBound(), scf::ForOp(to).getUpperBound()},
              {scf::ForOp(from).getLowerBound(),
               scf::ForOp(from).getUpperBound()}))
        return false;
    llvm::SmallDenseSet<Value> seen;
    for (auto [from, to] : llvm::zip_equal(filled->load.getIndices(),
                                           emptied->store.getIndices())) {
      std::optional<LinearIndex> x = LinearIndex::get(from),
                                 y = LinearIndex::get(to);
      if (!x || !y)
        return false;
      unsigned numAxes = 0;
      for (auto [ofFilled, ofEmptied] :
           llvm::zip_equal(filled->axes, emptied->axes)) {
        Value variable = scf::ForOp(ofFilled).getInductionVar();
        int64_t factor = x->getFactor(variable);
        if (factor != 0 &&
            (factor != 1 || ++numAxes > 1 || !seen.insert(variable).second))
          return false;
        for (auto &term : y->terms)
          if (term.first == scf::ForOp(ofEmptied).getInductionVar())
            term.first = variable;
      }
      if (!x->isSame(*y))
        return false;
    }
    return seen.size() == filled->axes.size();
  }

  /// Whether an access is behind the first copy, in front of the second one,
  /// and of elements that these have.
  bool isBetween(Operation *op) {
    Operation *at = filled->root->getBlock()->findAncestorOpInBlock(*op);
    return at && filled->root->isBeforeInBlock(at) &&
           at->isBeforeInBlock(emptied->root) &&
           !filled->findOpenAxis(getIndices(op));
  }

  static ValueRange getIndices(Operation *op) {
    auto load = dyn_cast<memref::LoadOp>(op);
    return load ? load.getIndices() : cast<memref::StoreOp>(op).getIndices();
  }

  /// Lets an access be one of the other memory.
  void replace(Operation *op) {
    OpBuilder b(op);
    IRMapping mapping = filled->mapAxes(getIndices(op));
    SmallVector<Value> operands;
    if (auto store = dyn_cast<memref::StoreOp>(op))
      operands.push_back(store.getValue());
    operands.push_back(filled->load.getMemRef());
    for (Value index : filled->load.getIndices())
      operands.push_back(codegen::compute(b, index, filled->root, mapping));
    op->setOperands(operands);
  }

  Value memory;
  scf::ForOp copy, nest;
  std::optional<CopyNest> filled, emptied;
  /// The loads and stores of what is copied.
  SmallVector<Operation *> between;
};

} // namespace

std::vector<Value> codegen::forwardSums(scf::ForOp copy, scf::ForOp nest) {
  llvm::SetVector<Value> memories;
  copy->walk([&](memref::StoreOp store) {
    Value memory = store.getMemRef();
    if (isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
            memory.getDefiningOp()) &&
        copy.isDefinedOutsideOfLoop(memory))
      memories.insert(memory);
  });
  std::vector<Value> forwarded;
  for (Value memory : memories)
    if (SumsScratchpad(memory, copy, nest).forward())
      forwarded.push_back(memory);
  return forwarded;
}
