//===- pipeline.cpp - a compiler that begins with Broadloom's passes ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a program in TOSA, has its shapes checked and its element-wise work
// fused by Broadloom's stages, goes on with passes of its own, and prints the
// result.
//
//===----------------------------------------------------------------------===//

#include "driver/Register.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: pipeline FILE\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  broadloom::registerAllDialects(registry);
  broadloom::registerAllPasses();
  mlir::MLIRContext context(registry);

  // Legalization verifies the program by Broadloom's rules, which allow
  // operands of different ranks and extents of 0.
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], sources, config);
  if (!module)
    return 1;

  mlir::PassManager pm(&context);
  // Each stage is a pipeline by its name; `broadloom-opt --help` lists them.
  if (mlir::failed(mlir::parsePassPipeline(
          "broadloom-legalize,broadloom-guard,broadloom-to-linalg", pm)))
    return 1;
  // From here on passes of your own. These are upstream's.
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  if (mlir::failed(pm.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
