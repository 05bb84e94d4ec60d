//===- Optimise.cpp - the passes of LLVM that compiled code needs ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/Optimise.h"
#include "codegen/kernels/StreamedLoops.h"
#include "codegen/kernels/StripKernel.h"
#include "codegen/machine/VectorInstructions.h"
#include "scalar/LookupFunctions.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

bool broadloom::codegen::hasLoop(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  FindFunctionBackedges(function, edges);
  return !edges.empty();
}

/// Instructions from which glue is long.
static constexpr unsigned kLong = 4000;

bool broadloom::codegen::isLongGlue(const Module &module) {
  unsigned instructions = 0;
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (isKernelName(function.getName()) || hasLoop(function))
      return false;
    instructions += function.getInstructionCount();
  }
  return instructions > kLong;
}

/// The same for a function among others: LLVM selects its instructions one by
/// one, and unless the whole pipeline runs it stays as it is until then.
static bool skipLongGlue(Function &function, TargetMachine &target) {
  if (isKernelName(function.getName()) ||
      function.getInstructionCount() <= kLong || hasLoop(function))
    return false;
  function.addFnAttr(Attribute::OptimizeNone);
  function.addFnAttr(Attribute::NoInline);
  target.setO0WantsFastISel(true);
  return true;
}

/// One round: what a second one would find is not worth looking for.
static InstCombinePass combineOnce() {
  return InstCombinePass(InstCombineOptions().setMaxIterations(1));
}

static FunctionPassManager makeKernelPipeline() {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(combineOnce());
  passes.addPass(LoopVectorizePass());
  // Checks that the trip count makes needless, and the scalar loop behind.
  passes.addPass(combineOnce());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

/// Of kernels that are written over vectors.
static FunctionPassManager makeVectorPipeline() {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(combineOnce());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

static FunctionPassManager makeGluePipeline() {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

void broadloom::codegen::optimise(Module &module, TargetMachine &target) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;
  PassBuilder builder(&target, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  bool needsAll = false;
  for (Function &function : module) {
    if (function.isDeclaration() || skipLongGlue(function, target))
      continue;
    // LLVM prefers narrower vectors on machines whose clock drops with wide
    // ones; strip kernels are bound by memory or by few wide operations.
    function.addFnAttr("prefer-vector-width", "512");
    needsAll |= !isKernelName(function.getName()) && hasLoop(function);
  }
  if (needsAll)
    builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
        .run(module, modules);
  FunctionPassManager kernel = makeKernelPipeline();
  FunctionPassManager vectors = makeVectorPipeline();
  FunctionPassManager glue = makeGluePipeline();
  if (!needsAll)
    for (Function &function : module)
      if (!function.isDeclaration() && !function.hasOptNone())
        (!isKernelName(function.getName())            ? glue
         : function.hasFnAttribute(kVectorsAttribute) ? vectors
                                                      : kernel)
            .run(function, functions);
  scalar::inlineLookups(module);
  for (Function &function : module) {
    if (function.isDeclaration() || !isKernelName(function.getName()))
      continue;
    // How fast a loop is depends on where it lies among the lines of the cache,
    // which shall not depend on the kernels that stand before it.
    function.setAlignment(Align(64));
    useVectorInstructions(function, target);
    addStreamedLoop(function, target);
  }
}
