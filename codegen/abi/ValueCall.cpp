//===- ValueCall.cpp - a call of a function by value ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/ValueCall.h"
#include "codegen/abi/FunctionFrame.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

ValueCall::ValueCall(RuntimeCalls &runtime, TypeRange results)
    : runtime(runtime), types(results), offsets(getResultOffsets(results)) {}

int64_t ValueCall::memoryBytes() const {
  return passInMemory(types) ? offsets.back() : 0;
}

Value ValueCall::make(OpBuilder &b, Location loc, StringRef callee, Value state,
                      Value memory, ValueRange arguments) {
  this->memory = memory;
  SmallVector<Value> passed = {state};
  SmallVector<Type> received = {runtime.i32};
  if (memory)
    passed.push_back(memory);
  else
    llvm::append_range(received, types);
  llvm::append_range(passed, arguments);
  auto call = func::CallOp::create(b, loc, callee, received, passed);
  returned = call.getResults().drop_front();
  return call.getResult(0);
}

Value ValueCall::result(OpBuilder &b, Location loc, size_t index) {
  if (!memory)
    return returned[index];
  Value slot = runtime.offset(b, loc, memory, offsets[index]);
  Type type = types[index];
  if (isa<loom::ShapeType>(type))
    return runtime.fromStruct(
        b, loc, LLVM::LoadOp::create(b, loc, runtime.view, slot), type);
  Value stored = LLVM::LoadOp::create(b, loc, runtime.i64, slot);
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, stored);
  return type == runtime.i64
             ? stored
             : Value(arith::TruncIOp::create(b, loc, type, stored));
}
