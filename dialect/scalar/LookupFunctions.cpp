//===- LookupFunctions.cpp - numbers from tables in registers -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/scalar/LookupFunctions.h"
#include "dialect/scalar/LookupTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace broadloom::scalar;

static constexpr StringLiteral kPrefix = "loom_lookup_";
static constexpr StringLiteral kVectorSuffix = "_x16";
static_assert(kLookupLanes == 16 && tables::kEntries == 2 * kLookupLanes);

std::string broadloom::scalar::getLookupName(StringRef table) {
  return (kPrefix + table).str();
}

std::string broadloom::scalar::getVectorLookupName(StringRef table) {
  return (kPrefix + table + kVectorSuffix).str();
}

/// The table of that name; empty if there is none.
static ArrayRef<double> findTable(StringRef name) {
  if (name == "powers")
    return tables::powers;
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

static void markAsPure(Function &function) {
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
}

static void makeLocal(Function &function) {
  function.setLinkage(GlobalValue::InternalLinkage);
  // Until the loops around its calls are vectors.
  function.addFnAttr(Attribute::NoInline);
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
  // Next to the code, whatever model of code the module has.
  global->setCodeModel(CodeModel::Small);
  IRBuilder<> b(BasicBlock::Create(context, "", &function));
  Value *index = b.CreateAnd(function.getArg(0), tables::kEntries - 1);
  Value *place =
      b.CreateInBoundsGEP(numbers->getType(), global, {b.getInt32(0), index});
  b.CreateRet(b.CreateLoad(b.getFloatTy(), place));
}

/// The body of a function on vectors: one instruction, which takes as much of
/// the index as it needs.
static void defineVector(Function &function, ArrayRef<double> table) {
  LLVMContext &context = function.getContext();
  auto half = [&](unsigned number) {
    SmallVector<float> some = take(table, number * kLookupLanes, kLookupLanes);
    return ConstantDataVector::get(context, ArrayRef(some));
  };
  IRBuilder<> b(BasicBlock::Create(context, "", &function));
  b.CreateRet(b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_ps_512,
                                {half(0), function.getArg(0), half(1)}));
}

static Function *declareVector(Module &module, StringRef table) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(
      FixedVectorType::get(Type::getFloatTy(context), kLookupLanes),
      FixedVectorType::get(Type::getInt32Ty(context), kLookupLanes),
      /*isVarArg=*/false);
  auto callee = module.getOrInsertFunction(getVectorLookupName(table), type);
  return cast<Function>(callee.getCallee());
}

void broadloom::scalar::defineLookups(Module &module, bool hasVectors) {
  SmallVector<GlobalValue *> versions;
  for (Function &function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front(kPrefix))
      continue;
    bool isVector = name.consume_back(kVectorSuffix);
    ArrayRef<double> table = findTable(name);
    if (table.empty() || (isVector && !hasVectors))
      continue;
    markAsPure(function);
    makeLocal(function);
    if (isVector) {
      defineVector(function, table);
      continue;
    }
    defineScalar(function, table);
    if (!hasVectors)
      continue;
    Function *vector = declareVector(module, name);
    versions.push_back(vector);
    std::string mapping = "_ZGV_LLVM_N" + std::to_string(kLookupLanes) + "v_" +
                          function.getName().str() + "(" +
                          vector->getName().str() + ")";
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallInst>(user))
        call->addFnAttr(Attribute::get(module.getContext(),
                                       "vector-function-abi-variant", mapping));
    if (vector->isDeclaration()) {
      markAsPure(*vector);
      makeLocal(*vector);
      defineVector(*vector, table);
    }
  }
  // Nothing calls them before vectorisation; keep them until then.
  if (!versions.empty())
    appendToCompilerUsed(module, versions);
}

static void inlineCalls(Function &function) {
  SmallVector<CallInst *> calls;
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallInst>(user))
      calls.push_back(call);
  for (CallInst *call : calls) {
    InlineFunctionInfo info;
    InlineFunction(*call, info);
  }
}

void broadloom::scalar::inlineLookups(Module &module) {
  auto isLookup = [](Function &function) {
    return !function.isDeclaration() && function.getName().starts_with(kPrefix);
  };
  removeFromUsedLists(module, [&](Constant *used) {
    auto *function = dyn_cast<Function>(used);
    return function && isLookup(*function);
  });
  for (Function &function : make_early_inc_range(module)) {
    if (!isLookup(function))
      continue;
    inlineCalls(function);
    function.removeDeadConstantUsers();
    GlobalVariable *table = module.getNamedGlobal(getTableName(function));
    if (function.use_empty())
      function.eraseFromParent();
    if (table && table->use_empty())
      table->eraseFromParent();
  }
}
