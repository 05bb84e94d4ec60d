//===- CallEffects.cpp - what called functions do to memory ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/CallEffects.h"

#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"
#include "legalize/memory/MemoryAccess.h"
#include "legalize/memory/ViewSubscripts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Accesses and guards of a function that loops know of, and conditions of
/// which a guard is made.
static constexpr size_t kMostAccesses = 32, kMostGuards = 96,
                        kMostConditions = 512;

CallEffects::CallEffects(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>()) {
    Effects effects{func, {}, {}};
    if (!func.isExternal() && loom::isOverMemory(func) && read(effects))
      functions[func.getName()] = std::move(effects);
  }
}

/// The argument of the function whose memory it is, if it is surely inside it.
static std::optional<unsigned> getArgument(Value memory, Block &entry) {
  auto argument = dyn_cast<BlockArgument>(loom::getRoot(memory));
  if (!argument || argument.getOwner() != &entry ||
      !isa<MemRefType>(argument.getType()) || !isInsideRoot(memory))
    return std::nullopt;
  return argument.getArgNumber();
}

bool CallEffects::readExternal(loom::ExternalCallOp call, Effects &effects) {
  if (!call.getReentrant())
    return false;
  Block &entry = effects.function.getBody().front();
  for (auto [number, operand] : llvm::enumerate(call.getInputs())) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    std::optional<unsigned> argument = getArgument(operand, entry);
    if (!argument)
      return false;
    bool isWrite = llvm::is_contained(call.getWrites(), int64_t(number));
    effects.accesses.push_back({call, *argument, isWrite, /*isAll=*/true});
  }
  return true;
}

/// Adds what must hold where `condition` is `isTrue`, in as small parts as
/// there are; false where these are too many.
bool CallEffects::addGuard(Value condition, bool isTrue, Effects &effects) {
  SmallVector<std::pair<Value, unsigned>> open = {{condition, isTrue}};
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  while (!open.empty()) {
    auto [boolean, holds] = open.pop_back_val();
    if (!seen.insert({boolean, holds}).second)
      continue;
    Operation *op = boolean.getDefiningOp();
    if (isa_and_nonnull<arith::XOrIOp>(op) &&
        matchPattern(op->getOperand(1), m_One()))
      open.push_back({op->getOperand(0), !holds});
    else if (holds ? isa_and_nonnull<arith::AndIOp>(op)
                   : isa_and_nonnull<arith::OrIOp>(op))
      open.append({{op->getOperand(1), holds}, {op->getOperand(0), holds}});
    else
      effects.guards.insert({boolean, holds});
    if (effects.guards.size() > kMostGuards || seen.size() > kMostConditions)
      return false;
  }
  return true;
}

bool CallEffects::read(Effects &effects) {
  Block &entry = effects.function.getBody().front();
  auto visit = [&](Operation *op) {
    if (MemoryAccess::isAccess(op)) {
      std::optional<unsigned> argument =
          getArgument(MemoryAccess::get(op).memory, entry);
      if (!argument)
        return WalkResult::interrupt();
      effects.accesses.push_back({op, *argument, MemoryAccess::isWrite(op)});
    } else if (auto guard = dyn_cast<loom::RequireOp>(op)) {
      if (!addGuard(guard.getCondition(), /*isTrue=*/true, effects))
        return WalkResult::interrupt();
    } else if (op->hasAttr(loom::kFindsFailure)) {
      // Where its condition holds, a check inside fails.
      return addGuard(cast<scf::IfOp>(op).getCondition(), /*isTrue=*/false,
                      effects)
                 ? WalkResult::skip()
                 : WalkResult::interrupt();
    } else if (auto call = dyn_cast<loom::ExternalCallOp>(op)) {
      if (!readExternal(call, effects))
        return WalkResult::interrupt();
    } else if (!isa<func::FuncOp, func::ReturnOp, affine::AffineForOp,
                    affine::AffineIfOp, affine::AffineYieldOp, scf::ForOp,
                    scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp>(
                   op) &&
               !isa_and_nonnull<cf::ControlFlowDialect>(op->getDialect()) &&
               !isMemoryEffectFree(op)) {
      return WalkResult::interrupt();
    }
    return effects.accesses.size() > kMostAccesses ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  };
  return !effects.function.walk<WalkOrder::PreOrder>(visit).wasInterrupted();
}

const CallEffects::Effects *CallEffects::find(func::CallOp call) const {
  auto it = functions.find(call.getCallee());
  return it == functions.end() ? nullptr : &it->second;
}
