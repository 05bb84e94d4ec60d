//===- VectorVersions.cpp - functions of scalars and vectors --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/VectorVersions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace broadloom::scalar;

/// The vector lengths of vectorised loops: 16, and 8 if the loop also has
/// elements of 64 bits.
static constexpr unsigned kVectors[] = {kVersionLanes, kVersionLanes / 2};

std::string broadloom::scalar::getVersionName(StringRef scalar,
                                              unsigned lanes) {
  return (scalar + "_x" + Twine(lanes)).str();
}

void broadloom::scalar::makeLocal(Function &function) {
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.addFnAttr(Attribute::NoInline);
}

/// The function of vectors of `lanes`.
static Function &getVersion(Function &scalar, unsigned lanes,
                            function_ref<void(Function &)> define) {
  SmallVector<Type *> operands;
  for (Type *type : scalar.getFunctionType()->params())
    operands.push_back(FixedVectorType::get(type, lanes));
  auto *type =
      FunctionType::get(FixedVectorType::get(scalar.getReturnType(), lanes),
                        operands, /*isVarArg=*/false);
  auto callee = scalar.getParent()->getOrInsertFunction(
      getVersionName(scalar.getName(), lanes), type);
  auto &function = *cast<Function>(callee.getCallee());
  if (function.isDeclaration()) {
    makeLocal(function);
    define(function);
  }
  return function;
}

void broadloom::scalar::addVersions(Function &scalar,
                                    function_ref<void(Function &)> define,
                                    SmallVectorImpl<GlobalValue *> &made) {
  // Keeps the scalar function too: LLVM may drop a parameter that is the same
  // in all calls of a local function, and the versions would no longer match.
  made.push_back(&scalar);
  std::string versions;
  for (unsigned lanes : kVectors) {
    Function &version = getVersion(scalar, lanes, define);
    made.push_back(&version);
    versions += versions.empty() ? "" : ",";
    versions +=
        ("_ZGV_LLVM_N" + Twine(lanes) + std::string(scalar.arg_size(), 'v') +
         "_" + scalar.getName() + "(" + version.getName() + ")")
            .str();
  }
  for (User *user : scalar.users())
    if (auto *call = dyn_cast<CallInst>(user))
      call->addFnAttr(Attribute::get(scalar.getContext(),
                                     "vector-function-abi-variant", versions));
}

void broadloom::scalar::keepVersions(Module &module,
                                     ArrayRef<GlobalValue *> versions) {
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

void broadloom::scalar::inlineVersions(Module &module, StringRef prefix,
                                       function_ref<void(Function &)> remove) {
  auto isWanted = [&](Function &function) {
    return !function.isDeclaration() && function.getName().starts_with(prefix);
  };
  removeFromUsedLists(module, [&](Constant *used) {
    auto *function = dyn_cast<Function>(used);
    return function && isWanted(*function);
  });
  for (Function &function : make_early_inc_range(module)) {
    if (!isWanted(function))
      continue;
    inlineCalls(function);
    function.removeDeadConstantUsers();
    if (function.use_empty())
      remove(function);
  }
}
