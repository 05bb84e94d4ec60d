//===- Pipeline.cpp - the order of the passes -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/passes/Pipeline.h"
#include "codegen/Passes.h"
#include "codegen/schedule/AutoSchedule.h"
#include "dialect/LoomBoundary.h"
#include "dialect/MemoryFunction.h"
#include "dialect/VariableName.h"
#include "driver/passes/LeaveOthers.h"
#include "driver/passes/WhenPresent.h"
#include "infer/Passes.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Passes.h"
#include "legalize/Passes.h"
#include "lower/Passes.h"
#include "lower/fuse/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;

void broadloom::addPreparation(OpPassManager &pm,
                               const PipelineOptions &options) {
  pm.addPass(legalize::createLoomCheckStructure());
  pm.addPass(legalize::createLoomFlattenTuples());
  pm.addPass(legalize::createLoomExpandSparseConstants());
  pm.addPass(legalize::createLoomMarkMemoryFunctions());
  pm.addPass(legalize::createLoomNormalizeMemory());
  pm.addPass(legalize::createLoomLiftState());
  pm.addPass(legalize::createLoomEraseIdentities());
  // What these change, upstream's verifiers would refuse or crash on.
  pm.addPass(legalize::createLoomCastCalls());
  pm.addPass(legalize::createLoomClearArithmeticFlags());
  pm.addPass(legalize::createLoomLocateBodies());
  pm.addPass(legalize::createLoomPackSetTensors());
  pm.addPass(legalize::createLoomCheckProgram(options.libraries,
                                              options.dynamicToStatic));
  pm.addPass(legalize::createLoomNormalizeBlocks());
  pm.addPass(legalize::createLoomLowerParallelLoops());
  pm.addPass(legalize::createLoomDecomposeLinalg());
  pm.addPass(legalize::createLoomLowerBuffers());
  pm.addPass(legalize::createLoomLowerVectors());
  pm.addPass(legalize::createLoomBindExternals({options.watchesEffects}));
  if (options.constraints)
    pm.addPass(legalize::createLoomGuardNests());
  pm.addPass(legalize::createLoomLowerAffineAccesses());
  pm.addPass(legalize::createLoomNormalizeIndices());
  // A report has the types and operations of the program.
  if (!options.report) {
    pm.addPass(legalize::createLoomGeneralizeMaps());
    pm.addPass(legalize::createLoomIsolatePadding());
    pm.addPass(legalize::createLoomMatchExtents());
    pm.addPass(legalize::createLoomWidenElements());
  }
  if (options.constraints)
    pm.addPass(legalize::createLoomConstrainAssertions());
}

static void addLegalization(OpPassManager &pm, const PipelineOptions &options) {
  // First, because later passes do not know users' operations. Without texts of
  // a user there may be custom operations of well-known converters, and
  // element-wise operations with shape functions of their own.
  auto expand = legalize::createLoomExpandUserOperations(
      options.libraries, options.dynamicToStatic, options.standIns);
  if (options.libraries->hasUsers())
    pm.addPass(std::move(expand));
  else
    addPassWhenPresent(pm, legalize::mayBeExpanded, std::move(expand));
  addPreparation(pm, options);
  pm.addPass(
      options.strategy == Strategy::Rfc
          ? lower::createConvertTosaToLinalgRfc(
                {options.dynamicToStatic, options.constraints})
          : legalize::createConvertTosaToLoom({options.dynamicToStatic}));
  // The analysis and later passes know the loops of scf, not those of affine.
  addPassWhenName(pm, isNameOf<affine::AffineForOp, affine::AffineIfOp>,
                  lower::createLoomLowerAffine(), RunOn::Functions);
  addPassWhenPresent(pm, infer::isElementwiseOnTensors,
                     lower::createLoomElementwiseToLinalg());
  if (options.constraints)
    pm.addPass(infer::createLoomConstrainExtents());
}

static void addGuards(OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(infer::createLoomRefineShapes(options.libraries));
  if (options.strategy == Strategy::Default && options.fusesMaps)
    pm.addNestedPass<func::FuncOp>(lower::createLoomFuseMaps());
  pm.addPass(
      infer::createLoomInsertGuards(options.libraries, options.nameExtents));
  if (options.foldsElements)
    pm.addNestedPass<func::FuncOp>(infer::createLoomFoldElements());
}

/// Replaces boundaries of memory behind all guards, and what reads them. A
/// schedule has the loops of the program.
static void addBoundariesOfMemory(OpPassManager &pm,
                                  const PipelineOptions &options) {
  auto isOfMemory = [](Operation *op) {
    auto boundary = dyn_cast<loom::BoundaryOp>(op);
    return boundary && boundary.isOfMemory();
  };
  addPassWhenName(pm, isNameOf<loom::BoundaryOp>,
                  codegen::createLoomLinalgToLoops({/*ofMemory=*/true}),
                  RunOn::Functions, isOfMemory);
  addPassWhenName(pm, isNameOf<loom::BoundaryOp>,
                  codegen::createLoomReadBoundaries({options.schedule.empty()}),
                  RunOn::Functions, isOfMemory);
}

void broadloom::addLoopsToSchedule(OpPassManager &pm,
                                   const PipelineOptions &options) {
  // Before loops are made: a use of freed memory is told of the operation, and
  // also of a load whose value nothing uses.
  addPassWhenFunction(pm, loom::isOverMemory, codegen::createLoomPlaceMemory());
  addBoundariesOfMemory(pm, options);
}

static void addToLinalg(OpPassManager &pm, const PipelineOptions &options) {
  // The names of extents are an attribute of the dialect loom, which upstream's
  // tools do not have.
  pm.addPass(lower::createLoomEraseExtents());
  addBoundariesOfMemory(pm, options);
  pm.addNestedPass<func::FuncOp>(lower::createLoomLowerBoundaries());
  pm.addPass(lower::createConvertLoomToLinalg());
  pm.addPass(lower::createLoomGuardsToAssert());
  pm.addPass(lower::createLoomLowerTosa(options.libraries));
  pm.addPass(legalize::createLoomUnmarkMemoryFunctions());
}

static void addShapeQueriesToLLVM(OpPassManager &pm) {
  addPassWhenName(
      pm,
      isNameOf<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
               scf::ForOp, scf::WhileOp, scf::IndexSwitchOp>,
      codegen::createLoomLowerIndices());
  addPassWhenDialect(pm, "scf", codegen::createLoomScfToCf());
  pm.addPass(codegen::createLoomLowerCalls());
  addPassWhenMany(pm, codegen::createLoomBodiesToLLVM());
  pm.addPass(codegen::createLoomToLLVM());
}

static bool computesInBF16(Operation *op) {
  auto isBF16 = [](Type type) { return type.isBF16(); };
  return llvm::any_of(op->getOperandTypes(), isBF16) ||
         llvm::any_of(op->getResultTypes(), isBF16);
}

static bool isOverTensors(func::FuncOp func) {
  return !loom::isOverMemory(func);
}

static bool hasTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  auto func = dyn_cast<func::FuncOp>(op);
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor) ||
         (func && (llvm::any_of(func.getArgumentTypes(), isTensor) ||
                   !loom::isOverMemory(func)));
}

/// From tensors to buffers and kernels.
static void addBuffers(OpPassManager &pm, const PipelineOptions &options) {
  addPassWhenPresent(pm, hasTensors, codegen::createLoomSeparateTensors());
  auto isBoundary = isNameOf<loom::BoundaryOp, tensor::PadOp>;
  addPassWhenName(pm, isBoundary, lower::createLoomSplitBoundaries(),
                  RunOn::Functions);
  addPassWhenName(pm, isBoundary, lower::createLoomLowerBoundaries(),
                  RunOn::Functions);
  // The loops of functions over memory are none that become functions.
  addPassWhenFunction(pm, isOverTensors,
                      codegen::createLoomLinalgToLoops({/*ofMemory=*/true}),
                      RunOn::Functions);
  auto isContract = isNameOf<loom::ContractOp>;
  addPassWhenName(pm, isContract, codegen::createLoomPackWeights());
  addPassWhenName(pm, isContract, codegen::createLoomReadTransposed());
  addPassWhenPresent(pm, hasTensors, codegen::createLoomBufferize());
  addPassWhenName(pm, isNameOf<linalg::TransposeOp>,
                  codegen::createLoomCopyTransposed());
  // Sites need the bodies of launches and the operations of linalg, which later
  // passes replace.
  if (options.marksSites)
    pm.addPass(codegen::createLoomMarkSites());
  // Before upstream's passes, because these fold: in the body of a fused
  // reduction, a value's extents follow from its operands, which a fold may
  // drop.
  addPassWhenPresent(
      pm,
      [](Operation *op) {
        auto func = dyn_cast<func::FuncOp>(op);
        return isa<loom::LaunchOp>(op) || (func && isOverTensors(func));
      },
      codegen::createLoomOutlineKernels());
  addPassWhenName(pm, isNameOf<scf::ForallOp>, createForallToForLoopPass());
  // Kernels have no operations of linalg.
  addPassWhenDialect(pm, "linalg", codegen::createLoomLinalgToLoops(),
                     RunOn::Functions);
  addPassWhenFunction(pm, isOverTensors, codegen::createLoomAssignBuffers());
  addPassWhenPresent(
      pm, [](Operation *op) { return op->hasAttr(loom::kState); },
      codegen::createLoomWriteInPlace());
  addPassWhenName(
      pm, isNameOf<memref::SubViewOp>, codegen::createLoomPlaceParts(),
      RunOn::Functions, [](Operation *op) {
        return isa<memref::SubViewOp>(op) && !loom::isOverMemory(op);
      });
}

static void addToLLVM(OpPassManager &pm, const PipelineOptions &options) {
  addPassWhenName(pm, isNameOf<func::CallOp>,
                  codegen::createLoomCheckCallsFirst(), RunOn::Module,
                  [](Operation *op) {
                    return isa<func::CallOp>(op) && loom::isOverMemory(op);
                  });
  pm.addPass(codegen::createLoomEraseAttributes());
  if (!options.target.empty() || !options.cpu.empty())
    pm.addPass(codegen::createLoomSetTarget({options.target, options.cpu}));
  pm.addPass(codegen::createLoomMangleSymbols());
  // Expands the bodies of maps too, before kernels are made of them.
  addPassWhenPresent(pm, codegen::computesInNarrowFloats,
                     codegen::createLoomExpandConversions());
  addLoopsToSchedule(pm, options);
  if (options.schedule == codegen::kAutoSchedule)
    addPassWhenFunction(pm, loom::isOverMemory,
                        codegen::createLoomScheduleNests());
  else if (!options.schedule.empty())
    pm.addPass(codegen::createLoomApplySchedule({options.schedule}));
  addPassWhenFunction(pm, loom::isOverMemory,
                      codegen::createLoomEraseDeadStores(), RunOn::Functions);
  addPassWhenFunction(pm, loom::isOverMemory, codegen::createLoomRaiseNests());
  addBuffers(pm, options);
  // Operations of linalg are loops only now.
  addPassWhenFunction(pm, loom::isOverMemory,
                      codegen::createLoomEraseDeadStores(), RunOn::Functions);
  addPassWhenFunction(pm, loom::isOverMemory, codegen::createLoomShareNests());
  addPassWhenFunction(pm, loom::isOverMemory,
                      codegen::createLoomParallelizeNests());
  addPassWhenFunction(pm, loom::isOverMemory, codegen::createLoomVersionNests(),
                      RunOn::Functions);
  addPassWhenFunction(pm, loom::isOverMemory,
                      codegen::createLoomSplitFunctions());
  // Operations that are not element-wise compute bf16 in f32.
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs.push_back("bf16");
  emulate.targetTypeStr = "f32";
  addPassWhenPresent(pm, computesInBF16,
                     arith::createArithEmulateUnsupportedFloats(emulate));
  pm.addPass(codegen::createLoomExpandMath());
  addPassWhenFunction(pm, isOverTensors, codegen::createLoomFreeTemporaries());
  addPassWhenFunction(pm, isOverTensors, codegen::createLoomPlanMemory());
  addShapeQueriesToLLVM(pm);
}

StringRef broadloom::getName(Stage stage) {
  switch (stage) {
  case Stage::CollectReport:
    return "collect-report";
  case Stage::Legalize:
    return "legalize";
  case Stage::Guard:
    return "guard";
  case Stage::FuseReductions:
    return "reductions";
  case Stage::QueryShapes:
    return "shape-queries";
  case Stage::ToLinalg:
    return "to-linalg";
  case Stage::ToLLVM:
    return "to-llvm";
  case Stage::QueriesToLLVM:
    return "shape-queries-to-llvm";
  }
  llvm_unreachable("all stages are above");
}

void broadloom::addStage(OpPassManager &pm, Stage stage,
                         const PipelineOptions &options) {
  if (options.leavesOthers && stage != Stage::CollectReport) {
    PipelineOptions inner = options;
    inner.leavesOthers = false;
    bool isFirst = stage == Stage::Legalize;
    // What is marked is left only for what it calls.
    if (options.checksMemory && isFirst)
      pm.addPass(legalize::createLoomMarkMemoryFunctions());
    // What the first stage leaves, later ones leave as well, or do not change.
    return addPassesLeavingOthers(
        pm, ("broadloom-" + getName(stage)).str(),
        [&](OpPassManager &passes) { addStage(passes, stage, inner); },
        options.verbose && isFirst, isFirst && !options.checksMemory);
  }
  switch (stage) {
  case Stage::CollectReport:
    return pm.addPass(infer::createLoomCollectReport(options.report));
  case Stage::Legalize:
    return addLegalization(pm, options);
  case Stage::Guard:
    return addGuards(pm, options);
  case Stage::FuseReductions:
    // With either strategy, so that sums are the same bit for bit (rfc-4).
    pm.addNestedPass<func::FuncOp>(lower::createLoomFoldConstants());
    pm.addNestedPass<func::FuncOp>(lower::createConvertTosaToContract());
    pm.addNestedPass<func::FuncOp>(lower::createConvertLinalgToContract());
    pm.addNestedPass<func::FuncOp>(lower::createLoomFoldPadding());
    if (options.strategy != Strategy::Default)
      return;
    pm.addNestedPass<func::FuncOp>(lower::createLoomFuseTails());
    return pm.addNestedPass<func::FuncOp>(lower::createLoomFuseReductions());
  case Stage::QueryShapes:
    pm.addPass(lower::createLoomLowerTosa(options.libraries));
    return pm.addPass(infer::createLoomShapeQueries());
  case Stage::ToLinalg:
    return addToLinalg(pm, options);
  case Stage::ToLLVM:
    return addToLLVM(pm, options);
  case Stage::QueriesToLLVM:
    pm.addPass(codegen::createLoomEraseAttributes());
    pm.addPass(codegen::createLoomMangleSymbols());
    return addShapeQueriesToLLVM(pm);
  }
}

Pipeline broadloom::makePipeline(Goal goal, PipelineOptions options) {
  switch (goal) {
  case Goal::Check:
    options.fusesMaps = false;
    return {options, {Stage::CollectReport, Stage::Legalize, Stage::Guard}};
  case Goal::Shapes:
    options.standIns = true;
    return {options, {Stage::Legalize, Stage::Guard, Stage::QueryShapes}};
  case Goal::ShapeLibrary:
    return {options, {Stage::Legalize, Stage::Guard, Stage::QueryShapes}};
  case Goal::Loom:
    options.nameExtents = true;
    return {options, {Stage::Legalize, Stage::Guard, Stage::FuseReductions}};
  case Goal::Linalg:
    // The RFC's IR for other pipelines has no constraints.
    options.constraints = options.strategy != Strategy::Rfc;
    options.checksMemory &= options.constraints;
    if (!options.constraints)
      return {options, {Stage::Legalize, Stage::ToLinalg}};
    return {options, {Stage::Legalize, Stage::Guard, Stage::ToLinalg}};
  case Goal::LLVM:
    return {options,
            {Stage::Legalize, Stage::Guard, Stage::FuseReductions,
             Stage::QueryShapes, Stage::ToLLVM}};
  }
  llvm_unreachable("all goals are above");
}
