//===- Optimise.cpp - the passes of LLVM that compiled code needs ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/Optimise.h"
#include "codegen/kernels/KernelParts.h"
#include "codegen/kernels/StreamedLoops.h"
#include "codegen/machine/VectorInstructions.h"
#include "codegen/target/CodeTarget.h"
#include "scalar/LookupFunctions.h"
#include "scalar/RareCases.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

bool broadloom::codegen::hasLoop(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  FindFunctionBackedges(function, edges);
  return !edges.empty();
}

/// Whether the block has a call of a function that does more than compute a
/// number: such a call takes far longer than the code around it.
static bool callsAway(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && !isa<IntrinsicInst>(call) && !call->onlyReadsMemory();
  });
}

bool broadloom::codegen::hasFastLoop(const Function &function) {
  // A depth-first search that does not enter blocks with such calls. A block
  // that is reached again while it is open is the head of a loop.
  enum class State : char { New, Open, Done };
  DenseMap<const BasicBlock *, State> states;
  SmallVector<std::pair<const BasicBlock *, const_succ_iterator>> path;
  auto enter = [&](const BasicBlock *block) {
    State &state = states[block];
    if (state != State::New)
      return state == State::Open;
    state = callsAway(*block) ? State::Done : State::Open;
    if (state == State::Open)
      path.push_back({block, succ_begin(block)});
    return false;
  };
  for (const BasicBlock &block : function) {
    if (enter(&block))
      return true;
    while (!path.empty()) {
      auto &[last, next] = path.back();
      if (next == succ_end(last)) {
        states[last] = State::Done;
        path.pop_back();
      } else if (enter(*next++)) {
        return true;
      }
    }
  }
  return false;
}

/// Whether the function is rarely called and need not be fast.
static bool isCold(const Function &function) {
  return function.hasFnAttribute(Attribute::Cold);
}

/// The number of instructions from which glue code counts as long.
static constexpr unsigned kLong = 4000;

bool broadloom::codegen::isLongGlue(const Module &module) {
  unsigned instructions = 0;
  for (const Function &function : module) {
    if (function.isDeclaration() || isCold(function))
      continue;
    if (isKernelName(function.getName()) || hasFastLoop(function))
      return false;
    instructions += function.getInstructionCount();
  }
  return instructions > kLong;
}

/// Makes each use of `argument` outside the first block a load from the stack.
static void passThroughStack(Argument &argument) {
  BasicBlock &entry = argument.getParent()->getEntryBlock();
  SmallVector<Use *> uses;
  for (Use &use : argument.uses())
    if (cast<Instruction>(use.getUser())->getParent() != &entry)
      uses.push_back(&use);
  if (uses.empty())
    return;
  IRBuilder<> b(&entry, entry.begin());
  Value *slot = b.CreateAlloca(argument.getType());
  b.CreateStore(&argument, slot);
  for (Use *use : uses) {
    b.SetInsertPoint(cast<Instruction>(use->getUser()));
    use->set(b.CreateLoad(argument.getType(), slot));
  }
}

/// Makes all values that are live across blocks go through the stack.
static void passThroughStack(Function &function,
                             FunctionAnalysisManager &functions) {
  // Splits the edges first: the pass would update a dominator tree for each
  // edge, which takes time for the whole function.
  SplitAllCriticalEdges(function);
  functions.invalidate(function, PreservedAnalyses::none());
  functions.invalidate(function, RegToMemPass().run(function, functions));
  // There are no phis left, before which no load can stand.
  for (Argument &argument : function.args())
    passThroughStack(argument);
}

/// The same for a long function among others: it is not optimised, and uses
/// fast instruction selection. Values go through the stack because the register
/// allocator, which is the same for all functions of a module, takes time for
/// each value in each block where it is live.
static bool skipLongGlue(Function &function, TargetMachine &target,
                         FunctionAnalysisManager &functions) {
  if (isKernelName(function.getName()) ||
      function.getInstructionCount() <= kLong || hasFastLoop(function))
    return false;
  passThroughStack(function, functions);
  function.addFnAttr(Attribute::OptimizeNone);
  function.addFnAttr(Attribute::NoInline);
  target.setO0WantsFastISel(true);
  return true;
}

/// InstCombine with one iteration: a second one finds too little.
static InstCombinePass combineOnce() {
  return InstCombinePass(InstCombineOptions().setMaxIterations(1));
}

static FunctionPassManager makeKernelPipeline() {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(combineOnce());
  passes.addPass(LoopVectorizePass());
  // Removes checks that the trip count makes redundant, and the scalar loop.
  passes.addPass(combineOnce());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

/// The pipeline for kernels whose loop is already over vectors.
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
  // Without this the whole pipeline would run on long glue code too.
  PassInstrumentationCallbacks callbacks;
  OptNoneInstrumentation skipping(/*DebugLogging=*/false);
  skipping.registerCallbacks(callbacks);
  PassBuilder builder(&target, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  bool needsAll = false;
  for (Function &function : module) {
    if (function.hasOptNone())
      target.setO0WantsFastISel(true);
    if (function.isDeclaration() || skipLongGlue(function, target, functions))
      continue;
    // LLVM prefers narrower vectors on machines whose clock drops with wide
    // ones; strip kernels are bound by memory or by few wide operations.
    if (hasWideVectors(target))
      function.addFnAttr("prefer-vector-width", "512");
    needsAll |= !isKernelName(function.getName()) && !isCold(function) &&
                hasLoop(function);
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
  scalar::inlineRareCases(module);
  for (Function &function : module) {
    if (function.isDeclaration() || !isKernelName(function.getName()))
      continue;
    // The speed of a loop depends on its alignment to cache lines, which must
    // not depend on the kernels before it.
    function.setAlignment(Align(64));
    useVectorInstructions(function, target);
    addStreamedLoop(function, target);
  }
}
