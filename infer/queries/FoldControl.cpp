//===- FoldControl.cpp - branches and loops that are decided --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Iterations.h"
#include "infer/queries/FoldElements.h"

#include "dialect/LoomDialect.h"
#include "infer/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMFOLDELEMENTS
#include "infer/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The number of a constant of one element; nothing for any other value.
static std::optional<APInt> getNumber(Value value) {
  Attribute constant = getIntegers(value);
  if (auto number = dyn_cast_or_null<IntegerAttr>(constant))
    return number.getValue();
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(constant);
  if (!dense || dense.getNumElements() != 1)
    return std::nullopt;
  return *dense.value_begin<APInt>();
}

namespace {

class ControlFolder {
public:
  /// Operands come before their users.
  void fold(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (!foldControl(&op) && !foldElementsOf(&op))
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            fold(inner);
  }

private:
  /// Whether `op` was replaced.
  bool foldControl(Operation *op) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return takeBranch(op, branch.getCondition(), branch.getThenRegion(),
                        branch.getElseRegion(), {});
    if (auto branch = dyn_cast<tosa::IfOp>(op))
      return takeBranch(op, branch.getCondition(), branch.getThenGraph(),
                        branch.getElseGraph(), branch.getInputList());
    if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
      return takeCase(choice);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return takeIterations(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return takeIterations(loop, loop.getBefore(), loop.getAfter());
    if (auto loop = dyn_cast<tosa::WhileOp>(op))
      return takeIterations(loop, loop.getCondGraph(), loop.getBodyGraph());
    return false;
  }

  bool takeBranch(Operation *op, Value condition, Region &yes, Region &no,
                  ValueRange arguments) {
    std::optional<APInt> truth = getNumber(condition);
    if (truth)
      replaceBy(op, truth->isZero() ? no : yes, arguments);
    return truth.has_value();
  }

  bool takeCase(scf::IndexSwitchOp choice) {
    std::optional<APInt> number = getNumber(choice.getArg());
    if (!number)
      return false;
    ArrayRef<int64_t> cases = choice.getCases();
    auto found = llvm::find(cases, number->getSExtValue());
    replaceBy(choice,
              found == cases.end()
                  ? choice.getDefaultRegion()
                  : choice.getCaseRegions()[found - cases.begin()],
              {});
    return true;
  }

  /// Replaces a loop by its iterations if its condition is known in each of
  /// them and they are few; does nothing otherwise. Returns whether it did.
  bool takeIterations(Operation *loop, Region &condition, Region &body) {
    Operation *before = loop->getPrevNode();
    size_t budget = left;
    if (tryIterations(loop, condition, body))
      return true;
    while (loop->getPrevNode() != before)
      loop->getPrevNode()->erase();
    wasted += budget - left;
    left = budget;
    return false;
  }

  /// Puts iterations before the loop, and erases it if these are all. Returns
  /// whether they are.
  bool tryIterations(Operation *loop, Region &condition, Region &body) {
    SmallVector<Value> carried(loop->getOperands());
    auto take = [&](Region &region, ValueRange arguments) {
      size_t size = 0;
      region.walk([&](Operation *) { ++size; });
      left -= std::min(size, left);
      return inlineCopy(loop, region, arguments);
    };
    for (uint64_t iterations = 0; iterations <= kMaxIterations; ++iterations) {
      if (left == 0 || wasted > kMaxWasted)
        return false;
      SmallVector<Value> passed = take(condition, carried);
      std::optional<APInt> goesOn = getNumber(passed.front());
      if (!goesOn)
        return false;
      // A condition of tosa yields nothing else, and both of its regions get
      // the same values.
      if (isa<tosa::WhileOp>(loop))
        passed = carried;
      else
        passed.erase(passed.begin());
      if (goesOn->isZero()) {
        loop->replaceAllUsesWith(passed);
        loop->erase();
        return true;
      }
      carried = take(body, passed);
    }
    return false;
  }

  SmallVector<Value> inlineCopy(Operation *op, Region &region,
                                ValueRange arguments) {
    Region copy;
    IRMapping mapping;
    region.cloneInto(&copy, mapping);
    return inlineBefore(op, copy, arguments);
  }

  /// Inlines `region` with these arguments before `op`, and returns the values
  /// that it yields.
  SmallVector<Value> inlineBefore(Operation *op, Region &region,
                                  ValueRange arguments) {
    Block &block = region.front();
    for (auto [argument, value] :
         llvm::zip_equal(block.getArguments(), arguments))
      argument.replaceAllUsesWith(value);
    fold(block);
    Operation *end = block.getTerminator();
    SmallVector<Value> passed(end->getOperands());
    end->erase();
    op->getBlock()->getOperations().splice(op->getIterator(),
                                           block.getOperations());
    return passed;
  }

  void replaceBy(Operation *op, Region &region, ValueRange arguments) {
    if (!region.empty())
      op->replaceAllUsesWith(inlineBefore(op, region, arguments));
    op->erase();
  }

  /// Unrolls a loop of few iterations.
  bool takeIterations(scf::ForOp loop) {
    std::optional<APInt> from = getNumber(loop.getLowerBound()),
                         to = getNumber(loop.getUpperBound()),
                         step = getNumber(loop.getStep());
    bool isUnsigned = loop.getUnsignedCmp();
    if (!from || !to || !step || from->getBitWidth() > 64 || step->isZero() ||
        (!isUnsigned && step->isNegative()))
      return false;
    Iterations iterations(from->getSExtValue(), to->getSExtValue(),
                          step->getSExtValue(), from->getBitWidth(),
                          isUnsigned);
    if (iterations.isMoreThan(kMaxIterations))
      return false;
    size_t size = 0;
    loop->walk([&](Operation *) { ++size; });
    if (size * iterations.count() > left)
      return false;
    left -= size * iterations.count();
    unroll(loop, iterations);
    return true;
  }

  void unroll(scf::ForOp loop, const Iterations &iterations) {
    OpBuilder builder(loop);
    Type type = loop.getInductionVar().getType();
    SmallVector<Value> carried(loop.getInitArgs());
    for (uint64_t i = 0; i < iterations.count(); ++i) {
      Value at = arith::ConstantOp::create(
          builder, loop.getLoc(),
          builder.getIntegerAttr(type, iterations.getIndex(i)));
      SmallVector<Value> arguments = {at};
      llvm::append_range(arguments, carried);
      carried = inlineCopy(loop, loop.getRegion(), arguments);
    }
    loop->replaceAllUsesWith(carried);
    loop.erase();
  }

  /// The most iterations of a loop that are unrolled.
  static constexpr uint64_t kMaxIterations = 64;
  /// The most operations of attempts that came to nothing.
  static constexpr size_t kMaxWasted = 1 << 14;
  size_t wasted = 0;
  /// How many operations unrolling may still create.
  size_t left = 1 << 14;
};

struct LoomFoldElementsPass
    : infer::impl::LoomFoldElementsBase<LoomFoldElementsPass> {
  void runOnOperation() override {
    ControlFolder folder;
    for (Block &block : getOperation().getBody())
      folder.fold(block);
  }
};

} // namespace
