//===- FunctionTable.cpp - what a compiled program has --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/FunctionTable.h"

#include "codegen/SymbolNames.h"
#include "codegen/abi/ElementTypes.h"
#include "codegen/layout/ConstantData.h"
#include "codegen/target/CodeTarget.h"
#include "runtime/abi/Abi.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static constexpr llvm::StringLiteral kEntry = "loom.entry";

/// The element types; for arguments also whether they are signless.
static DenseI32ArrayAttr getTypes(Builder &b, TypeRange types, bool isArgument,
                                  const llvm::SmallBitVector &isOfCaller) {
  SmallVector<int32_t> numbers;
  for (auto [i, type] : llvm::enumerate(types)) {
    Type element = getElementTypeOrSelf(type);
    auto known = getRuntimeType(element);
    int32_t number = known ? int32_t(*known) : -1;
    if (isArgument && known && element.isSignlessInteger())
      number += BROADLOOM_SIGNLESS;
    if (isArgument && known && isOfCaller.test(i))
      number += BROADLOOM_MEMORY;
    numbers.push_back(number);
  }
  return b.getDenseI32ArrayAttr(numbers);
}

void codegen::describeEntry(func::FuncOp entry, StringRef name,
                            FunctionType type,
                            const llvm::SmallBitVector &isOfCaller,
                            StringAttr why, int64_t planned) {
  Builder b(entry.getContext());
  SmallVector<NamedAttribute> notes = {
      b.getNamedAttr("name", b.getStringAttr(name)),
      b.getNamedAttr("arguments",
                     getTypes(b, type.getInputs(), true, isOfCaller)),
      b.getNamedAttr("results",
                     getTypes(b, type.getResults(), false, isOfCaller))};
  notes.push_back(b.getNamedAttr("planned", b.getI64IntegerAttr(planned)));
  if (why)
    notes.push_back(b.getNamedAttr("why", why));
  entry->setAttr(kEntry, b.getDictionaryAttr(notes));
}

namespace {

class TableBuilder {
public:
  explicit TableBuilder(ModuleOp module)
      : module(module), symbols(module), data(module, "loom_functions_"),
        loc(module.getLoc()) {}

  void build(ArrayRef<LLVM::LLVMFuncOp> entries) {
    SmallVector<FunctionRecord> rows;
    for (LLVM::LLVMFuncOp entry : entries)
      rows.push_back(makeRow(entry));
    auto functions = data.table(loc, rows, "loom_functions");
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    auto version = LLVM::GlobalOp::create(
        b, loc, b.getI32Type(), /*isConstant=*/true, LLVM::Linkage::External,
        abi::kVersionSymbol, Attribute());
    data.publicRecord(loc,
                      FunctionsRecord()
                          .abiVersion(BROADLOOM_ABI_VERSION)
                          .numFunctions(entries.size())
                          .functions(functions)
                          .runtime(FlatSymbolRefAttr::get(version))
                          .instructionSets(getInstructionSets()),
                      kFunctionTable);
  }

private:
  /// The instruction sets of the module's target; 0 if LLVM does not know the
  /// machine.
  uint64_t getInstructionSets() {
    auto target = CodeTarget::getOf(module);
    if (target)
      return target->getInstructionSets();
    llvm::consumeError(target.takeError());
    return 0;
  }

  FunctionRecord makeRow(LLVM::LLVMFuncOp entry) {
    auto notes = entry->getAttrOfType<DictionaryAttr>(kEntry);
    StringRef name = notes.getAs<StringAttr>("name").getValue();
    auto why = notes.getAs<StringAttr>("why");
    auto shapes =
        symbols.lookup<LLVM::LLVMFuncOp>((kShapesPrefix + name).str());
    auto arguments = notes.getAs<DenseI32ArrayAttr>("arguments").asArrayRef(),
         results = notes.getAs<DenseI32ArrayAttr>("results").asArrayRef();
    auto numbers = [&](ArrayRef<int32_t> values) {
      return values.empty() ? FlatSymbolRefAttr() : data.numbers(loc, values);
    };
    auto symbolOf = [](LLVM::LLVMFuncOp function) {
      return function ? FlatSymbolRefAttr::get(function) : FlatSymbolRefAttr();
    };
    return FunctionRecord()
        .name(data.string(loc, name))
        .entry(symbolOf(entry))
        .shapes(symbolOf(shapes))
        .whyNoShapes(why ? data.string(loc, why.getValue())
                         : FlatSymbolRefAttr())
        .numArguments(arguments.size())
        .numResults(results.size())
        .argumentTypes(numbers(arguments))
        .resultTypes(numbers(results))
        .plannedBytes(notes.getAs<IntegerAttr>("planned").getInt());
  }

  ModuleOp module;
  SymbolTable symbols;
  ConstantData data;
  Location loc;
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
