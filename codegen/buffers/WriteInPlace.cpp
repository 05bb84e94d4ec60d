//===- WriteInPlace.cpp - variables that keep their memory ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function takes the value of a variable and returns the next one. Where a
// part of it changes, the memory of the result begins as a copy of the
// argument. Such a result may be in the argument's memory: the caller decides,
// and the copy then has nothing to do (decision 91).
//
// Nothing may read the argument behind the copy.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/buffers/UncalledFunctions.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "dialect/VariableName.h"
#include "runtime/abi/Slots.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMWRITEINPLACE
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

/// A result that is a view of all of its operand's elements.
static Value getSameMemory(Operation *op) {
  return isa<loom::ContiguousOp, memref::CastOp>(op) ? op->getResult(0)
                                                     : Value();
}

/// Uses the memory that a loop hands on unchanged by its name outside.
static void nameCarriedMemory(func::FuncOp func) {
  // Inner loops come first.
  func.walk([](scf::ForOp loop) {
    for (auto [result, inside, given, next] :
         llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs(),
                         loop.getInitArgs(), loop.getYieldedValues()))
      if (isa<MemRefType>(result.getType()) && next == inside) {
        result.replaceAllUsesWith(given);
        inside.replaceAllUsesExcept(given, loop.getBody()->getTerminator());
      }
  });
}

namespace {

/// A variable that a function takes and returns.
class Variable {
public:
  Variable(BlockArgument argument, unsigned result)
      : argument(argument), entry(*argument.getOwner()), result(result) {}

  /// Lets its result be in the memory of its argument, where that is possible.
  void writeInPlace() {
    loom::AllocOp alloc = findMemory();
    memref::CopyOp copy = alloc ? findFirstWrite(alloc) : memref::CopyOp();
    if (!copy || !isReadUpTo(copy))
      return;
    // The argument's memory may get a name behind the allocation.
    alloc->moveBefore(copy);
    alloc.getDestinationMutable().assign(copy.getSource());
    alloc.setSlot(result);
  }

private:
  /// The memory that is allocated for the result.
  loom::AllocOp findMemory() const {
    Value returned = entry.getTerminator()->getOperand(result);
    while (auto cast = returned.getDefiningOp<memref::CastOp>())
      returned = cast.getSource();
    auto alloc = returned.getDefiningOp<loom::AllocOp>();
    if (!alloc || alloc->getBlock() != &entry || alloc.getDestination())
      return {};
    int64_t slot = alloc.getSlotAttr().getInt();
    return slot == int64_t(result) || slot == BROADLOOM_SLOT_TEMPORARY
               ? alloc
               : loom::AllocOp();
  }

  /// The copy to all of the memory that is ahead of all its other uses, if it
  /// is one of the argument.
  memref::CopyOp findFirstWrite(loom::AllocOp alloc) const {
    Operation *first = nullptr;
    for (Operation *user : alloc.getMemref().getUsers()) {
      if (isa<memref::DimOp>(user))
        continue;
      Operation *here = entry.findAncestorOpInBlock(*user);
      if (!here)
        return {};
      if (!first || here->isBeforeInBlock(first))
        first = here;
    }
    auto copy = dyn_cast_or_null<memref::CopyOp>(first);
    if (!copy || copy.getTarget() != alloc.getMemref())
      return {};
    Value source = copy.getSource();
    while (Operation *op = source.getDefiningOp()) {
      if (!getSameMemory(op))
        return {};
      source = op->getOperand(0);
    }
    return source == argument ? copy : memref::CopyOp();
  }

  /// Whether nothing uses the memory of the argument behind `last`.
  bool isReadUpTo(memref::CopyOp last) const {
    SmallVector<Value> names = {argument};
    while (!names.empty())
      for (OpOperand &use : names.pop_back_val().getUses()) {
        Operation *op = use.getOwner();
        Operation *here = entry.findAncestorOpInBlock(*op);
        if (isa<memref::DimOp, loom::ShapeOfOp>(op) || op == last)
          continue;
        if (Value same = getSameMemory(op))
          names.push_back(same);
        else if (!here || !here->isBeforeInBlock(last) || mayHandOn(op))
          return false;
      }
    return true;
  }

  /// Whether a result of the operation may be in the memory of an operand.
  static bool mayHandOn(Operation *op) {
    return !isa<loom::RunOp>(op) &&
           (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0 ||
            llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>));
  }

  BlockArgument argument;
  Block &entry;
  unsigned result;
};

struct LoomWriteInPlacePass
    : codegen::impl::LoomWriteInPlaceBase<LoomWriteInPlacePass> {
  void runOnOperation() override {
    for (func::FuncOp func : codegen::findUncalled(getOperation()))
      if (auto state = func->getAttrOfType<ArrayAttr>(loom::kState);
          state && func.getBody().hasOneBlock() && !loom::isOverMemory(func))
        writeInPlace(func, state);
  }

  static void writeInPlace(func::FuncOp func, ArrayAttr state) {
    auto isInPlace = [](DictionaryAttr variable) {
      return variable.contains("in_place") && variable.contains("written");
    };
    auto variables = state.getAsRange<DictionaryAttr>();
    if (llvm::none_of(variables, isInPlace))
      return;
    nameCarriedMemory(func);
    unsigned argument = func.getNumArguments() - state.size();
    unsigned result = func.getNumResults();
    for (DictionaryAttr variable : variables)
      result -= variable.contains("written");
    for (DictionaryAttr variable : variables) {
      if (isInPlace(variable))
        Variable(func.getArgument(argument), result).writeInPlace();
      ++argument;
      result += variable.contains("written");
    }
  }
};

} // namespace
