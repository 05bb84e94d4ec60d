//===- Pipeline.cpp - the order of the passes -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Pipeline.h"
#include "codegen/Passes.h"
#include "driver/WhenPresent.h"
#include "import/Passes.h"
#include "import/legalize/Legalizer.h"
#include "infer/Passes.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Passes.h"
#include "lower/Passes.h"
#include "lower/fuse/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"

using namespace mlir;
using namespace broadloom;

void broadloom::addUserOperations(OpPassManager &pm,
                                  const CompileOptions &options,
                                  SharedLibrary library,
                                  infer::GuardReport *report, bool standIns) {
  pm.addPass(legalize::createLoomExpandUserOperations(
      std::move(library), options.dynamicToStatic, report, standIns));
}

void broadloom::addLegalization(OpPassManager &pm,
                                const CompileOptions &options, bool constraints,
                                infer::GuardReport *report) {
  legalize::LegalizeOptions legalizer;
  legalizer.dynamicToStatic = options.dynamicToStatic;
  legalizer.shapeFunctions = true;
  legalizer.constraints = constraints;
  legalizer.report = report;
  pm.addPass(options.strategy == Strategy::Rfc
                 ? lower::createConvertTosaToLinalgRfc(legalizer)
                 : legalize::createConvertTosaToLoom(legalizer));
  // The analysis and what lies below know the loops of one dialect.
  addPassWhenPresent(
      pm,
      [](Operation *op) {
        return isa<affine::AffineForOp, affine::AffineIfOp,
                   affine::AffineParallelOp>(op);
      },
      createLowerAffinePass());
  addPassWhenPresent(pm, infer::isElementwiseOnTensors,
                     lower::createLoomElementwiseToLinalg());
  if (constraints)
    pm.addPass(infer::createLoomConstrainExtents());
}

void broadloom::addShapeFunctions(OpPassManager &pm, SharedLibrary library,
                                  infer::GuardReport *report) {
  if (library)
    pm.addPass(infer::createLoomRefineShapes(std::move(library), report));
}

void broadloom::addGuards(OpPassManager &pm, const CompileOptions &options,
                          SharedLibrary library, bool nameExtents) {
  addShapeFunctions(pm, library);
  if (options.strategy == Strategy::Default)
    pm.addNestedPass<func::FuncOp>(lower::createLoomFuseMaps());
  pm.addPass(infer::createLoomInsertGuards(library, nameExtents));
}

void broadloom::addFusedReductions(OpPassManager &pm,
                                   const CompileOptions &options) {
  if (options.strategy == Strategy::Default)
    pm.addNestedPass<func::FuncOp>(lower::createLoomFuseReductions());
}

void broadloom::addToLinalg(OpPassManager &pm, SharedLibrary library) {
  pm.addPass(lower::createConvertLoomToLinalg());
  pm.addPass(lower::createLoomGuardsToAssert());
  pm.addPass(lower::createLoomLowerTosa(std::move(library)));
}

void broadloom::addShapeQueries(OpPassManager &pm, SharedLibrary library) {
  pm.addPass(lower::createLoomLowerTosa(std::move(library)));
  pm.addPass(infer::createLoomShapeQueries());
}

void broadloom::addShapeQueriesToLLVM(OpPassManager &pm) {
  addPassWhenPresent(
      pm,
      [](Operation *op) {
        return isa<affine::AffineApplyOp, affine::AffineMinOp,
                   affine::AffineMaxOp, scf::ForOp, scf::ParallelOp>(op);
      },
      codegen::createLoomLowerIndices());
  addPassWhenDialect(pm, "scf", createSCFToControlFlowPass());
  pm.addPass(codegen::createLoomLowerCalls());
  pm.addPass(codegen::createLoomToLLVM());
}

static bool computesInBF16(Operation *op) {
  auto isBF16 = [](Type type) { return type.isBF16(); };
  return llvm::any_of(op->getOperandTypes(), isBF16) ||
         llvm::any_of(op->getResultTypes(), isBF16);
}

void broadloom::addToLLVM(OpPassManager &pm) {
  pm.addPass(codegen::createLoomBufferize());
  // Before upstream's passes: they fold whatever they meet, and in the body of
  // a launch over rows the extents of a value are told by what it is computed
  // from.
  pm.addPass(codegen::createLoomOutlineKernels());
  addPassWhenPresent(
      pm, [](Operation *op) { return isa<scf::ForallOp>(op); },
      createForallToForLoopPass());
  // Not in kernels, which have no part in it.
  addPassWhenDialect(pm, "linalg", createConvertLinalgToLoopsPass(),
                     RunOn::Functions);
  pm.addPass(codegen::createLoomAssignBuffers());
  // What is not element-wise computes in bf16 by way of f32.
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs.push_back("bf16");
  emulate.targetTypeStr = "f32";
  addPassWhenPresent(pm, computesInBF16,
                     arith::createArithEmulateUnsupportedFloats(emulate));
  pm.addPass(codegen::createLoomExpandMath());
  pm.addPass(codegen::createLoomFreeTemporaries());
  addShapeQueriesToLLVM(pm);
}
