//===- MarkLoops.cpp - loops on threads, and as vectors -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These edits say how iterations run that may run in any order. Later passes do
// it (ParallelNests.cpp, ScfToCf.cpp), or tell that they cannot. So such a loop
// and those around it are not edited any more: what was proved of its
// iterations stays true.
//
//===----------------------------------------------------------------------===//

#include "codegen/SymbolNames.h"
#include "codegen/memory/MemoryAttributes.h"
#include "codegen/memory/ParallelLoop.h"
#include "codegen/schedule/LoopEdit.h"

#include "dialect/LocationText.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

bool LoopEdit::checkIsUnmarked(scf::ForOp loop) {
  scf::ForOp marked;
  loop->walk([&](scf::ForOp inner) {
    if (inner->hasAttr(kOnThreads) || inner->hasAttr(kVectorLanes))
      marked = inner;
  });
  if (!marked)
    return true;
  refuse(describeLoop(marked) +
             (marked->hasAttr(kOnThreads) ? " runs on threads"
                                          : " runs as vectors") +
             "; edits of it and of loops around it stand in front of that edit",
         marked);
  return false;
}

/// One loop of those that stand in each other runs on threads.
static scf::ForOp findOnThreads(scf::ForOp loop) {
  for (scf::ForOp outer : getLoopsAround(loop))
    if (outer->hasAttr(kOnThreads))
      return outer;
  scf::ForOp found;
  loop->walk([&](scf::ForOp inner) {
    if (inner->hasAttr(kOnThreads))
      found = inner;
  });
  return found;
}

/// Whether nothing but copying in the loop stores to the copy, so that each
/// iteration may have one of its own.
static bool isFilledIn(scf::ForOp loop, Operation *copy) {
  return llvm::all_of(copy->getUsers(), [&](Operation *user) {
    return !isa<memref::StoreOp>(user) ||
           (user->getParentOp()->hasAttr(loom::kCopies) &&
            loop->isProperAncestor(user));
  });
}

// sch-15
Loops LoopEdit::parallelize(scf::ForOp loop, Location edit) {
  if (scf::ForOp other = findOnThreads(loop))
    return refuse(other == loop
                      ? describeLoop(loop) + " runs on threads twice"
                      : describeLoop(other) +
                            (other->isAncestor(loop) ? " around " : " in ") +
                            describeLoop(loop) +
                            " runs on threads; leave one of the two "
                            "edits out",
                  other);
  if (!checkForm(loop) || !open(loop))
    return {};
  auto func = loop->getParentOfType<func::FuncOp>();
  legalize::ExtentRoots roots(func);
  legalize::CallEffects effects(func->getParentOfType<ModuleOp>());
  legalize::LoopDependences facts(loop, roots, effects, legalize::kMostOfEdit);
  std::string obstacle = describeObstacle(facts);
  if (!obstacle.empty()) {
    Operation *met =
        facts.conflict ? facts.conflict->first.memory.getDefiningOp() : nullptr;
    if (isCopy(met) && isFilledIn(loop, met))
      obstacle += "; in front of pack, parallelize gives each iteration a copy "
                  "of its own";
    return refuse(describeLoop(loop) + " cannot run on threads: " + obstacle,
                  loop);
  }
  loop->setAttr(kOnThreads, edit);
  return {loop};
}

/// What of the loop's body has no form as vectors.
static Operation *findNoVector(scf::ForOp loop) {
  Operation *found = nullptr;
  loop.getBody()->walk([&](Operation *op) {
    bool isKnown =
        isa<memref::LoadOp, memref::StoreOp, scf::IfOp, scf::YieldOp>(op) ||
        isMovable(*op);
    if (!isKnown && !found)
      found = op;
  });
  return found;
}

// sch-16
Loops LoopEdit::vectorize(scf::ForOp loop, int64_t lanes) {
  if (loop->hasAttr(kVectorLanes))
    return refuse(describeLoop(loop) + " runs as vectors twice", loop);
  if (!checkForm(loop) || !checkCarriesNothing(loop))
    return {};
  if (Operation *op = findNoVector(loop))
    return refuse("'" + infer::getOrigin(op).str() + "' in " +
                      describeLoop(loop) + " has no form as vectors",
                  op);
  std::unique_ptr<LoopOrder> order = open(loop);
  if (!order)
    return {};
  if (!order->mayReverse(poly::earlierAt(getLoopsAround(loop).size())))
    return refuse(order->because);
  StringRef function =
      getProgramName(loop->getParentOfType<func::FuncOp>().getName());
  std::string name = describeLoop(loop),
              at = getFileLocationText(loop.getLoc());
  if (!at.empty() && !StringRef(name).ends_with(at))
    name += " at " + at;
  loop->setAttr(kVectorLanes, b.getI64IntegerAttr(lanes));
  loop->setAttr(kVectorLoop,
                b.getStringAttr(name + " of function '@" + function + "'"));
  return {loop};
}
