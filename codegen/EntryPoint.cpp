//===- EntryPoint.cpp - a function as the runtime calls it ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/EntryPoint.h"
#include "codegen/StripKernel.h"
#include "runtime/Abi.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// Makes `broadloom_entry_NAME` (BroadloomEntry) around a public function.
class EntryBuilder {
public:
  /// `results` are the callee's result types before it got a status.
  EntryBuilder(func::FuncOp callee, StringRef name, ArrayRef<Type> results,
               RuntimeCalls &runtime)
      : callee(callee), name(name), results(results), runtime(runtime),
        loc(callee.getLoc()) {}

  void build() {
    OpBuilder b(callee);
    auto type = b.getFunctionType({runtime.ptr, runtime.ptr}, {runtime.i32});
    entry = func::FuncOp::create(b, loc, "broadloom_entry_" + name.str(), type);
    Block *block = entry.addEntryBlock();
    b.setInsertionPointToStart(block);
    Value call = block->getArgument(0), views = block->getArgument(1);
    auto types = callee.getArgumentTypes().drop_front();
    for (auto [i, type] : llvm::enumerate(types))
      checkArgument(b, call, views, i, type);
    SmallVector<Value> arguments = {call};
    for (auto [i, type] : llvm::enumerate(types))
      arguments.push_back(loadArgument(b, views, i, type));
    auto made = func::CallOp::create(b, loc, callee, arguments);
    returnUnlessOk(b, made.getResult(0));
    Value status = runtime.constant(b, loc, runtime.i32, BROADLOOM_OK);
    for (auto [i, result] : llvm::enumerate(made.getResults().drop_front()))
      status = handOver(b, call, i, result, status);
    func::ReturnOp::create(b, loc, status);
  }

private:
  /// Returns `status` unless it is 0; `b` is then at the head of the rest.
  void returnUnlessOk(OpBuilder &b, Value status) {
    Block *here = b.getInsertionBlock();
    Block *good = b.createBlock(&entry.getBody(), entry.getBody().end());
    Block *bad = b.createBlock(&entry.getBody(), entry.getBody().end());
    func::ReturnOp::create(b, loc, status);
    b.setInsertionPointToEnd(here);
    Value ok = runtime.constant(b, loc, runtime.i32, BROADLOOM_OK);
    Value fine =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status, ok);
    cf::CondBranchOp::create(b, loc, fine, good, bad);
    b.setInsertionPointToStart(good);
  }

  /// Whoever calls the entry may pass anything: what the code relies on is
  /// checked here, before anything is read.
  void checkArgument(OpBuilder &b, Value call, Value views, int32_t index,
                     Type type) {
    if (isa<UnrankedMemRefType>(type))
      return;
    SmallVector<int64_t> extents;
    if (auto ranked = dyn_cast<MemRefType>(type))
      for (int64_t extent : ranked.getShape())
        extents.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
    Value view = runtime.element(b, loc, runtime.view, views, {index});
    returnUnlessOk(
        b,
        runtime.call(b, loc, "broadloomCheckArgument",
                     {call, runtime.constant(b, loc, runtime.i32, index), view,
                      runtime.constant(b, loc, runtime.i64, extents.size()),
                      runtime.bigNumbers(b, loc, extents)}));
  }

  Value loadArgument(OpBuilder &b, Value views, int32_t index, Type type) {
    Value view = runtime.element(b, loc, runtime.view, views, {index});
    if (isa<UnrankedMemRefType>(type)) {
      Value loaded = LLVM::LoadOp::create(b, loc, runtime.view, view);
      return runtime.fromStruct(b, loc, loaded, type);
    }
    Value descriptor = LLVM::LoadOp::create(
        b, loc, runtime.ptr,
        runtime.element(b, loc, runtime.view, view, {0, 1}));
    if (auto ranked = dyn_cast<MemRefType>(type)) {
      Value loaded = LLVM::LoadOp::create(
          b, loc, runtime.descriptorType(ranked.getRank()), descriptor);
      return runtime.fromStruct(b, loc, loaded, type);
    }
    // A scalar argument comes as a tensor of rank 0.
    Value data = LLVM::LoadOp::create(
        b, loc, runtime.ptr,
        runtime.element(b, loc, runtime.descriptorType(0), descriptor, {0, 1}));
    Value loaded = LLVM::LoadOp::create(b, loc, getStorageType(type), data);
    return fromStorage(b, loc, loaded, type);
  }

  /// Hands result `index` over and returns the status so far.
  Value handOver(OpBuilder &b, Value call, int32_t index, Value result,
                 Value status) {
    Value place = runtime.stack(entry, loc, runtime.view);
    runtime.storeView(b, loc, entry, result, place);
    Type type = getElementTypeOrSelf(results[index]);
    Value own = runtime.call(
        b, loc, "broadloomReturn",
        {call, runtime.constant(b, loc, runtime.i32, index),
         runtime.constant(b, loc, runtime.i64, getStorageBytes(type)), place});
    // The first failure counts.
    Value zero = runtime.constant(b, loc, runtime.i32, BROADLOOM_OK);
    Value first =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status, zero);
    return arith::SelectOp::create(b, loc, first, own, status);
  }

  func::FuncOp callee, entry;
  StringRef name;
  ArrayRef<Type> results;
  RuntimeCalls &runtime;
  Location loc;
};

} // namespace

void broadloom::codegen::buildEntryPoint(func::FuncOp callee, StringRef name,
                                         ArrayRef<Type> results,
                                         RuntimeCalls &runtime) {
  EntryBuilder(callee, name, results, runtime).build();
}
