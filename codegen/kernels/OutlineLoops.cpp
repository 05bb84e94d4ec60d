//===- OutlineLoops.cpp - loops over memory as functions ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/OutlineLoops.h"

#include "codegen/LinalgAttributes.h"
#include "codegen/SymbolNames.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// A loop of at most kShort iterations takes about as long as a call. It stays
/// in a function that has few operations of linalg and few operations in all.
static constexpr int64_t kShort = 64;
static constexpr size_t kFewLoops = 16, kFewOperations = 1000;

static bool isShort(linalg::LinalgOp op) {
  int64_t iterations = 1;
  for (int64_t range : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range) || range > kShort)
      return false;
    iterations *= range;
    if (iterations > kShort)
      return false;
  }
  return true;
}

/// Whether `value` can be an argument of a function.
static bool canBePassed(Value value) {
  return isa<MemRefType, IntegerType, FloatType, IndexType>(value.getType());
}

/// Whether `op` can move to another function: nothing in it depends on the
/// enclosing function, such as calls or temporaries.
static bool standsAlone(Operation *op) {
  return !op->walk([&](Operation *part) {
              bool hasScope =
                  isa<CallOpInterface>(part) ||
                  hasEffect<MemoryEffects::Allocate>(part) ||
                  isa_and_present<cf::ControlFlowDialect>(part->getDialect());
              return hasScope ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

/// What a memref is a view or a copy of.
static Value findWhole(Value memref) {
  for (;;) {
    if (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
      memref = view.getViewSource();
    else if (auto copy = memref.getDefiningOp<loom::ContiguousOp>())
      memref = copy->getOperand(0);
    else
      return memref;
  }
}

/// Moves out of a body what is read of values that are not passed, such as
/// extents of shapes.
static void moveOut(linalg::LinalgOp op) {
  Region &body = op->getRegion(0);
  for (Operation &part : llvm::make_early_inc_range(body.front()))
    if (part.getNumRegions() == 0 && isPure(&part) &&
        !llvm::all_of(part.getOperands(), canBePassed) &&
        llvm::none_of(part.getOperands(), [&](Value operand) {
          return body.isAncestor(operand.getParentRegion());
        }))
      part.moveBefore(op);
}

static bool isAllocated(Value memory) {
  Operation *op = memory.getDefiningOp();
  return op && hasEffect<MemoryEffects::Allocate>(op, memory);
}

/// Whether memory is there before `allocation` makes other memory.
static bool isOlder(Value memory, Operation *allocation) {
  Operation *op = memory.getDefiningOp();
  if (memory.getParentBlock() == allocation->getBlock())
    return !op || op->isBeforeInBlock(allocation);
  return memory.getParentRegion() != allocation->getParentRegion() &&
         memory.getParentRegion()->isAncestor(allocation->getParentRegion());
}

/// Whether memory is of the function's caller or of the program.
static bool isFromOutside(Value memory) {
  if (auto argument = dyn_cast<BlockArgument>(memory))
    return argument.getOwner()->isEntryBlock() &&
           isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return memory.getDefiningOp<memref::GetGlobalOp>() != nullptr;
}

/// Whether the results of `op` have memory that the function makes, apart from
/// all that `op` uses. A call sees to it where results are in its caller's.
static bool writesApart(linalg::LinalgOp op, ArrayRef<Value> used) {
  return llvm::all_of(op.getDpsInits(), [&](Value init) {
    Value own = findWhole(init);
    return isAllocated(own) && llvm::all_of(used, [&](Value value) {
             if (value == init || !isa<BaseMemRefType>(value.getType()))
               return true;
             Value other = findWhole(value);
             return other != own && (isAllocated(other) ||
                                     isOlder(other, own.getDefiningOp()) ||
                                     isFromOutside(other));
           });
  });
}

void LoopOutliner::outline(func::FuncOp func) {
  SmallVector<linalg::LinalgOp> ops;
  size_t operations = 0;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++operations;
    if (auto loops = dyn_cast<linalg::LinalgOp>(op);
        loops && !op->getParentOfType<linalg::LinalgOp>())
      ops.push_back(loops);
  });
  bool isSmall = ops.size() <= kFewLoops && operations <= kFewOperations;
  for (linalg::LinalgOp op : ops)
    if (!isSmall || !isShort(op))
      outline(op);
}

void LoopOutliner::outline(linalg::LinalgOp op) {
  // A single element takes less time than a call.
  if (op.getNumLoops() == 0 || !op.hasPureBufferSemantics() || !standsAlone(op))
    return;
  moveOut(op);
  llvm::SetVector<Value> used(op->getOperands().begin(),
                              op->getOperands().end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  SmallVector<Value> inputs;
  SmallVector<Operation *> constants;
  for (Value value : used) {
    Operation *def = value.getDefiningOp();
    if (def && def->hasTrait<OpTrait::ConstantLike>())
      constants.push_back(def);
    else if (canBePassed(value))
      inputs.push_back(value);
    else
      return;
  }
  if (writesApart(op, inputs))
    op->setAttr(kWritesApart, builder.getUnitAttr());
  KeyWriter writer;
  for (Value input : inputs)
    writer.define(input);
  writer.write(op);
  // The location of a guard is part of the key.
  op->walk([&](Operation *part) {
    if (isa_and_present<loom::LoomDialect>(part->getDialect()))
      writer.add(part->getLoc().getAsOpaquePointer());
  });
  func::FuncOp &loop = loops[std::move(writer.key)];
  if (!loop)
    loop = build(op, inputs, constants);
  OpBuilder here(op);
  func::CallOp::create(here, op.getLoc(), loop, inputs);
  op.erase();
}

func::FuncOp LoopOutliner::build(linalg::LinalgOp op, ArrayRef<Value> inputs,
                                 ArrayRef<Operation *> constants) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = op.getLoc();
  auto func = func::FuncOp::create(
      builder, loc, (kLoopPrefix + Twine(loops.size() - 1)).str(),
      builder.getFunctionType(ValueRange(inputs).getTypes(), {}));
  func.setPrivate();
  // Inlined in its callers, it would be compiled once for each of them.
  func.setNoInline(true);
  func->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  builder.setInsertionPointToStart(func.addEntryBlock());
  IRMapping mapping;
  mapping.map(inputs, func.getArguments());
  for (Operation *constant : constants)
    builder.clone(*constant, mapping);
  builder.clone(*op, mapping);
  func::ReturnOp::create(builder, loc);
  return func;
}
