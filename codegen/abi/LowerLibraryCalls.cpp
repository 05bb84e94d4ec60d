//===- LowerLibraryCalls.cpp - calls of functions of other libraries ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An exception of a library must not leave compiled code, which has no
// handlers. So the runtime calls the library, by a function of this program
// that reads the arguments from one block and writes the result to it. That
// function calls what may throw, so that it has an unwind table, and it is the
// only compiled code between the library and the runtime's handler.
//
//===----------------------------------------------------------------------===//

#include "codegen/SymbolNames.h"
#include "codegen/abi/FunctionContext.h"
#include "codegen/layout/AbiTypes.h"
#include "codegen/layout/Storage.h"
#include "dialect/LoomDialect.h"
#include "infer/functions/Origin.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// What is in the block: the arguments, then the results, and where it ends.
struct ArgumentBlock {
  ArgumentBlock(RuntimeCalls &runtime, loom::ExternalCallOp op) {
    SmallVector<Type> types(op.getInputs().getTypes());
    llvm::append_range(types, op.getOutputs().getTypes());
    for (Type type : types) {
      auto memory = dyn_cast<MemRefType>(type);
      stored.push_back(memory ? runtime.descriptorType(memory.getRank())
                              : getStorageType(type));
    }
    offsets = getResultOffsets(types);
  }

  int64_t getBytes() const { return offsets.back(); }

  SmallVector<Type> stored;
  SmallVector<int64_t> offsets;
};

} // namespace

static void storeInBlock(OpBuilder &b, Location loc, RuntimeCalls &runtime,
                         Value value, Value block, int64_t offset) {
  Value stored = isa<MemRefType>(value.getType())
                     ? runtime.asStruct(b, loc, value)
                     : toStorage(b, loc, value);
  runtime.store(b, loc, stored, runtime.offset(b, loc, block, offset));
}

static Value loadFromBlock(OpBuilder &b, Location loc, RuntimeCalls &runtime,
                           Value block, int64_t offset, Type stored,
                           Type type) {
  Value value = LLVM::LoadOp::create(b, loc, stored,
                                     runtime.offset(b, loc, block, offset));
  return isa<MemRefType>(type) ? runtime.fromStruct(b, loc, value, type)
                               : fromStorage(b, loc, value, type);
}

/// The function of the program that makes the call.
static func::FuncOp makeCaller(RuntimeCalls &runtime, loom::ExternalCallOp op,
                               const ArgumentBlock &layout) {
  MLIRContext *context = op.getContext();
  SmallVector<Type> types(op.getInputs().getTypes());
  llvm::append_range(types, op.getOutputs().getTypes());
  func::FuncOp &caller =
      runtime
          .libraryCallers[{op.getSymbolAttr(), TupleType::get(context, types)}];
  if (caller)
    return caller;
  Location loc = op.getLoc();
  caller = runtime.makeFunction(
      loc, kLibraryPrefix + Twine(runtime.libraryCallers.size() - 1),
      getAbiFunctionType(context, abi::LibraryCaller));
  OpBuilder b = OpBuilder::atBlockBegin(caller.addEntryBlock());
  Value block = caller.getArgument(0);
  IRMapping mapping;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    mapping.map(input, loadFromBlock(b, loc, runtime, block, layout.offsets[i],
                                     layout.stored[i], input.getType()));
  auto call = cast<loom::ExternalCallOp>(b.clone(*op, mapping));
  call.removeCopiesAttr();
  size_t numInputs = op.getInputs().size();
  for (auto [i, result] : llvm::enumerate(call->getResults()))
    storeInBlock(b, loc, runtime, result, block, layout.offsets[numInputs + i]);
  func::ReturnOp::create(b, loc);
  return caller;
}

/// Describes the memory in the block.
static SmallVector<LentArgumentRecord>
describeMemory(FunctionContext &c, loom::ExternalCallOp op,
               const ArgumentBlock &layout) {
  SmallVector<LentArgumentRecord> records;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    auto type = dyn_cast<MemRefType>(input.getType());
    if (!type)
      continue;
    auto name = cast<StringAttr>((*op.getCopies())[i]);
    records.push_back(
        LentArgumentRecord()
            .name(c.runtime.data.string(c.loc, name))
            .offset(uint64_t(layout.offsets[i]))
            .rank(type.getRank())
            .elementBytes(getStorageBytes(type.getElementType()))
            .isWritten(llvm::is_contained(op.getWrites(), int64_t(i))));
  }
  return records;
}

void codegen::lower(FunctionContext &c, loom::ExternalCallOp op) {
  ArgumentBlock layout(c.runtime, op);
  func::FuncOp caller = makeCaller(c.runtime, op, layout);
  Value block =
      c.frame.scratch(c.b, c.loc, std::max<int64_t>(layout.getBytes(), 8));
  for (auto [input, offset] : llvm::zip_first(op.getInputs(), layout.offsets))
    storeInBlock(c.b, c.loc, c.runtime, input, block, offset);
  Value function = c.runtime.functionAddress(
      c.b, c.loc, caller.getFunctionType(), FlatSymbolRefAttr::get(caller));
  Value site = c.runtime.site(c.b, c.loc, infer::getOrigin(op), /*axis=*/-1,
                              /*numValues=*/0, "");
  if (op.getCopies()) {
    SmallVector<LentArgumentRecord> lent = describeMemory(c, op, layout);
    Value table =
        c.runtime.addressOf(c.b, c.loc, c.runtime.data.table(c.loc, lent));
    c.checkedCall(abi::broadloomCallLibraryOnCopies,
                  {c.frame.call(), site, function, block, table,
                   c.number(int64_t(lent.size()))});
  } else {
    c.checkedCall(abi::broadloomCallLibrary,
                  {c.frame.call(), site, function, block});
  }
  size_t numInputs = op.getInputs().size();
  for (auto [i, result] : llvm::enumerate(op.getOutputs()))
    result.replaceAllUsesWith(loadFromBlock(
        c.b, c.loc, c.runtime, block, layout.offsets[numInputs + i],
        layout.stored[numInputs + i], result.getType()));
  op.erase();
}
