//===- SharedPlaces.cpp - memory that is read alone -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/SharedPlaces.h"

#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

const std::optional<loom::SharedPlace> &SharedPlaces::find(Type type) {
  auto [it, isNew] = types.try_emplace(type);
  auto memory = dyn_cast<MemRefType>(type);
  if (isNew && memory)
    it->second = loom::findSharedPlace(memory);
  return it->second;
}

/// The memory with such a layout that `memory` is, or is a view of; null for
/// other memory.
Value SharedPlaces::getShared(Value memory) {
  return find(memory.getType()) ? memory : views.lookup(memory);
}

static bool writes(Operation *op, Value memory) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.getEffectOnValue<MemoryEffects::Write>(memory);
}

/// Whether others get what `op` has as operands, and do not see what it views.
static bool handsOn(Operation *op) {
  return isa<CallOpInterface, BranchOpInterface, RegionBranchOpInterface>(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

LogicalResult SharedPlaces::check(Operation *op) {
  if (!loom::isOverMemory(op) || op->hasAttr(loom::kAccumulates))
    return success();
  Value viewed = loom::getViewed(op);
  Value shared = viewed ? getShared(viewed) : Value();
  if (shared)
    for (Value result : op->getResults())
      if (isa<BaseMemRefType>(result.getType()))
        views[result] = shared;
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    shared = getShared(operand);
    bool isHandedOn = shared && handsOn(op) && !find(operand.getType());
    if (!shared || (!isHandedOn && !writes(op, operand)))
      continue;
    InFlightDiagnostic error = op->emitError()
                               << "'" << infer::getOrigin(op)
                               << "': " << infer::describeMemory(shared)
                               << " is read-only, because "
                               << loom::describeShared(*find(shared.getType()));
    if (isHandedOn)
      return error << "; this view of it is handed on as memory that may be "
                      "written; hand on memory of that layout";
    return error << "; write memory without that layout, or accumulate "
                    "integers by 'memref.atomic_rmw'";
  }
  return success();
}
