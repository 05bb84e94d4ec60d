//===- ClearArithmeticFlags.cpp - arithmetic without flags ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/ClearArithmeticFlags.h"

#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMCLEARARITHMETICFLAGS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// The arithmetic that only constraints read: users' operations have
/// constraints before legalization.
static llvm::DenseSet<Operation *>
findArithmeticOfConstraints(ModuleOp module) {
  llvm::DenseSet<Operation *> found;
  // Visits users first, from the end of each block.
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
        !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
          return isa<loom::ConstrainOp>(user) || found.contains(user);
        }))
      found.insert(op);
  });
  return found;
}

/// Notes the flags of what may add products in a loop over memory (mem-16), or
/// combine numbers in any order (sch-3).
static void keepForLoops(Operation *op, arith::FastMathFlagsAttr flags) {
  if (isa<arith::AddFOp, arith::MulFOp>(op) && loom::isOverMemory(op) &&
      op->getParentOfType<LoopLikeOpInterface>() &&
      bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::contract |
                                               arith::FastMathFlags::reassoc))
    op->setAttr(loom::kFastMath, flags);
}

/// Removes the flag of operations whose result would be undefined where a
/// division has a remainder, or a shift loses bits.
static void clearExact(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto it) { it.setIsExact(false); });
}

void legalize::clearArithmeticFlags(ModuleOp module) {
  llvm::DenseSet<Operation *> kept = findArithmeticOfConstraints(module);
  MLIRContext *context = module.getContext();
  module.walk([&](Operation *op) {
    clearExact(op);
    if (auto own = dyn_cast<arith::ArithFastMathInterface>(op))
      if (auto flags = own.getFastMathFlagsAttr();
          flags && flags.getValue() != arith::FastMathFlags::none) {
        keepForLoops(op, flags);
        op->setAttr(
            own.getFastMathAttrName(),
            arith::FastMathFlagsAttr::get(context, arith::FastMathFlags::none));
      }
    // Any other one is refused (UnsupportedOperations).
    if (auto own = dyn_cast<arith::ArithRoundingModeInterface>(op))
      if (auto mode = own.getRoundingModeAttr();
          mode && mode.getValue() == arith::RoundingMode::to_nearest_even)
        op->removeAttr(own.getRoundingModeAttrName());
    auto own = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    if (own && !kept.contains(op) &&
        own.getOverflowAttr().getValue() != arith::IntegerOverflowFlags::none)
      op->setAttr(own.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      context, arith::IntegerOverflowFlags::none));
  });
}

namespace {

struct LoomClearArithmeticFlagsPass
    : legalize::impl::LoomClearArithmeticFlagsBase<
          LoomClearArithmeticFlagsPass> {
  LogicalResult apply(ModuleOp module) override {
    legalize::clearArithmeticFlags(module);
    return success();
  }
};

} // namespace
