//===- LowerCalls.cpp - statuses, runtime calls, entries ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CheckCalls.h"
#include "codegen/EntryPoint.h"
#include "codegen/FunctionTable.h"
#include "codegen/Passes.h"
#include "codegen/RuntimeCalls.h"
#include "codegen/ShapeEntry.h"
#include "codegen/StripKernel.h"
#include "dialect/LoomDialect.h"
#include "runtime/Abi.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMLOWERCALLS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// The symbol of a function's own code. Without a prefix, a function that a
/// user calls `exp` would take the place of the C library's.
std::string mangle(StringRef name) { return ("loom_function_" + name).str(); }

/// Rewrites one function: state in, status out, and every operation that can
/// fail followed by a branch.
class FunctionLowering {
public:
  FunctionLowering(func::FuncOp func, RuntimeCalls &runtime)
      : func(func), runtime(runtime), resultTypes(func.getResultTypes()) {}

  void run() {
    // A recursive walk would see the blocks that are made on the way.
    SmallVector<Operation *> work;
    func.walk([&](Operation *op) {
      if (isa<func::ReturnOp, func::CallOp, loom::RequireOp,
              loom::RequireBroadcastOp, loom::RunOp, loom::AllocOp,
              loom::ContiguousOp, loom::ShapeOfOp, loom::FromExtentsOp,
              loom::BroadcastOp, loom::RankOp, loom::ExtentOp, memref::CopyOp>(
              op))
        work.push_back(op);
    });
    addState();
    for (Operation *op : work) {
      b.setInsertionPoint(op);
      loc = op->getLoc();
      llvm::TypeSwitch<Operation *>(op)
          .Case<func::ReturnOp, func::CallOp, loom::RequireOp,
                loom::RequireBroadcastOp, loom::RunOp, loom::AllocOp,
                loom::ContiguousOp, loom::ShapeOfOp, loom::FromExtentsOp,
                loom::BroadcastOp, loom::RankOp, loom::ExtentOp,
                memref::CopyOp>([&](auto it) { lower(it); });
    }
  }

private:
  void addState() {
    Block &entry = func.getBody().front();
    call = entry.insertArgument(0u, runtime.ptr, func.getLoc());
    SmallVector<Type> inputs = {runtime.ptr}, results = {runtime.i32};
    llvm::append_range(inputs, func.getArgumentTypes());
    for (Type type : resultTypes)
      results.push_back(passedType(type));
    SmallVector<DictionaryAttr> none(inputs.size());
    func.removeArgAttrsAttr();
    func.removeResAttrsAttr();
    func.setFunctionType(FunctionType::get(func.getContext(), inputs, results));
  }

  /// How a result is passed. Upstream returns unranked memrefs through malloc;
  /// ours stay what they are, since their descriptors live with the call.
  Type passedType(Type type) {
    return isa<UnrankedMemRefType>(type) ? runtime.view : type;
  }

  /// A block that returns `status`, its only argument.
  Block *getFailureBlock() {
    if (failure)
      return failure;
    OpBuilder::InsertionGuard guard(b);
    failure = b.createBlock(&func.getBody(), func.getBody().end(),
                            {runtime.i32}, {func.getLoc()});
    SmallVector<Value> values = {failure->getArgument(0)};
    for (Type type : resultTypes)
      values.push_back(makeNothing(type));
    func::ReturnOp::create(b, func.getLoc(), values);
    return failure;
  }

  /// A value that nobody reads.
  Value makeNothing(Type type) {
    Location at = func.getLoc();
    Type storage = type;
    if (auto ranked = dyn_cast<MemRefType>(type))
      storage = runtime.descriptorType(ranked.getRank());
    else if (isa<UnrankedMemRefType>(type))
      return LLVM::ZeroOp::create(b, at, runtime.view);
    else if (isa<loom::ShapeType>(type))
      storage = runtime.view;
    else
      return arith::ConstantOp::create(b, at, b.getZeroAttr(type));
    Value zero = LLVM::ZeroOp::create(b, at, storage);
    return runtime.fromStruct(b, at, zero, type);
  }

  /// Goes on only if `status` is 0; `b` is then at the head of the rest.
  void check(Value status) {
    Block *here = b.getInsertionBlock();
    Block *rest = here->splitBlock(b.getInsertionPoint());
    b.setInsertionPointToEnd(here);
    Value ok = runtime.constant(b, loc, runtime.i32, BROADLOOM_OK);
    Value good =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status, ok);
    cf::CondBranchOp::create(b, loc, good, rest, ValueRange{},
                             getFailureBlock(), ValueRange{status});
    b.setInsertionPointToStart(rest);
  }

  void lower(func::ReturnOp op) {
    SmallVector<Value> values = {
        runtime.constant(b, loc, runtime.i32, BROADLOOM_OK)};
    for (Value value : op.getOperands())
      values.push_back(
          isa<UnrankedMemRefType>(value.getType()) ? keep(value)
          : isa<loom::ShapeType>(value.getType())
              ? runtime.fromStruct(b, loc, keep(value), value.getType())
              : value);
    func::ReturnOp::create(b, loc, values);
    op.erase();
  }

  /// The view of an unranked memref or a shape, with a descriptor that outlives
  /// this function's stack.
  Value keep(Value value) {
    Value place = makeViews(value);
    check(runtime.call(b, loc, "broadloomKeepView", {call, place}));
    return LLVM::LoadOp::create(b, loc, runtime.view, place);
  }

  void lower(func::CallOp op) {
    SmallVector<Value> arguments = {call};
    llvm::append_range(arguments, op.getOperands());
    SmallVector<Type> types = {runtime.i32};
    for (Type type : op.getResultTypes())
      types.push_back(passedType(type));
    auto made =
        func::CallOp::create(b, loc, mangle(op.getCallee()), types, arguments);
    check(made.getResult(0));
    for (auto [old, result] :
         llvm::zip(op.getResults(), made.getResults().drop_front()))
      old.replaceAllUsesWith(
          result.getType() == old.getType()
              ? Value(result)
              : runtime.fromStruct(b, loc, result, old.getType()));
    op.erase();
  }

  Value asI64(Value value) {
    if (isa<IndexType>(value.getType()))
      return arith::IndexCastOp::create(b, loc, runtime.i64, value);
    if (value.getType().getIntOrFloatBitWidth() < 64)
      return arith::ExtSIOp::create(b, loc, runtime.i64, value);
    return value;
  }

  void lower(loom::RequireOp op) {
    // The failing side is a block of its own, so that a guard that holds costs
    // one comparison and one branch.
    Block *here = b.getInsertionBlock();
    Block *rest = here->splitBlock(op->getNextNode()->getIterator());
    Block *fail = b.createBlock(&func.getBody(), func.getBody().end());
    b.setInsertionPointToStart(fail);
    Value values = runtime.null(b, loc);
    if (!op.getValues().empty()) {
      values = runtime.stack(func, loc, runtime.i64, op.getValues().size());
      for (auto [i, value] : llvm::enumerate(op.getValues()))
        runtime.store(
            b, loc, asI64(value),
            runtime.element(b, loc, runtime.i64, values, {int32_t(i)}));
    }
    Value site = runtime.site(b, loc, op.getOrigin(), op.getAxisAttr().getInt(),
                              op.getValues().size(), op.getMessage());
    Value status = runtime.call(b, loc, "broadloomFail", {call, site, values});
    cf::BranchOp::create(b, loc, getFailureBlock(), ValueRange{status});
    b.setInsertionPointToEnd(here);
    cf::CondBranchOp::create(b, loc, op.getCondition(), rest, ValueRange{},
                             fail, ValueRange{});
    op.erase();
  }

  /// An array of views of `values` on the stack.
  Value makeViews(ValueRange values) {
    if (values.empty())
      return runtime.null(b, loc);
    Value views = runtime.stack(func, loc, runtime.view, values.size());
    for (auto [i, value] : llvm::enumerate(values))
      runtime.storeView(
          b, loc, func, value,
          runtime.element(b, loc, runtime.view, views, {int32_t(i)}));
    return views;
  }

  Value number(int64_t value) {
    return runtime.constant(b, loc, runtime.i32, value);
  }
  Value bigNumber(int64_t value) {
    return runtime.constant(b, loc, runtime.i64, value);
  }

  void lower(loom::RequireBroadcastOp op) {
    Value site = runtime.site(b, loc, op.getOrigin(), -1, 0, "");
    check(runtime.call(b, loc, "broadloomCheckBroadcast",
                       {call, site, number(op.getShapes().size()),
                        makeViews(op.getShapes())}));
    op.erase();
  }

  void lower(loom::RunOp op) {
    Value inputs = makeViews(op.getInputs());
    unsigned count = op.getNumResults();
    Value results = runtime.stack(func, loc, runtime.view, count);
    SmallVector<Value> places;
    for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
      Value place =
          runtime.element(b, loc, runtime.view, results, {int32_t(i)});
      auto ranked = dyn_cast<MemRefType>(type);
      Value descriptor =
          ranked ? runtime.stack(func, loc,
                                 runtime.descriptorType(ranked.getRank()))
                 : runtime.null(b, loc);
      runtime.store(b, loc, bigNumber(ranked ? ranked.getRank() : 0),
                    runtime.element(b, loc, runtime.view, place, {0, 0}));
      runtime.store(b, loc, descriptor,
                    runtime.element(b, loc, runtime.view, place, {0, 1}));
      places.push_back(ranked ? descriptor : place);
    }
    Value program =
        LLVM::AddressOfOp::create(b, loc, runtime.ptr, op.getProgramAttr());
    check(runtime.call(b, loc, "broadloomLaunch",
                       {call, program, inputs, results,
                        runtime.numbers(b, loc, op.getSlots())}));
    for (auto [i, type] : llvm::enumerate(op.getResultTypes()))
      op.getResult(i).replaceAllUsesWith(loadResult(type, places[i]));
    op.erase();
  }

  /// The memref whose descriptor (ranked) or view (unranked) is at `place`.
  Value loadResult(Type type, Value place) {
    auto ranked = dyn_cast<MemRefType>(type);
    Value loaded = LLVM::LoadOp::create(
        b, loc,
        ranked ? runtime.descriptorType(ranked.getRank()) : runtime.view,
        place);
    return runtime.fromStruct(b, loc, loaded, type);
  }

  void lower(loom::AllocOp op) {
    auto type = cast<MemRefType>(op.getMemref().getType());
    int64_t rank = type.getRank();
    Value extents =
        runtime.stack(func, loc, runtime.i64, std::max<int64_t>(rank, 1));
    auto dynamic = op.getDynamicExtents().begin();
    for (int64_t axis = 0; axis < rank; ++axis) {
      Value extent = type.isDynamicDim(axis) ? asI64(*dynamic++)
                                             : bigNumber(type.getDimSize(axis));
      runtime.store(
          b, loc, extent,
          runtime.element(b, loc, runtime.i64, extents, {int32_t(axis)}));
    }
    Value place = runtime.stack(func, loc, runtime.descriptorType(rank));
    check(runtime.call(b, loc, "broadloomAllocate",
                       {call, number(op.getSlotAttr().getInt()),
                        bigNumber(getStorageBytes(type.getElementType())),
                        bigNumber(rank), extents, place}));
    op.getMemref().replaceAllUsesWith(loadResult(type, place));
    op.erase();
  }

  void lower(loom::ContiguousOp op) {
    auto type = cast<BaseMemRefType>(op.getType());
    Value source = makeViews(op.getSource());
    auto ranked = dyn_cast<MemRefType>(type);
    if (!ranked) {
      // Code on unranked memory goes through the runtime, which reads any
      // strides.
      op.getResult().replaceAllUsesWith(runtime.fromStruct(
          b, loc, runtime.asStruct(b, loc, op.getSource()), type));
      op.erase();
      return;
    }
    Value place =
        runtime.stack(func, loc, runtime.descriptorType(ranked.getRank()));
    check(runtime.call(b, loc, "broadloomContiguous",
                       {call, bigNumber(getStorageBytes(type.getElementType())),
                        source, place}));
    op.getResult().replaceAllUsesWith(loadResult(type, place));
    op.erase();
  }

  void lower(memref::CopyOp op) {
    auto type = cast<BaseMemRefType>(op.getSource().getType());
    Value source = makeViews(op.getSource()),
          target = makeViews(op.getTarget());
    check(runtime.call(b, loc, "broadloomCopy",
                       {call, bigNumber(getStorageBytes(type.getElementType())),
                        source, target}));
    op.erase();
  }

  void lower(loom::ShapeOfOp op) {
    // A shape is the view of a tensor whose data nobody reads.
    Value view = runtime.stack(func, loc, runtime.view);
    runtime.storeView(b, loc, func, op.getTensor(), view);
    Value loaded = LLVM::LoadOp::create(b, loc, runtime.view, view);
    op.getShape().replaceAllUsesWith(
        runtime.fromStruct(b, loc, loaded, op.getShape().getType()));
    op.erase();
  }

  void lower(loom::FromExtentsOp op) {
    int64_t rank = op.getExtents().size();
    Type type = runtime.descriptorType(rank);
    Value descriptor = runtime.stack(func, loc, type);
    for (auto [axis, extent] : llvm::enumerate(op.getExtents()))
      runtime.store(
          b, loc, asI64(extent),
          runtime.element(b, loc, type, descriptor, {0, 3, int32_t(axis)}));
    Value view = LLVM::UndefOp::create(b, loc, runtime.view);
    for (auto [position, field] :
         llvm::enumerate(SmallVector<Value>{bigNumber(rank), descriptor}))
      view = LLVM::InsertValueOp::create(b, loc, view, field,
                                         ArrayRef<int64_t>{int64_t(position)});
    op.getShape().replaceAllUsesWith(
        runtime.fromStruct(b, loc, view, op.getShape().getType()));
    op.erase();
  }

  void lower(loom::BroadcastOp op) {
    Value views = makeViews(op.getShapes());
    Value result = runtime.stack(func, loc, runtime.view);
    check(runtime.call(b, loc, "broadloomBroadcastShape",
                       {call, number(op.getShapes().size()), views, result}));
    Value loaded = LLVM::LoadOp::create(b, loc, runtime.view, result);
    op.getShape().replaceAllUsesWith(
        runtime.fromStruct(b, loc, loaded, op.getShape().getType()));
    op.erase();
  }

  /// Rank (an i64) of a shape.
  Value rankOf(Value shape) {
    Value view = runtime.asStruct(b, loc, shape);
    return LLVM::ExtractValueOp::create(b, loc, view, ArrayRef<int64_t>{0});
  }

  void lower(loom::RankOp op) {
    Value rank = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                            rankOf(op.getShape()));
    op.getRank().replaceAllUsesWith(rank);
    op.erase();
  }

  void lower(loom::ExtentOp op) {
    Value view = runtime.asStruct(b, loc, op.getShape());
    Value descriptor =
        LLVM::ExtractValueOp::create(b, loc, view, ArrayRef<int64_t>{1});
    Value axis = bigNumber(op.getAxis());
    if (int64_t(op.getAxis()) < 0)
      axis = arith::AddIOp::create(b, loc, axis, rankOf(op.getShape()));
    // Beyond the rank the extent is 1 (bcast-1); the load must then stay
    // inside the descriptor, whose offset is always there.
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                         axis, bigNumber(0));
    Value safe = arith::SelectOp::create(b, loc, inside, axis, bigNumber(-1));
    Value dims =
        runtime.element(b, loc, runtime.descriptorType(0), descriptor, {1});
    Value place = LLVM::GEPOp::create(b, loc, runtime.ptr, runtime.i64, dims,
                                      ArrayRef<LLVM::GEPArg>{safe});
    Value loaded = LLVM::LoadOp::create(b, loc, runtime.i64, place);
    Value extent =
        arith::SelectOp::create(b, loc, inside, loaded, bigNumber(1));
    op.getExtent().replaceAllUsesWith(
        arith::IndexCastOp::create(b, loc, b.getIndexType(), extent));
    op.erase();
  }

  func::FuncOp func;
  RuntimeCalls &runtime;
  SmallVector<Type> resultTypes;
  OpBuilder b{func.getContext()};
  Location loc = func.getLoc();
  Value call;
  Block *failure = nullptr;
};

struct LoomLowerCallsPass
    : codegen::impl::LoomLowerCallsBase<LoomLowerCallsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkCalls(module)))
      return signalPassFailure();
    RuntimeCalls runtime(module);
    for (auto func :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (func.isExternal()) {
        func.erase();
        continue;
      }
      FunctionType type = func.getFunctionType();
      auto why = func->getAttrOfType<StringAttr>(infer::kNoCompanion);
      auto companion = infer::readCompanion(func);
      FunctionLowering(func, runtime).run();
      std::string name = func.getName().str();
      func.setName(mangle(name));
      if (func.isPublic())
        describeEntry(buildEntryPoint(func, name, type.getResults(), runtime),
                      name, type, why);
      if (companion && companion->isPublic)
        buildShapeEntry(func, *companion, runtime);
      func.setPrivate();
      func->setAttr(
          "llvm.linkage",
          LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
    }
  }
};

} // namespace
