//===- FunctionTable.cpp - what a compiled program has --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/FunctionTable.h"

#include "codegen/ElementTypes.h"
#include "codegen/RuntimeCalls.h"
#include "runtime/Abi.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static constexpr llvm::StringLiteral kEntry = "loom.entry";

static DenseI32ArrayAttr getTypes(Builder &b, TypeRange types) {
  SmallVector<int32_t> numbers;
  for (Type type : types) {
    auto known = getRuntimeType(getElementTypeOrSelf(type));
    numbers.push_back(known ? int32_t(*known) : -1);
  }
  return b.getDenseI32ArrayAttr(numbers);
}

void codegen::describeEntry(func::FuncOp entry, StringRef name,
                            FunctionType type, StringAttr why) {
  Builder b(entry.getContext());
  SmallVector<NamedAttribute> notes = {
      b.getNamedAttr("name", b.getStringAttr(name)),
      b.getNamedAttr("arguments", getTypes(b, type.getInputs())),
      b.getNamedAttr("results", getTypes(b, type.getResults()))};
  if (why)
    notes.push_back(b.getNamedAttr("why", why));
  entry->setAttr(kEntry, b.getDictionaryAttr(notes));
}

namespace {

class TableBuilder {
public:
  explicit TableBuilder(ModuleOp module)
      : module(module), runtime(module, "loom_table"), loc(module.getLoc()),
        b(OpBuilder::atBlockEnd(module.getBody())) {}

  void build(ArrayRef<LLVM::LLVMFuncOp> entries) {
    Type ptr = runtime.ptr, i32 = runtime.i32;
    Type row = structOf({ptr, ptr, ptr, ptr, i32, i32, ptr, ptr});
    Type rows = LLVM::LLVMArrayType::get(row, entries.size());
    auto functions = makeGlobal("loom_functions", rows, /*isPublic=*/false);
    fill(functions, [&] {
      Value value = LLVM::UndefOp::create(b, loc, rows);
      for (auto [i, entry] : llvm::enumerate(entries))
        value = LLVM::InsertValueOp::create(b, loc, value, makeRow(row, entry),
                                            int64_t(i));
      return value;
    });
    auto version = LLVM::GlobalOp::create(b, loc, i32, /*isConstant=*/true,
                                          LLVM::Linkage::External,
                                          "broadloomAbi1", Attribute());
    Type table = structOf({i32, i32, ptr, ptr});
    fill(makeGlobal("broadloom_functions", table, /*isPublic=*/true), [&] {
      return makeStruct(table,
                        {runtime.constant(b, loc, i32, BROADLOOM_ABI_VERSION),
                         runtime.constant(b, loc, i32, entries.size()),
                         LLVM::AddressOfOp::create(b, loc, functions),
                         LLVM::AddressOfOp::create(b, loc, version)});
    });
  }

private:
  Type structOf(ArrayRef<Type> fields) {
    return LLVM::LLVMStructType::getLiteral(module.getContext(), fields);
  }

  LLVM::GlobalOp makeGlobal(StringRef name, Type type, bool isPublic) {
    return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                  isPublic ? LLVM::Linkage::External
                                           : LLVM::Linkage::Internal,
                                  name, Attribute());
  }

  template <typename Make> void fill(LLVM::GlobalOp global, Make make) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(b.createBlock(&global.getInitializerRegion()));
    LLVM::ReturnOp::create(b, loc, make());
  }

  Value makeStruct(Type type, ArrayRef<Value> fields) {
    Value value = LLVM::UndefOp::create(b, loc, type);
    for (auto [i, field] : llvm::enumerate(fields))
      value = LLVM::InsertValueOp::create(b, loc, value, field, int64_t(i));
    return value;
  }

  Value makeRow(Type type, LLVM::LLVMFuncOp entry) {
    auto notes = entry->getAttrOfType<DictionaryAttr>(kEntry);
    StringRef name = notes.getAs<StringAttr>("name").getValue();
    auto why = notes.getAs<StringAttr>("why");
    auto shapes = module.lookupSymbol<LLVM::LLVMFuncOp>(
        ("broadloom_shapes_" + name).str());
    auto arguments = notes.getAs<DenseI32ArrayAttr>("arguments").asArrayRef(),
         results = notes.getAs<DenseI32ArrayAttr>("results").asArrayRef();
    auto address = [&](LLVM::LLVMFuncOp function) -> Value {
      return LLVM::AddressOfOp::create(b, loc, function);
    };
    auto numbers = [&](ArrayRef<int32_t> values) {
      return values.empty() ? runtime.null(b, loc)
                            : runtime.numbers(b, loc, values);
    };
    return makeStruct(
        type,
        {runtime.string(b, loc, name), address(entry),
         shapes ? address(shapes) : runtime.null(b, loc),
         why ? runtime.string(b, loc, why.getValue()) : runtime.null(b, loc),
         runtime.constant(b, loc, runtime.i32, arguments.size()),
         runtime.constant(b, loc, runtime.i32, results.size()),
         numbers(arguments), numbers(results)});
  }

  ModuleOp module;
  RuntimeCalls runtime;
  Location loc;
  OpBuilder b;
};

} // namespace

void codegen::buildFunctionTable(ModuleOp module) {
  SmallVector<LLVM::LLVMFuncOp> entries;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(kEntry))
      entries.push_back(function);
  if (entries.empty())
    return;
  TableBuilder(module).build(entries);
  for (LLVM::LLVMFuncOp entry : entries)
    entry->removeAttr(kEntry);
}
