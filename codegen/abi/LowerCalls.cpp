//===- LowerCalls.cpp - statuses, runtime calls, entries ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/SymbolNames.h"
#include "codegen/abi/CheckCalls.h"
#include "codegen/abi/EntryPoint.h"
#include "codegen/abi/FunctionContext.h"
#include "codegen/abi/FunctionTable.h"
#include "codegen/abi/GroupCalls.h"
#include "codegen/abi/ShapeEntry.h"
#include "codegen/abi/ValueCall.h"
#include "codegen/layout/AbiTypes.h"
#include "codegen/layout/Storage.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMLOWERCALLS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Whether some blocks are run again.
static bool hasLoop(Region &body) {
  llvm::DenseSet<Block *> open, seen;
  SmallVector<std::pair<Block *, unsigned>> path;
  auto enter = [&](Block *block) {
    if (!seen.insert(block).second)
      return open.contains(block);
    open.insert(block);
    path.push_back({block, 0});
    return false;
  };
  enter(&body.front());
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == block->getNumSuccessors()) {
      open.erase(block);
      path.pop_back();
    } else if (enter(block->getSuccessor(next++))) {
      return true;
    }
  }
  return false;
}

namespace {

/// Rewrites one function: it takes the state and returns a status, and a branch
/// follows every operation that can fail.
class FunctionLowering {
public:
  /// `byValue` has the functions with the convention Values.
  FunctionLowering(func::FuncOp func, RuntimeCalls &runtime,
                   const llvm::StringSet<> &byValue, bool isRecursive)
      : byValue(byValue), isRecursive(isRecursive),
        c(func, runtime,
          byValue.contains(func.getName()) ? FunctionFrame::Convention::Values
                                           : FunctionFrame::Convention::Views) {
  }

  void run() {
    // Found first: a recursive walk would visit the blocks that lowering
    // creates.
    SmallVector<SharedCall> work = groupCalls(c.func);
    bool loops = hasLoop(c.func.getBody());
    if (isRecursive)
      checkStack();
    if (loops)
      poll();
    bool isOverMemory = loom::isOverMemory(c.func);
    for (ArrayRef<Operation *> ops : work) {
      c.b.setInsertionPoint(ops.front());
      c.loc = ops.front()->getLoc();
      llvm::TypeSwitch<Operation *>(ops.front())
          .Case<loom::RunOp, loom::ReleaseOp, loom::SiteOp>(
              [&](auto) { lower(c, ops); })
          .Case<func::ReturnOp, func::CallOp, loom::RequireOp>(
              [&](auto it) { lowerControl(it); })
          .Case([&](BranchOpInterface it) { keepHandedOn(it); })
          .Case<loom::RequireBroadcastOp, loom::RequireFunctionOp, loom::AnyOp,
                loom::AllocOp, loom::ContiguousOp, loom::RetainOp,
                loom::ShapeOfOp, loom::FromExtentsOp, loom::BroadcastOp,
                loom::RankOp, loom::ExtentOp, loom::LinearAlgebraOp,
                loom::SortOp, loom::ExternalCallOp, memref::DimOp>(
              [&](auto it) { lower(c, it); })
          .Case([&](memref::CopyOp it) {
            isOverMemory ? lowerMemoryCopy(c, it) : lower(c, it);
          })
          .Case<memref::AllocOp, memref::DeallocOp>([&](auto it) {
            if (isOverMemory)
              lower(c, it);
          });
    }
    c.frame.finish([&] { return c.getFailureBlock(); });
  }

private:
  void checkStack() {
    c.b.setInsertionPointToStart(&c.func.getBody().front());
    c.loc = c.func.getLoc();
    Value site = c.runtime.site(
        c.b, c.loc, c.func->getName().getStringRef(), /*axis=*/-1,
        /*numValues=*/0,
        ("calls of '" + getProgramName(c.func.getName()) +
         "' inside each other go deeper than the stack allows")
            .str());
    c.checkedCall(abi::broadloomCheckStack, {c.frame.call(), site});
  }

  /// A call of the runtime by which machine code finds the loops that a
  /// cancelled call has to leave (codegen/machine/Polls.h).
  void poll() {
    c.b.setInsertionPointToStart(&c.func.getBody().front());
    c.loc = c.func.getLoc();
    c.checkedCall(abi::broadloomPoll, {c.frame.call()});
  }

  void lowerControl(func::ReturnOp op) {
    if (c.frame.isByValue())
      return returnValues(op);
    for (auto [i, value] : llvm::enumerate(op.getOperands()))
      putResult(i, value);
    func::ReturnOp::create(c.b, c.loc, c.number(BROADLOOM_OK));
    op.erase();
  }

  void returnValues(func::ReturnOp op) {
    auto isShape = [](Value value) {
      return isa<loom::ShapeType>(value.getType());
    };
    // Each check moves the arguments of its block, so that values are read only
    // after all are kept.
    for (OpOperand &operand : op->getOpOperands())
      if (isShape(operand.get()))
        operand.set(keep(operand.get()));
    SmallVector<Value> values = {c.number(BROADLOOM_OK)};
    if (c.frame.returnsResults()) {
      llvm::append_range(values, op.getOperands());
    } else {
      for (auto [i, value] : llvm::enumerate(op.getOperands())) {
        Value stored = isShape(value) ? c.runtime.asStruct(c.b, c.loc, value)
                                      : c.asI64(value);
        c.runtime.store(c.b, c.loc, stored, c.address(c.frame.resultSlot(i)));
      }
    }
    func::ReturnOp::create(c.b, c.loc, values);
    op.erase();
  }

  /// Replaces tensors and shapes of unknown rank that a branch passes by copies
  /// of their descriptors that belong to the call. A loop may overwrite a slot
  /// while an earlier value is still in use; the call keeps one descriptor per
  /// distinct value.
  void keepHandedOn(Operation *branch) {
    for (OpOperand &operand : branch->getOpOperands())
      if (isa<UnrankedMemRefType, loom::ShapeType>(operand.get().getType()) &&
          !isa<BlockArgument>(operand.get()))
        operand.set(keep(operand.get()));
  }

  /// A shape, or a tensor of unknown rank, whose extents outlive this
  /// function's frame.
  Value keep(Value value) {
    // The value may be an argument of the block, which the check moves.
    Type type = value.getType();
    Value slot = c.address(c.frame.takeView()), from = c.makeViews(value);
    c.runtime.store(c.b, c.loc,
                    LLVM::LoadOp::create(c.b, c.loc, c.runtime.view, from),
                    slot);
    c.checkedCall(abi::broadloomKeepView, {c.frame.call(), slot});
    Value view = LLVM::LoadOp::create(c.b, c.loc, c.runtime.view, slot);
    return c.runtime.fromStruct(c.b, c.loc, view, type);
  }

  /// Writes result `index` where the caller expects it.
  void putResult(unsigned index, Value value) {
    FrameSlot target = c.frame.resultSlot(index);
    std::optional<FrameSlot> slot = c.frame.find(value);
    if (slot && slot->base == FrameSlot::Base::Results &&
        slot->offset == target.offset)
      return;
    Value to = c.address(target);
    if (!isa<BaseMemRefType>(value.getType()))
      return c.runtime.store(c.b, c.loc, toStorage(c.b, c.loc, value), to);
    if (target.rank < 0) {
      // Its descriptor must outlive this function's frame.
      Value views = c.makeViews(value);
      Value view = LLVM::LoadOp::create(c.b, c.loc, c.runtime.view, views);
      c.runtime.store(c.b, c.loc, view, to);
      return c.checkedCall(abi::broadloomKeepView, {c.frame.call(), to});
    }
    if (slot && slot->rank == target.rank) {
      LLVM::MemcpyOp::create(c.b, c.loc, to, c.address(*slot),
                             c.bigNumber(getResultBytes(value.getType())),
                             /*isVolatile=*/false);
      return;
    }
    c.runtime.store(c.b, c.loc, c.runtime.asStruct(c.b, c.loc, value), to);
  }

  void callWithValues(func::CallOp op) {
    ValueCall call(c.runtime, op.getResultTypes());
    Value memory;
    if (int64_t bytes = call.memoryBytes())
      memory = c.address(c.frame.takeBytes(bytes));
    c.check(call.make(c.b, c.loc, op.getCallee(), c.frame.call(), memory,
                      op.getOperands()));
    for (auto [i, old] : llvm::enumerate(op.getResults()))
      if (!old.use_empty())
        old.replaceAllUsesWith(call.result(c.b, c.loc, i));
    op.erase();
  }

  void lowerControl(func::CallOp op) {
    if (byValue.contains(op.getCallee()))
      return callWithValues(op);
    Value arguments = c.makeViews(op.getOperands());
    if (op->hasAttr(kParallelLoop))
      return runLoop(op, arguments);
    SmallVector<int64_t> offsets = getResultOffsets(op.getResultTypes());
    FrameSlot results = c.frame.takeBytes(offsets.back());
    auto made = func::CallOp::create(
        c.b, c.loc, op.getCallee(), c.runtime.i32,
        ValueRange{c.frame.call(), arguments, c.address(results)});
    c.check(made.getResult(0));
    for (auto [old, offset] : llvm::zip_first(op.getResults(), offsets)) {
      auto ranked = dyn_cast<MemRefType>(old.getType());
      FrameSlot slot{FrameSlot::Base::Frame, results.offset + offset,
                     ranked ? ranked.getRank() : -1};
      if (isa<BaseMemRefType>(old.getType())) {
        c.frame.replace(c.b, c.loc, old, slot);
        continue;
      }
      Value stored = LLVM::LoadOp::create(
          c.b, c.loc, getStorageType(old.getType()), c.address(slot));
      old.replaceAllUsesWith(fromStorage(c.b, c.loc, stored, old.getType()));
    }
    op.erase();
  }

  /// The runtime calls the function, with parts of the iterations.
  void runLoop(func::CallOp op, Value arguments) {
    Value function = c.runtime.functionAddress(
        c.b, c.loc, getAbiFunctionType(c.b.getContext(), abi::Code),
        op.getCalleeAttr());
    c.checkedCall(
        abi::broadloomRunLoop,
        {c.frame.call(), function, c.number(op.getNumOperands()), arguments});
    op.erase();
  }

  void lowerControl(loom::RequireOp op) {
    if (auto live = op.getCondition().getDefiningOp<loom::IsLiveOp>())
      return requireLive(op, live);
    // The failing side is a separate block, so that a passing guard costs one
    // comparison and one branch.
    OpBuilder &b = c.b;
    Location loc = c.loc;
    Block *fail = enterFailing(b);
    int64_t count = op.getValues().size();
    Value values =
        count ? c.frame.scratch(b, loc, int64_t(sizeof(int64_t)) * count)
              : c.runtime.null(b, loc);
    std::string kinds;
    for (auto [i, value] : llvm::enumerate(op.getValues())) {
      bool isShape = isa<loom::ShapeType>(value.getType());
      kinds += isShape ? BROADLOOM_VALUE_SHAPE : BROADLOOM_VALUE_NUMBER;
      Value stored = isShape ? c.makeViews(value) : c.asI64(value);
      c.runtime.store(
          b, loc, stored,
          c.runtime.offset(b, loc, values, int64_t(sizeof(int64_t) * i)));
    }
    Value site =
        c.runtime.site(b, loc, op.getOrigin(), op.getAxisAttr().getInt(), count,
                       op.getMessage());
    SmallVector<Value> arguments = {c.frame.call(), site, values};
    bool hasShapes = StringRef(kinds).contains(BROADLOOM_VALUE_SHAPE);
    if (hasShapes)
      arguments.push_back(
          c.runtime.addressOf(b, loc, c.runtime.data.string(loc, kinds)));
    Value status = c.runtime.call(
        b, loc, hasShapes ? abi::broadloomFailShapes : abi::broadloomFail,
        arguments);
    leaveFailing(op, fail, status);
  }

  Block *enterFailing(OpBuilder &b) {
    Block *fail = b.createBlock(&c.func.getBody(), c.func.getBody().end());
    b.setInsertionPointToStart(fail);
    return fail;
  }

  /// Ends the block with the failing side, and replaces `op` by the branch.
  void leaveFailing(loom::RequireOp op, Block *fail, Value status) {
    OpBuilder &b = c.b;
    cf::BranchOp::create(b, c.loc, c.getFailureBlock(), ValueRange{status});
    Operation *next = op->getNextNode();
    Block *head = c.splitBefore(next);
    b.setInsertionPointToEnd(head);
    cf::CondBranchOp::create(b, c.loc, op.getCondition(), next->getBlock(),
                             ValueRange{}, fail, ValueRange{});
    op.erase();
  }

  /// The runtime finds the message in the block of the memory.
  void requireLive(loom::RequireOp op, loom::IsLiveOp live) {
    OpBuilder &b = c.b;
    Value memory = c.runtime.asStruct(b, c.loc, live.getMemref());
    Value block = getMemoryBlock(b, c.loc, memory,
                                 isa<MemRefType>(live.getMemref().getType()));
    Block *fail = enterFailing(b);
    Value site = c.runtime.site(b, c.loc, op.getOrigin(), /*axis=*/-1,
                                /*numValues=*/0, op.getMessage());
    Value status = c.runtime.call(b, c.loc, abi::broadloomFailFreed,
                                  {c.frame.call(), site, block});
    leaveFailing(op, fail, status);
  }

  const llvm::StringSet<> &byValue;
  bool isRecursive;
  FunctionContext c;
};

/// Reports a function whose tensors have no buffers yet.
LogicalResult checkTypes(func::FuncOp func) {
  auto type = func.getFunctionType();
  for (TypeRange types :
       {TypeRange(type.getInputs()), TypeRange(type.getResults())})
    for (Type it : types)
      if (isa<TensorType>(it))
        return func.emitOpError("has an argument or result of type ")
               << it << ", and needs buffers; run loom-bufferize before";
  return success();
}

/// The arguments that are the caller's memory (mem-1).
llvm::SmallBitVector findCallersMemory(func::FuncOp func) {
  llvm::SmallBitVector found(func.getNumArguments());
  if (!loom::isOverMemory(func))
    return found;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (isa<BaseMemRefType>(type))
      found.set(i);
  if (auto tensors = func->getAttrOfType<DenseI64ArrayAttr>(kTensorArguments)) {
    for (int64_t i : tensors.asArrayRef())
      found.reset(i);
    func->removeAttr(kTensorArguments);
  }
  return found;
}

struct LoomLowerCallsPass
    : codegen::impl::LoomLowerCallsBase<LoomLowerCallsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func : module.getOps<func::FuncOp>())
      if (failed(checkTypes(func)))
        return signalPassFailure();
    RuntimeCalls runtime(module);
    llvm::StringSet<> byValue, recursive = findRecursive(module);
    for (auto func : module.getOps<func::FuncOp>())
      if (infer::readShapeQuery(func))
        byValue.insert(func.getName());
    // Lowering makes others, which call libraries.
    for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
      FunctionType type = func.getFunctionType();
      auto why = func->getAttrOfType<StringAttr>(infer::kNoShapeQuery);
      auto planned = func->getAttrOfType<IntegerAttr>(kPlannedMemory);
      func->removeAttr(kPlannedMemory);
      bool isOverMemory = loom::isOverMemory(func);
      llvm::SmallBitVector isOfCaller = findCallersMemory(func);
      auto query = infer::readShapeQuery(func);
      FunctionLowering(func, runtime, byValue,
                       recursive.contains(func.getName()))
          .run();
      StringRef name = getProgramName(func.getName());
      if (func.isPublic())
        describeEntry(buildEntryPoint(func, name, type, isOfCaller, runtime),
                      name, type, isOfCaller, why,
                      planned ? planned.getInt() : 0);
      if (isOverMemory)
        allowAnyStrides(func);
      func->removeAttr(loom::kMemoryFunction);
      if (query && query->isPublic)
        buildShapeEntry(func, type.getResults(), *query, runtime);
      makeInternal(func);
    }
  }
};

} // namespace
