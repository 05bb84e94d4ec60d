//===- SetAssumptions.cpp - what holds in each call that returns ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/SetReader.h"

#include "dialect/MemoryViews.h"
#include "poly/FormVariables.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// The rows of what holds where the calls return.
SetReader::Alternatives
SetReader::getOfCalls(ArrayRef<std::pair<const EffectSet *, Scalars>> calls,
                      poly::Relation &relation, poly::Import &import) {
  poly::Rows all;
  for (const auto &[called, scalars] : calls) {
    // A call that never returns.
    if (called->set.getParts().empty())
      return {};
    poly::Import ofCalled(called->set, relation.getSpace(),
                          getBase(scalars, relation, import));
    // A scalar that is not known may be one for which a row does not hold.
    for (poly::Row &row : ofCalled.take(called->set.getParts().front()))
      if (!scalars.isTooLarge || !relation.getSpace().hasUnknown(row.form))
        all.push_back(std::move(row));
  }
  return Alternatives{all};
}

/// The argument of which an access is checked, in a function with this entry
/// block; null if it is to other memory, or if more of it may be accessed.
static Value getChecked(const MemoryAccess &what, Block *entry) {
  auto root = dyn_cast<BlockArgument>(loom::getRoot(what.memory));
  bool isOfArgument = root && root.getOwner() == entry &&
                      isInsideRoot(what.memory) &&
                      isa<MemRefType>(root.getType());
  return isOfArgument ? root : Value();
}

/// Adds what holds wherever `op`, of the entry block, does not fail.
static void requireOfOperation(NestReader &reader, Operation &op) {
  if (auto assertion = dyn_cast<cf::AssertOp>(op))
    reader.require(assertion.getArg());
  reader.requireEqualExtents(&op);
  if (!MemoryAccess::isAccess(&op) && !MemoryAccess::isAtomic(&op))
    return;
  MemoryAccess what = MemoryAccess::get(&op);
  if (Value root = getChecked(what, op.getBlock()))
    reader.requireInside(what, root);
}

/// An operation whose checks are read.
static bool isChecked(Operation *op) {
  return isa<cf::AssertOp, memref::CopyOp, linalg::LinalgOp>(op) ||
         MemoryAccess::isAccess(op) || MemoryAccess::isAtomic(op);
}

static bool hasUnknown(const EffectSet &set) {
  return llvm::any_of(set.set.getParts(), [&](const poly::Rows &part) {
    return set.set.hasUnknown(part);
  });
}

/// About all scalars.
static EffectSet makeOfScalars() {
  return {0, {false, true}, poly::Relation({}), {}, nullptr, ""};
}

llvm::SetVector<Operation *> SetReader::getAssumed(FindAssumptions find) {
  size_t assertionsLeft = 32, othersLeft = 16, rowsLeft = 64;
  llvm::SetVector<Operation *> assumed;
  auto take = [&](Operation &op, size_t number, size_t &left) {
    if (number <= left && assumed.insert(&op))
      left -= number;
  };
  // Comparisons of extents are few and tell much.
  Block &entry = func.getBody().front();
  for (Operation &op : entry)
    if (isa<memref::CopyOp, linalg::LinalgOp>(op))
      take(op, 1, othersLeft);
  for (Operation &op : entry) {
    if (isa<cf::AssertOp>(op))
      take(op, 1, assertionsLeft);
    else if (isChecked(&op) && !assumed.contains(&op))
      take(op, 1, othersLeft);
    auto call = dyn_cast<func::CallOp>(op);
    const EffectSet *called = call ? find(call) : nullptr;
    if (!called || called->set.getParts().size() > 1)
      continue;
    ArrayRef<poly::Rows> parts = called->set.getParts();
    take(op, parts.empty() ? 1 : parts.front().size(), rowsLeft);
  }
  return assumed;
}

EffectSet SetReader::readAssumptions(FindAssumptions find) {
  NestReader reader = makeReader();
  std::vector<std::pair<const EffectSet *, Scalars>> calls;
  llvm::SetVector<Operation *> assumed = getAssumed(find);
  // The domain has the rows of calls last.
  for (Operation &op : func.getBody().front()) {
    if (!assumed.contains(&op))
      continue;
    auto call = dyn_cast<func::CallOp>(op);
    if (!call) {
      requireOfOperation(reader, op);
      continue;
    }
    const EffectSet &called = *find(call);
    if (called.set.getParts().empty() || !called.set.getParts()[0].empty())
      calls.push_back({&called, getScalars(reader, call, called)});
  }
  EffectSet start = makeOfScalars();
  auto read = [&](ArrayRef<std::pair<const EffectSet *, Scalars>> calls) {
    EffectSet set = start;
    for (const auto &[called, scalars] : calls)
      set.room = std::min(set.room, scalars.room);
    return make(std::move(set), reader, {},
                [&](poly::Relation &relation, poly::Import &import) {
                  return getOfCalls(calls, relation, import);
                });
  };
  std::optional<EffectSet> set = read(calls);
  // What fits no relation together may fit it without calls.
  bool isShort = !set;
  if (!set)
    set = read({});
  start.set.addPart({});
  EffectSet found = set ? *set : start;
  found.comparesUnknown |= isShort;
  return found;
}

/// Conjunctions of which one holds exactly where `rows` do not.
static std::vector<poly::Rows> getOpposites(const poly::Rows &rows) {
  std::vector<poly::Rows> opposites;
  for (const poly::Row &row : rows) {
    opposites.push_back({poly::negate(row)});
    if (row.isZero)
      opposites.push_back({poly::isLess(0, row.form)});
  }
  return opposites;
}

SetReader::Checks SetReader::readChecks(NestReader &reader, Operation *op) {
  Checks checks;
  auto add = [&](poly::Rows rows) {
    for (poly::Row &row : rows)
      if (poly::isAffine(reader.getDomain().getSpace(), row.form))
        checks.rows.push_back(std::move(row));
      else
        checks.areKnown = false;
  };
  NestReader::forEachComparison(
      op, [&](NestReader::Axis a, NestReader::Axis b) {
        std::optional<poly::Form> first = reader.getExtent(a.first, a.second),
                                  second = reader.getExtent(b.first, b.second);
        if (first && second)
          add({poly::isZero(*first - *second)});
        else
          checks.areKnown = false;
      });
  if (MemoryAccess::isAccess(op) || MemoryAccess::isAtomic(op)) {
    MemoryAccess what = MemoryAccess::get(op);
    if (Value root = getChecked(what, &func.getBody().front()))
      add(reader.getInside(what, root));
  }
  return checks;
}

/// Adds the calls that get to where `reader` is and to one of the alternatives.
void SetReader::addFailing(EffectSet set, const NestReader &reader,
                           GetAlternatives getAlternatives,
                           FailingCalls &failing) {
  // Fewer than a relation may have.
  constexpr size_t kMostParts = 32;
  std::optional<EffectSet> read =
      make(std::move(set), reader, {}, getAlternatives);
  // Of what exists, the complement is not known.
  if (!read || !read->kind.isSure || hasUnknown(*read) ||
      failing.numParts + read->set.getParts().size() > kMostParts) {
    failing.areMore = true;
    return;
  }
  failing.numParts += read->set.getParts().size();
  if (!read->set.getParts().empty())
    failing.sets.push_back(std::move(*read));
}

/// Adds the calls in which that call gets scalars for which `called` holds, or
/// does not hold.
void SetReader::addFailing(func::CallOp call, const EffectSet &called,
                           bool isNegated, FailingCalls &failing) {
  NestReader reader = makeReader();
  if (!reader.readInFunction(call))
    return;
  Scalars scalars = getScalars(reader, call, called);
  // Of a number that is not known, no value surely fails.
  if (scalars.isTooLarge || !scalars.areKnown())
    return;
  EffectSet set = makeOfScalars();
  set.room = scalars.room;
  addFailing(
      std::move(set), reader,
      [&](poly::Relation &relation, poly::Import &import) {
        poly::Import ofCalled(called.set, relation.getSpace(),
                              getBase(scalars, relation, import));
        Alternatives parts;
        for (const poly::Rows &part : called.set.getParts())
          parts.push_back(ofCalled.take(part));
        if (!isNegated)
          return parts;
        if (parts.empty())
          return Alternatives{{}};
        return getOpposites(parts.front());
      },
      failing);
}

FailingCalls SetReader::readFailing(FindAssumptions findAssumptions,
                                    FindFailing find) {
  constexpr size_t kMostChecks = 64;
  FailingCalls failing;
  size_t numLeft = kMostChecks;
  llvm::SetVector<Operation *> taken = getAssumed(findAssumptions);
  auto takesMore = [&]() {
    failing.areMore |= numLeft == 0;
    return numLeft > 0 && numLeft--;
  };
  auto addCall = [&](func::CallOp call) {
    if (const FailingCalls *ofCalled = find(call)) {
      failing.areMore |= ofCalled->areMore;
      for (const EffectSet &set : ofCalled->sets)
        if (takesMore())
          addFailing(call, set, /*isNegated=*/false, failing);
    }
    const EffectSet *assumed = findAssumptions(call);
    if (!assumed)
      return;
    failing.areMore |= assumed->comparesUnknown;
    if (taken.contains(call))
      return;
    if (assumed->set.getParts().size() > 1 || hasUnknown(*assumed))
      failing.areMore = true;
    else if (takesMore())
      addFailing(call, *assumed, /*isNegated=*/true, failing);
  };
  auto addCheck = [&](Operation *op) {
    NestReader reader = makeReader();
    if (taken.contains(op) || !reader.readInFunction(op) || !takesMore())
      return;
    poly::Rows rows = readChecks(reader, op).rows;
    addFailing(
        makeOfScalars(), reader,
        [&](poly::Relation &, poly::Import &import) {
          return getOpposites(import.take(rows));
        },
        failing);
  };
  // What is not compared comes last, since only comparisons are in sets.
  func.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      addCall(call);
    else if (isa<memref::CopyOp, linalg::LinalgOp>(op))
      addCheck(op);
  });
  bool areMore = failing.areMore;
  func.walk([&](Operation *op) {
    if (MemoryAccess::isAccess(op) || MemoryAccess::isAtomic(op))
      addCheck(op);
  });
  failing.areMore = areMore;
  return failing;
}
