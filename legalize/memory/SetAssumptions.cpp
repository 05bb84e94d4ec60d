//===- SetAssumptions.cpp - what holds in each call that returns ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/SetReader.h"

#include "dialect/MemoryViews.h"

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

/// Adds what holds wherever `op`, of the entry block, does not fail.
void SetReader::requireOfOperation(NestReader &reader, Operation &op) {
  if (auto assertion = dyn_cast<cf::AssertOp>(op))
    reader.require(assertion.getArg());
  reader.requireEqualExtents(&op);
  if (!MemoryAccess::isAccess(&op) && !MemoryAccess::isAtomic(&op))
    return;
  MemoryAccess what = MemoryAccess::get(&op);
  auto root = dyn_cast<BlockArgument>(loom::getRoot(what.memory));
  if (root && root.getOwner() == op.getBlock() && isInsideRoot(what.memory) &&
      isa<MemRefType>(root.getType()))
    reader.requireInside(what, root);
}

EffectSet SetReader::readAssumptions(
    llvm::function_ref<const EffectSet *(func::CallOp)> find) {
  NestReader reader = makeReader();
  // Fewer than a relation may have, of which those of calls are the last.
  constexpr size_t kMostAssertions = 32, kMostAccesses = 16, kMostRows = 64;
  size_t numAssertions = 0, numAccesses = 0, numRows = 0;
  std::vector<std::pair<const EffectSet *, Scalars>> calls;
  for (Operation &op : func.getBody().front()) {
    if (isa<cf::AssertOp, memref::CopyOp, linalg::LinalgOp>(op) ||
        MemoryAccess::isAccess(&op) || MemoryAccess::isAtomic(&op)) {
      if (isa<cf::AssertOp>(op) ? ++numAssertions <= kMostAssertions
                                : ++numAccesses <= kMostAccesses)
        requireOfOperation(reader, op);
      continue;
    }
    auto call = dyn_cast<func::CallOp>(op);
    const EffectSet *called = call ? find(call) : nullptr;
    if (!called || called->set.getParts().size() > 1)
      continue;
    size_t more =
        called->set.getParts().empty() ? 1 : called->set.getParts()[0].size();
    if (more == 0 || numRows + more > kMostRows)
      continue;
    numRows += more;
    calls.push_back({called, getScalars(reader, call, *called)});
  }
  EffectSet start{0, {false, true}, poly::Relation({}), {}, nullptr, ""};
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
  if (!set)
    set = read({});
  start.set.addPart({});
  return set ? *set : start;
}
