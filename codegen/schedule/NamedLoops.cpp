//===- NamedLoops.cpp - the loops that a schedule names -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/NamedLoops.h"

#include "codegen/SymbolNames.h"
#include "dialect/MemoryFunction.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

void codegen::visitScheduled(Region &region,
                             llvm::function_ref<bool(Operation &)> visit) {
  for (Block &block : region)
    for (Operation &op : block) {
      if (op.hasAttr(loom::kFindsFailure) || visit(op))
        continue;
      if (op.hasAttr(kEdited))
        visitScheduled(cast<scf::IfOp>(op).getThenRegion(), visit);
      else
        for (Region &inner : op.getRegions())
          visitScheduled(inner, visit);
    }
}

NamedLoops::NamedLoops(Operation *program, StringRef function) {
  auto module = dyn_cast<ModuleOp>(program);
  bool isTensors = false;
  if (module)
    for (auto candidate : module.getOps<func::FuncOp>())
      if (getProgramName(candidate.getName()) == function) {
        isTensors = !loom::isOverMemory(candidate);
        func = candidate;
      }
  if (!func)
    because = "the program has no function '@" + function.str() +
              "' that is compiled";
  else if (isTensors)
    because =
        "function '@" + function.str() +
        (llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<BaseMemRefType>)
             ? "' is not prepared; --broadloom-prepare and --loom-lower-affine "
               "stand in front of schedules"
             : "' is over tensors and has no loops of its own");
  if (isTensors)
    func = nullptr;
}

static std::string count(size_t number, StringRef what) {
  return std::to_string(number) + " " + what.str() + (number == 1 ? "" : "s");
}

Loops NamedLoops::getNest(int64_t number, size_t count) {
  if (!func)
    return {};
  int64_t numNests = 0;
  Loops loops;
  visitScheduled(func.getBody(), [&](Operation &op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && !loop->hasAttr(loom::kCopies) && numNests++ == number)
      loops.push_back(loop);
    return bool(loop);
  });
  if (loops.empty()) {
    because = "function '@" + getProgramName(func.getName()).str() + "' has " +
              ::count(numNests, "loop nest") + ", but no number " +
              std::to_string(number);
    return {};
  }
  while (loops.size() < count) {
    Loops inner;
    visitScheduled(loops.back().getRegion(), [&](Operation &op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && !loop->hasAttr(loom::kCopies))
        inner.push_back(loop);
      return bool(loop);
    });
    if (inner.size() != 1) {
      because = describeLoop(loops.back()) + " has " +
                ::count(inner.size(), "loop") +
                " in it, so that the nest has " +
                ::count(loops.size(), "loop") + " that stand in each other";
      return {};
    }
    loops.push_back(inner.front());
  }
  return loops;
}

scf::ForOp NamedLoops::getLoop(StringRef name) {
  if (!func)
    return nullptr;
  Loops found;
  visitScheduled(func.getBody(), [&](Operation &op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    auto given = op.getAttrOfType<StringAttr>(loom::kLoopName);
    if (loop && given && given.getValue() == name)
      found.push_back(loop);
    return false;
  });
  if (found.size() == 1)
    return found.front();
  because = "function '@" + getProgramName(func.getName()).str() + "' has " +
            ::count(found.size(), "loop") + " of the name '" + name.str() + "'";
  return nullptr;
}
