//===- EntryPoint.cpp - a function as the runtime calls it ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/EntryPoint.h"
#include "codegen/EntryWriter.h"
#include "codegen/StripKernel.h"
#include "runtime/Abi.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// Makes `broadloom_entry_NAME` (BroadloomEntry) around a public function.
class EntryBuilder : EntryWriter {
public:
  /// `results` are the callee's result types before it got a status.
  EntryBuilder(func::FuncOp callee, StringRef name, ArrayRef<Type> results,
               RuntimeCalls &runtime)
      : EntryWriter(runtime, callee.getLoc()), callee(callee), name(name),
        results(results) {}

  func::FuncOp build() {
    OpBuilder b(callee);
    auto type = b.getFunctionType({runtime.ptr, runtime.ptr}, {runtime.i32});
    entry = func::FuncOp::create(b, loc, "broadloom_entry_" + name.str(), type);
    Block *block = entry.addEntryBlock();
    b.setInsertionPointToStart(block);
    Value call = block->getArgument(0), views = block->getArgument(1);
    auto types = callee.getArgumentTypes().drop_front();
    for (auto [i, type] : llvm::enumerate(types))
      if (!isa<UnrankedMemRefType>(type))
        checkArgument(b, call, views, i, getExtents(type));
    SmallVector<Value> arguments = {call};
    for (auto [i, type] : llvm::enumerate(types))
      arguments.push_back(loadArgument(b, views, i, type));
    auto made = func::CallOp::create(b, loc, callee, arguments);
    returnUnlessOk(b, made.getResult(0));
    Value status = runtime.constant(b, loc, runtime.i32, BROADLOOM_OK);
    for (auto [i, result] : llvm::enumerate(made.getResults().drop_front()))
      status = handOver(b, call, i, result, status);
    func::ReturnOp::create(b, loc, status);
    return entry;
  }

private:
  /// A scalar comes as a tensor of rank 0.
  static ArrayRef<int64_t> getExtents(Type type) {
    auto ranked = dyn_cast<MemRefType>(type);
    return ranked ? ranked.getShape() : ArrayRef<int64_t>();
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

  func::FuncOp callee;
  StringRef name;
  ArrayRef<Type> results;
};

} // namespace

func::FuncOp broadloom::codegen::buildEntryPoint(func::FuncOp callee,
                                                 StringRef name,
                                                 ArrayRef<Type> results,
                                                 RuntimeCalls &runtime) {
  return EntryBuilder(callee, name, results, runtime).build();
}
