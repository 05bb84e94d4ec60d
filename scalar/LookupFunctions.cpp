//===- LookupFunctions.cpp - numbers from tables in registers -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/LookupFunctions.h"
#include "scalar/LookupTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"

#include <numeric>

using namespace llvm;
using namespace broadloom::scalar;

static constexpr StringLiteral kLookupPrefix = "loom_lookup_";
static_assert(tables::kEntries == 2 * kLookupLanes);

std::string broadloom::scalar::getLookupName(StringRef table) {
  return (kLookupPrefix + table).str();
}

std::string broadloom::scalar::getVectorLookupName(StringRef table) {
  return getVersionName(getLookupName(table), kLookupLanes);
}

/// The table of that name; empty if there is none.
static ArrayRef<double> findTable(StringRef name) {
  if (name == "powers")
    return tables::powers;
  if (name == "powerRests")
    return tables::powerRests;
  if (name == "inverses")
    return tables::inverses;
  for (auto [k, logarithms] : enumerate(tables::logarithms))
    if (name == "logarithms" + std::to_string(k))
      return logarithms;
  for (const tables::Pieces *pieces : {&tables::tanhPieces, &tables::erfPieces})
    for (auto [k, coefficients] : enumerate(pieces->coefficients))
      if (name == pieces->name + std::to_string(k))
        return coefficients;
  return {};
}

/// `count` elements of a table from `first` on, as f32.
static SmallVector<float> take(ArrayRef<double> table, unsigned first,
                               unsigned count) {
  SmallVector<float> numbers;
  for (double number : table.slice(first, count))
    numbers.push_back(float(number));
  return numbers;
}

static std::string getTableName(const Function &function) {
  return (function.getName() + "_table").str();
}

/// The body of a function on scalars: a load from the table.
static void defineScalar(Function &function, ArrayRef<double> table) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  SmallVector<float> all = take(table, 0, tables::kEntries);
  Constant *numbers = ConstantDataArray::get(context, ArrayRef(all));
  auto *global = new GlobalVariable(
      module, numbers->getType(), /*isConstant=*/true,
      GlobalValue::PrivateLinkage, numbers, getTableName(function));
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  // Places the table near the code, for any code model of the module.
  global->setCodeModel(CodeModel::Small);
  IRBuilder<> b(BasicBlock::Create(context, "", &function));
  Value *index = b.CreateAnd(function.getArg(0), tables::kEntries - 1);
  Value *address =
      b.CreateInBoundsGEP(numbers->getType(), global, {b.getInt32(0), index});
  b.CreateRet(b.CreateLoad(b.getFloatTy(), address));
}

/// The body of a function on vectors: one instruction, which uses only the low
/// bits of the index.
static void defineVector(Function &function, ArrayRef<double> table) {
  LLVMContext &context = function.getContext();
  auto half = [&](unsigned number) {
    SmallVector<float> some = take(table, number * kLookupLanes, kLookupLanes);
    return ConstantDataVector::get(context, ArrayRef(some));
  };
  IRBuilder<> b(BasicBlock::Create(context, "", &function));
  Value *index = function.getArg(0);
  unsigned lanes =
      cast<FixedVectorType>(function.getReturnType())->getNumElements();
  SmallVector<int> order(kLookupLanes, PoisonMaskElem);
  std::iota(order.begin(), order.begin() + lanes, 0);
  if (lanes < kLookupLanes)
    index = b.CreateShuffleVector(index, order);
  Value *found = b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_ps_512,
                                   {half(0), index, half(1)});
  if (lanes < kLookupLanes)
    found = b.CreateShuffleVector(found, ArrayRef(order).take_front(lanes));
  b.CreateRet(found);
}

void broadloom::scalar::defineLookups(Module &module, bool hasVectors) {
  SmallVector<Function *> declared;
  for (Function &function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        function.getName().starts_with(kLookupPrefix))
      declared.push_back(&function);
  SmallVector<GlobalValue *> versions;
  for (Function *function : declared) {
    StringRef name = function->getName().drop_front(kLookupPrefix.size());
    bool isVector = function->getReturnType()->isVectorTy();
    ArrayRef<double> table = findTable(name.split('_').first);
    // It may be defined already as a version of another function.
    if (table.empty() || !function->isDeclaration() ||
        (isVector && !hasVectors))
      continue;
    makeLocal(*function);
    if (isVector) {
      defineVector(*function, table);
      continue;
    }
    defineScalar(*function, table);
    if (hasVectors)
      addVersions(
          *function, [&](Function &version) { defineVector(version, table); },
          versions);
  }
  keepVersions(module, versions);
}

void broadloom::scalar::inlineLookups(Module &module) {
  inlineVersions(module, kLookupPrefix, [&](Function &function) {
    GlobalVariable *table = module.getNamedGlobal(getTableName(function));
    function.eraseFromParent();
    if (table && table->use_empty())
      table->eraseFromParent();
  });
}
