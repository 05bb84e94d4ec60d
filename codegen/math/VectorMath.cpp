//===- VectorMath.cpp - vector versions of the C library's math -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/math/VectorMath.h"

#include "codegen/SymbolNames.h"
#include "codegen/target/CodeTarget.h"
#include "scalar/MathFunctions.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <string>

using namespace llvm;
using namespace broadloom::codegen;
using broadloom::scalar::getLibraryFunctions;
using broadloom::scalar::LibraryFunction;

/// Loads libmvec into this process, for code that was compiled with it. Returns
/// false if there is none.
static bool loadVectorMath() {
  static bool loaded =
      !sys::DynamicLibrary::LoadLibraryPermanently("libmvec.so.1");
  return loaded;
}

bool broadloom::codegen::hasVectorMath(const CodeTarget &target) {
  return !target.isHost() || loadVectorMath();
}

namespace {

/// Declares the vector versions of `scalar` and returns the attribute that
/// names them.
std::string declareVersions(Module &module, Function &scalar,
                            const LibraryFunction &function,
                            ArrayRef<VectorAbi> abis,
                            SmallVectorImpl<GlobalValue *> &declared) {
  Type *element = scalar.getReturnType();
  std::string versions;
  for (VectorAbi abi : abis) {
    unsigned lanes = abi.bits / element->getScalarSizeInBits();
    std::string shape = "N" + std::to_string(lanes) +
                        std::string(function.parameters, 'v') + "_";
    std::string name =
        std::string("_ZGV") + abi.letter + shape + scalar.getName().str();
    auto *vector = FixedVectorType::get(element, lanes);
    SmallVector<Type *> types(function.parameters, vector);
    auto callee = module.getOrInsertFunction(
        name, FunctionType::get(vector, types, false));
    auto *made = cast<Function>(callee.getCallee());
    made->copyAttributesFrom(&scalar);
    declared.push_back(made);
    if (!versions.empty())
      versions += ",";
    versions +=
        "_ZGV_LLVM_" + shape + scalar.getName().str() + "(" + name + ")";
  }
  return versions;
}

} // namespace

/// Whether LLVM vectorises loops of `function` in one way only: a kernel's
/// strips are whole vectors whatever the extents are.
static bool isKernel(const Function &function) {
  return !function.getName().starts_with(kFunctionPrefix) &&
         !function.getName().starts_with(kLoopPrefix);
}

/// Has calls outside of kernels computed by the functions that they name. LLVM
/// would make vectors, single elements and constants of such loops by what is
/// known of their extents, and each of these rounds in its own way (bcast-7).
static void keepScalarMath(Module &module) {
  for (Function &callee : module)
    if (callee.isDeclaration() && !callee.isIntrinsic() &&
        callee.doesNotAccessMemory())
      for (User *user : callee.users())
        if (auto *call = dyn_cast<CallInst>(user))
          if (!isKernel(*call->getFunction()))
            call->addFnAttr(
                Attribute::get(module.getContext(), Attribute::NoBuiltin));
}

void broadloom::codegen::useVectorMath(Module &module,
                                       const TargetMachine &target) {
  keepScalarMath(module);
  SmallVector<VectorAbi> abis = getVectorAbis(target);
  if (abis.empty())
    return;
  SmallVector<GlobalValue *> declared;
  for (const LibraryFunction &function : getLibraryFunctions()) {
    for (StringRef suffix : {"f", ""}) {
      Function *scalar = module.getFunction((function.name + suffix).str());
      if (!scalar || !scalar->isDeclaration())
        continue;
      std::string versions =
          declareVersions(module, *scalar, function, abis, declared);
      for (User *user : scalar->users())
        if (auto *call = dyn_cast<CallInst>(user))
          if (isKernel(*call->getFunction()))
            call->addFnAttr(Attribute::get(
                module.getContext(), "vector-function-abi-variant", versions));
    }
  }
  // Nothing calls them before vectorisation; keep them until then.
  appendToCompilerUsed(module, declared);
}
