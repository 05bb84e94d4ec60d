//===- EntryPoint.cpp - a function as the runtime calls it ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/EntryPoint.h"

#include "codegen/SymbolNames.h"
#include "codegen/abi/FunctionFrame.h"
#include "codegen/layout/Storage.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The rank and the extents of each argument, -1 for unknown ones
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

/// The layouts of arguments that are memory (BroadloomSignature::layouts).
static SmallVector<int64_t>
describeLayouts(ArrayRef<Type> types, const llvm::SmallBitVector &isOfCaller) {
  SmallVector<int64_t> numbers;
  auto append = [&](int64_t number) {
    numbers.push_back(ShapedType::isDynamic(number) ? BROADLOOM_ANY_STRIDE
                                                    : number);
  };
  for (auto [i, type] : llvm::enumerate(types)) {
    if (!isOfCaller.test(i)) {
      numbers.push_back(BROADLOOM_LAYOUT_NONE);
      continue;
    }
    // Memory without a rank is row-major (mem-11).
    auto memory = dyn_cast<MemRefType>(type);
    bool isRowMajor = !memory || memory.getLayout().isIdentity();
    numbers.push_back(isRowMajor ? BROADLOOM_LAYOUT_ROW_MAJOR
                                 : BROADLOOM_LAYOUT_STRIDED);
    numbers.push_back(getStorageBytes(getElementTypeOrSelf(type)));
    if (isRowMajor)
      continue;
    auto [strides, offset] = memory.getStridesAndOffset();
    append(offset);
    llvm::for_each(strides, append);
  }
  return numbers;
}

/// A BroadloomResult for each result.
static SmallVector<int32_t> describeResults(ArrayRef<Type> types) {
  SmallVector<int32_t> numbers;
  SmallVector<int64_t> offsets = getResultOffsets(types);
  for (auto [type, offset] : llvm::zip_first(types, offsets)) {
    auto ranked = dyn_cast<MemRefType>(type);
    BroadloomResult result;
    result.rank = ranked                          ? int32_t(ranked.getRank())
                  : isa<UnrankedMemRefType>(type) ? BROADLOOM_RANK_OF_VIEW
                                                  : BROADLOOM_RANK_OF_SCALAR;
    result.elementBytes = getStorageBytes(getElementTypeOrSelf(type));
    result.offset = int32_t(offset);
    appendNumbers<abi::Result>(numbers, result);
  }
  return numbers;
}

func::FuncOp broadloom::codegen::buildEntryPoint(
    func::FuncOp callee, StringRef name, FunctionType type,
    const llvm::SmallBitVector &isOfCaller, RuntimeCalls &runtime) {
  OpBuilder b(callee);
  Location loc = callee.getLoc();
  auto entry =
      func::FuncOp::create(b, loc, (kEntryPrefix + name).str(),
                           getAbiFunctionType(b.getContext(), abi::Entry));
  Block *block = entry.addEntryBlock();
  b.setInsertionPointToStart(block);
  ConstantData &data = runtime.data;
  SmallVector<int64_t> arguments = describeArguments(type.getInputs());
  SmallVector<int32_t> results = describeResults(type.getResults());
  // An array has at least one element.
  arguments.push_back(0);
  results.push_back(0);
  SignatureRecord signature;
  signature.numArguments(type.getNumInputs())
      .numResults(type.getNumResults())
      .resultBytes(getResultOffsets(type.getResults()).back())
      .arguments(data.bigNumbers(loc, arguments))
      .results(data.numbers(loc, results))
      .layouts(isOfCaller.any()
                   ? data.bigNumbers(
                         loc, describeLayouts(type.getInputs(), isOfCaller))
                   : FlatSymbolRefAttr());
  Value function = runtime.functionAddress(b, loc, callee.getFunctionType(),
                                           FlatSymbolRefAttr::get(callee));
  Value status =
      runtime.call(b, loc, abi::broadloomEnter,
                   {block->getArgument(0), function,
                    runtime.addressOf(b, loc, data.record(loc, signature)),
                    block->getArgument(1)});
  func::ReturnOp::create(b, loc, status);
  return entry;
}
