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
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <numeric>

using namespace llvm;
using namespace broadloom::scalar;

static constexpr StringLiteral kPrefix = "loom_lookup_";
static_assert(tables::kEntries == 2 * kLookupLanes);

/// Vectors that loops over elements become: of 16, and of 8 where elements of
/// 64 bits are in the loop too.
static constexpr unsigned kVectors[] = {kLookupLanes, kLookupLanes / 2};

std::string broadloom::scalar::getLookupName(StringRef table) {
  return (kPrefix + table).str();
}

static std::string getVectorName(StringRef scalar, unsigned lanes) {
  return (scalar + "_x" + Twine(lanes)).str();
}

std::string broadloom::scalar::getVectorLookupName(StringRef table) {
  return getVectorName(getLookupName(table), kLookupLanes);
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

/// Makes it a function of this module alone, which does nothing but compute.
static void makeLocal(Function &function) {
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
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

/// The version of `scalar` for vectors of `lanes`.
static Function &getVersion(Function &scalar, unsigned lanes,
                            ArrayRef<double> table) {
  Module &module = *scalar.getParent();
  LLVMContext &context = module.getContext();
  auto *type =
      FunctionType::get(FixedVectorType::get(Type::getFloatTy(context), lanes),
                        FixedVectorType::get(Type::getInt32Ty(context), lanes),
                        /*isVarArg=*/false);
  auto callee =
      module.getOrInsertFunction(getVectorName(scalar.getName(), lanes), type);
  auto &function = *cast<Function>(callee.getCallee());
  if (function.isDeclaration()) {
    makeLocal(function);
    defineVector(function, table);
  }
  return function;
}

/// Tells LLVM's vectoriser of the versions of `scalar`, which it adds to
/// `made`.
static void addVersions(Function &scalar, ArrayRef<double> table,
                        SmallVectorImpl<GlobalValue *> &made) {
  std::string versions;
  for (unsigned lanes : kVectors) {
    Function &version = getVersion(scalar, lanes, table);
    made.push_back(&version);
    versions += versions.empty() ? "" : ",";
    versions += ("_ZGV_LLVM_N" + Twine(lanes) + "v_" + scalar.getName() + "(" +
                 version.getName() + ")")
                    .str();
  }
  for (User *user : scalar.users())
    if (auto *call = dyn_cast<CallInst>(user))
      call->addFnAttr(Attribute::get(scalar.getContext(),
                                     "vector-function-abi-variant", versions));
}

void broadloom::scalar::defineLookups(Module &module, bool hasVectors) {
  SmallVector<Function *> declared;
  for (Function &function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        function.getName().starts_with(kPrefix))
      declared.push_back(&function);
  SmallVector<GlobalValue *> versions;
  for (Function *function : declared) {
    StringRef name = function->getName().drop_front(kPrefix.size());
    bool isVector = function->getReturnType()->isVectorTy();
    ArrayRef<double> table = findTable(name.split('_').first);
    // Another function's version may have defined it.
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
      addVersions(*function, table, versions);
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
