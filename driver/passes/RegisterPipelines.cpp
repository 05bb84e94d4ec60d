//===- RegisterPipelines.cpp - the pipelines by name ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PolicyValues.h"
#include "driver/passes/Pipeline.h"
#include "driver/passes/StrategyValues.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// PipelineOptions as text. A goal sets some of them itself.
struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  Option<Strategy> strategy{
      *this, "strategy", llvm::cl::desc("How element-wise work is lowered"),
      llvm::cl::init(Strategy::Default), getStrategyValues()};
  Option<DynamicToStatic> dynamicToStatic{
      *this, "dynamic-to-static",
      llvm::cl::desc("a static result extent where the operands give none "
                     "(verify-4)"),
      llvm::cl::init(DynamicToStatic::Allow), getPolicyValues()};
  ListOption<std::string> libraries{
      *this, "libraries",
      llvm::cl::desc("Files of shape libraries, beside the one for TOSA")};
  Option<bool> nameExtents{
      *this, "name-extents",
      llvm::cl::desc("Write what is known of results' extents as loom.extents "
                     "(abi-1)")};
  Option<bool> standIns{
      *this, "stand-ins",
      llvm::cl::desc("Put tensors of the right shapes in the place of users' "
                     "operations that nothing computes")};
  Option<bool> foldsElements{
      *this, "fold-elements",
      llvm::cl::desc("Compute the conditions of guards on constants")};
  Option<bool> marksSites{
      *this, "mark-sites",
      llvm::cl::desc("Make code that measures time for a profile")};
  Option<bool> verbose{
      *this, "verbose",
      llvm::cl::desc("A remark for each function that has no tensors and is "
                     "left as it is")};
  Option<bool> memory{
      *this, "memory",
      llvm::cl::desc("Check functions over memory too, which are left as they "
                     "are without it, and tell what is left")};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("The file of a schedule, which edits loops over memory")};
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("The machine that code is made for, as LLVM names it; "
                     "this one without it")};
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("The processor that code is made for, as LLVM names it")};

  PipelineOptions get() const {
    PipelineOptions options;
    options.strategy = strategy;
    options.dynamicToStatic = dynamicToStatic;
    options.libraries = std::make_shared<infer::ShapeLibraries>(
        std::vector<std::string>(libraries.begin(), libraries.end()));
    options.nameExtents = nameExtents;
    options.standIns = standIns;
    options.foldsElements = foldsElements;
    options.marksSites = marksSites;
    options.verbose = verbose || memory;
    options.checksMemory = memory;
    options.schedule = schedule;
    options.target = target;
    options.cpu = cpu;
    return options;
  }
};

} // namespace

/// Whether other passes go on with what comes out. Machine code, and shape
/// queries, are made of a whole program.
static bool isForOtherPipelines(Stage stage) {
  return llvm::is_contained(
      {Stage::Legalize, Stage::Guard, Stage::FuseReductions, Stage::ToLinalg},
      stage);
}

static bool isForOtherPipelines(Goal goal) {
  return llvm::is_contained({Goal::Check, Goal::Loom, Goal::Linalg}, goal);
}

static void registerStage(Stage stage, StringRef description) {
  PassPipelineRegistration<PipelineFlags>(
      ("broadloom-" + getName(stage)).str(), description,
      [stage](OpPassManager &pm, const PipelineFlags &flags) {
        PipelineOptions options = flags.get();
        options.leavesOthers = isForOtherPipelines(stage);
        addStage(pm, stage, options);
      });
}

static void registerGoal(StringRef name, Goal goal, StringRef description) {
  PassPipelineRegistration<PipelineFlags>(
      name, description, [goal](OpPassManager &pm, const PipelineFlags &flags) {
        Pipeline pipeline = makePipeline(goal, flags.get());
        pipeline.options.leavesOthers = isForOtherPipelines(goal);
        for (Stage stage : pipeline.stages)
          addStage(pm, stage, pipeline.options);
      });
}

void broadloom::registerPipelines() {
  registerStage(Stage::CollectReport,
                "Stage: passes behind it record what becomes of constraints");
  PassPipelineRegistration<PipelineFlags>(
      "broadloom-prepare",
      "Of the stage legalize: what convert-tosa-to-loom needs before it",
      [](OpPassManager &pm, const PipelineFlags &flags) {
        addPreparation(pm, flags.get());
      });
  registerStage(Stage::Legalize,
                "Stage: users' operations, and then loom and what is left of "
                "TOSA");
  registerStage(Stage::Guard, "Stage: shape functions, fused maps and guards");
  registerStage(Stage::FuseReductions,
                "Stage: reductions and the maps around them as one operation");
  registerStage(Stage::QueryShapes, "Stage: TOSA to linalg, and shape queries");
  registerStage(Stage::ToLinalg, "Stage: maps to linalg, guards to cf.assert");
  registerStage(Stage::ToLLVM,
                "Stage: buffers, kernels, calls, the LLVM dialect");
  registerStage(Stage::QueriesToLLVM,
                "Stage: shape queries, and nothing else, to the LLVM dialect");

  registerGoal("broadloom-check", Goal::Check,
               "What `broadloom check` runs: all stages to guards");
  registerGoal("broadloom-shapes", Goal::Shapes,
               "What `broadloom shapes` runs: all stages to shape queries");
  registerGoal("broadloom-emit-shape-library", Goal::ShapeLibrary,
               "What --emit=shape-library runs on reference implementations");
  registerGoal("broadloom-emit-loom", Goal::Loom, "What --emit=loom runs");
  registerGoal("broadloom-emit-linalg", Goal::Linalg,
               "What --emit=linalg runs");
  registerGoal("broadloom-emit-llvm", Goal::LLVM, "What --emit=llvm runs");
  registerGoal("broadloom-compile", Goal::LLVM,
               "What the compiler runs before it makes machine code: the same "
               "as broadloom-emit-llvm");
}
