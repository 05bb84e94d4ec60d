//===- LoopEdit.cpp - what edits of loops share ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopEdit.h"

#include "codegen/memory/LoopConditions.h"
#include "codegen/schedule/LoopParts.h"
#include "codegen/schedule/MovedBounds.h"
#include "dialect/LoomDialect.h"
#include "infer/functions/Origin.h"
#include "legalize/memory/LoopReport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

Loops LoopEdit::refuse(const Twine &text, Operation *op) {
  because = text.str();
  culprit = op;
  return {};
}

Value LoopEdit::getNumber(int64_t value, Location loc) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// The name of a loop, or of its variable; empty if neither has one.
static std::string getGivenName(scf::ForOp loop) {
  if (auto name = loop->getAttrOfType<StringAttr>(loom::kLoopName))
    return name.getValue().str();
  std::string variable = legalize::getVariableName(loop);
  return variable.empty() ? variable : variable.substr(1);
}

SmallVector<std::string> codegen::nameDimensions(ArrayRef<scf::ForOp> loops) {
  llvm::StringSet<> given, taken;
  if (!loops.empty())
    scf::ForOp(loops.front())->walk([&](scf::ForOp inner) {
      given.insert(getGivenName(inner));
    });
  SmallVector<std::string> names;
  for (auto [depth, loop] : llvm::enumerate(loops)) {
    std::string own = getGivenName(loop),
                base = own.empty() ? "i" + std::to_string(depth) : own,
                name = base;
    for (int64_t count = 2;
         taken.contains(name) || (name != own && given.contains(name)); ++count)
      name = base + "_" + std::to_string(count);
    taken.insert(name);
    names.push_back(std::move(name));
  }
  return names;
}

void codegen::nameLoop(scf::ForOp made, const Twine &suffix) {
  setParts(made, getParts(made));
  if (auto name = made->getAttrOfType<StringAttr>(loom::kLoopName))
    made->setAttr(
        loom::kLoopName,
        Builder(made.getContext()).getStringAttr(name.getValue() + suffix));
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

static scf::IfOp findVersion(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op->getParentOp());
  bool isEdited = branch && branch->hasAttr(kEdited) &&
                  op->getBlock() == branch.thenBlock();
  return isEdited ? branch : nullptr;
}

scf::IfOp LoopEdit::getVersion(scf::ForOp nest) {
  if (scf::IfOp version = findVersion(nest))
    return version;
  Location loc = nest.getLoc();
  b.setInsertionPoint(nest);
  Value always = arith::ConstantIntOp::create(b, loc, 1, 1);
  auto version = scf::IfOp::create(b, loc, nest.getResultTypes(), always,
                                   /*addThenBlock=*/true,
                                   /*addElseBlock=*/true);
  version->setAttr(kEdited, b.getUnitAttr());
  b.replaceAllUsesWith(nest.getResults(), version.getResults());
  Operation *copy = nest->clone();
  for (Block *block : {version.thenBlock(), version.elseBlock()})
    block->clear();
  // Edits change how many loops are around a loop, and the variable that it
  // has: its part keeps the name that the loop has in the program.
  nest->walk([](scf::ForOp loop) {
    if (!loop->hasAttr(loom::kLoopName))
      setParts(loop, getParts(loop));
  });
  b.setInsertionPointToEnd(version.thenBlock());
  scf::YieldOp yield = scf::YieldOp::create(b, loc, nest.getResults());
  b.moveOpBefore(nest, yield);
  b.setInsertionPointToEnd(version.elseBlock());
  b.insert(copy);
  scf::YieldOp::create(b, loc, copy->getResults());
  return version;
}

scf::ForOp LoopEdit::undo(Operation *op) {
  if (auto nest = dyn_cast<scf::ForOp>(op))
    return nest;
  auto version = cast<scf::IfOp>(op);
  auto nest = cast<scf::ForOp>(version.elseBlock()->front());
  b.moveOpBefore(nest, version);
  b.replaceOp(version, nest.getResults());
  return nest;
}

bool LoopEdit::moveInFront(Operation *first, Operation *second) {
  if (first->getBlock() != second->getBlock() ||
      !first->isBeforeInBlock(second)) {
    refuse("the loops do not stand one behind the other in one block");
    return false;
  }
  SmallVector<Operation *> between, behind;
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode()) {
    // Copies are taken in front of all nests, and given back behind all.
    auto freed = dyn_cast<memref::DeallocOp>(op);
    if (freed && isCopy(freed.getMemref().getDefiningOp())) {
      behind.push_back(op);
      continue;
    }
    if (!isMovable(*op) && !isCopy(op)) {
      refuse("'" + infer::getOrigin(op).str() + "' stands between the loops",
             op);
      return false;
    }
    between.push_back(op);
  }
  for (Operation *op : between)
    b.moveOpBefore(op, first);
  for (Operation *op : behind)
    b.moveOpBefore(op, op->getBlock()->getTerminator());
  return true;
}

bool LoopEdit::joinVersions(scf::IfOp first, scf::IfOp second) {
  if (first == second)
    return true;
  if (first.getNumResults() + second.getNumResults() != 0) {
    refuse("a loop carries a number from one iteration to the next");
    return false;
  }
  if (!moveInFront(first, second))
    return false;
  auto append = [&](Block *from, Block *to) {
    for (Operation &op : llvm::make_early_inc_range(from->without_terminator()))
      b.moveOpBefore(&op, to->getTerminator());
  };
  append(second.thenBlock(), first.thenBlock());
  append(second.elseBlock(), first.elseBlock());
  require(first, second.getCondition());
  b.eraseOp(second);
  return true;
}

void LoopEdit::require(scf::IfOp version, Value condition) {
  b.setInsertionPoint(version);
  Value old = version.getCondition();
  version.getConditionMutable().assign(
      matchPattern(old, m_One())
          ? condition
          : arith::AndIOp::create(b, version.getLoc(), old, condition)
                .getResult());
}

//===----------------------------------------------------------------------===//
// What an edit begins with
//===----------------------------------------------------------------------===//

scf::ForOp codegen::getNest(scf::ForOp loop) {
  SmallVector<scf::ForOp> around = getLoopsAround(loop);
  return around.empty() ? loop : around.front();
}

void LoopEdit::requireIterations(scf::ForOp loop) {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound());
  if (begin && end && *begin < *end)
    return;
  scf::IfOp version = getVersion(getNest(loop));
  b.setInsertionPoint(version);
  MovedBounds bounds(b, version);
  Value lower = bounds.compute(loop.getLowerBound()),
        upper = lower ? bounds.compute(loop.getUpperBound()) : Value();
  if (!upper)
    return;
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                         : arith::CmpIPredicate::slt;
  require(version,
          arith::CmpIOp::create(b, loop.getLoc(), predicate, lower, upper));
}

/// A step that is a number, and a variable of 64 bits.
bool LoopEdit::checkForm(scf::ForOp loop) {
  if (!loop.getInductionVar().getType().isIndex())
    refuse("the variable of " + describeLoop(loop) + " is no index", loop);
  else if (loop.getUnsignedCmp())
    refuse(describeLoop(loop) + " compares unsigned numbers", loop);
  else if (!loop.getConstantStep() ||
           !loop.getConstantStep()->isStrictlyPositive())
    refuse("the step of " + describeLoop(loop) + " is no positive number",
           loop);
  else
    return true;
  return false;
}

bool LoopEdit::checkCarriesNothing(scf::ForOp loop) {
  if (loop.getInitArgs().empty())
    return true;
  refuse(describeLoop(loop) +
             " carries a number from one iteration to the next",
         loop);
  return false;
}

bool LoopEdit::checkHasNoCheck(scf::ForOp loop) {
  Operation *left = nullptr;
  loop->walk([&](loom::RequireOp check) { left = check; });
  if (left)
    refuse("a check was left in " + describeLoop(loop) +
               ", which must find the first failure of the program",
           left);
  return !left;
}

bool LoopEdit::checkBand(ArrayRef<scf::ForOp> loops) {
  if (!checkHasNoCheck(loops.front()))
    return false;
  for (size_t number = 0; number < loops.size(); ++number) {
    scf::ForOp loop = loops[number];
    if (!checkForm(loop) || !checkCarriesNothing(loop))
      return false;
    if (number + 1 == loops.size())
      break;
    scf::ForOp inner = loops[number + 1];
    if (inner->getParentOp() != loop.getOperation()) {
      refuse(describeLoop(inner) + " does not stand directly in " +
                 describeLoop(loop),
             inner);
      return false;
    }
    for (Operation &op : loop.getBody()->without_terminator())
      if (&op != inner && op.hasAttr(loom::kCopies)) {
        refuse("what " + describeLoop(inner) + " touches is copied in " +
                   describeLoop(loop) +
                   "; edits of loops around stand in front of pack",
               &op);
        return false;
      } else if (&op != inner && !isMovable(op)) {
        refuse("'" + infer::getOrigin(&op).str() + "' stands beside " +
                   describeLoop(inner) + " in " + describeLoop(loop) +
                   "; loom.distribute may take them apart",
               &op);
        return false;
      }
  }
  return true;
}

/// What edits have computed in front of loops may be a symbol, which the
/// condition of the version compares.
void LoopEdit::moveSymbols(scf::IfOp version) {
  Block *block = version.thenBlock();
  for (Operation &op : llvm::make_early_inc_range(block->without_terminator()))
    if (isMovable(op) && isSpeculatable(&op) &&
        llvm::none_of(op.getOperands(), [&](Value operand) {
          return operand.getParentBlock() == block;
        }))
      b.moveOpBefore(&op, version);
}

std::unique_ptr<LoopOrder> LoopEdit::open(ArrayRef<scf::ForOp> loops) {
  for (scf::ForOp loop : loops)
    if (!checkHasNoCheck(loop))
      return nullptr;
  scf::ForOp first = loops.front(), nest = getNest(first);
  scf::IfOp version = getVersion(nest);
  moveSymbols(version);
  auto order = std::make_unique<LoopOrder>(loops, effects);
  if (!order->because.empty()) {
    refuse("it is not known what " + describeLoop(first) + " does, because " +
               order->because,
           first);
    return nullptr;
  }
  if (order->getAccesses().accesses.empty()) {
    refuse(describeLoop(first) + " touches no memory", first);
    return nullptr;
  }
  for (legalize::NestSymbol symbol : order->getAccesses().symbols)
    if (version->isProperAncestor(
            symbol.value.getParentRegion()->getParentOp())) {
      refuse("a number that " + describeLoop(first) +
                 " depends on cannot be computed in front of its nest",
             first);
      return nullptr;
    }
  // Copies that edits have made are no memory of the call's arguments.
  NestMemory given = order->getAccesses().memory;
  given.remove_if(
      [](const auto &entry) { return isCopy(entry.first.getDefiningOp()); });
  b.setInsertionPoint(version);
  if (Value holds = computeHolds(b, nest, order->getAccesses(), given))
    require(version, holds);
  return order;
}

Value LoopEdit::roundUp(Location loc, Value value, Value first, Value step) {
  Value distance = make<arith::SubIOp>(loc, value, first);
  Value count = make<arith::CeilDivSIOp>(loc, distance, step);
  return make<arith::AddIOp>(loc, first, make<arith::MulIOp>(loc, count, step));
}

scf::ForOp LoopEdit::makeLoop(scf::ForOp like, Value lower, Value upper,
                              Value step) {
  auto made = scf::ForOp::create(b, like.getLoc(), lower, upper, step);
  made->setDiscardableAttrs(like->getDiscardableAttrDictionary());
  return made;
}
