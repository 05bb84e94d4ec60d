//===- EntryPoint.cpp - a function as the runtime calls it ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/EntryPoint.h"
#include "codegen/abi/FunctionFrame.h"
#include "codegen/kernels/StripKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// For each argument its rank and its extents, -1 for what is not known
/// (broadloomEnter).
static SmallVector<int64_t> describeArguments(ArrayRef<Type> types) {
  SmallVector<int64_t> numbers;
  for (Type type : types) {
    auto ranked = dyn_cast<MemRefType>(type);
    numbers.push_back(ranked                          ? ranked.getRank()
                      : isa<UnrankedMemRefType>(type) ? -1
                                                      : 0);
    if (ranked)
      for (int64_t extent : ranked.getShape())
        numbers.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  }
  return numbers;
}

/// For each result where it is and what (BroadloomResult).
static SmallVector<int32_t> describeResults(ArrayRef<Type> types) {
  SmallVector<int32_t> numbers;
  int64_t offset = 0;
  for (Type type : types) {
    auto ranked = dyn_cast<MemRefType>(type);
    numbers.push_back(ranked                          ? ranked.getRank()
                      : isa<UnrankedMemRefType>(type) ? -1
                                                      : -2);
    numbers.push_back(getStorageBytes(getElementTypeOrSelf(type)));
    numbers.push_back(offset);
    offset += getResultBytes(type);
  }
  return numbers;
}

func::FuncOp broadloom::codegen::buildEntryPoint(func::FuncOp callee,
                                                 StringRef name,
                                                 FunctionType type,
                                                 RuntimeCalls &runtime) {
  OpBuilder b(callee);
  Location loc = callee.getLoc();
  auto entry = func::FuncOp::create(
      b, loc, "broadloom_entry_" + name.str(),
      b.getFunctionType({runtime.ptr, runtime.ptr}, runtime.i32));
  Block *block = entry.addEntryBlock();
  b.setInsertionPointToStart(block);
  ConstantData &data = runtime.data;
  SmallVector<int64_t> arguments = describeArguments(type.getInputs());
  SmallVector<int32_t> results = describeResults(type.getResults());
  int64_t bytes = 0;
  for (Type result : type.getResults())
    bytes += getResultBytes(result);
  // An array has at least one element.
  arguments.push_back(0);
  results.push_back(0);
  Record signature = {Leaf::i32(type.getNumInputs()),
                      Leaf::i32(type.getNumResults()), Leaf::i64(bytes),
                      Leaf::address(data.bigNumbers(loc, arguments)),
                      Leaf::address(data.numbers(loc, results))};
  Value function = func::ConstantOp::create(b, loc, callee.getFunctionType(),
                                            SymbolRefAttr::get(callee));
  function = UnrealizedConversionCastOp::create(b, loc, runtime.ptr, function)
                 .getResult(0);
  Value status =
      runtime.call(b, loc, "broadloomEnter",
                   {block->getArgument(0), function,
                    runtime.addressOf(b, loc, data.record(loc, signature)),
                    block->getArgument(1)});
  func::ReturnOp::create(b, loc, status);
  return entry;
}
