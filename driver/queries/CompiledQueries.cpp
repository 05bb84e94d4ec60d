//===- CompiledQueries.cpp - shape queries, compiled on demand ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/queries/CompiledQueries.h"

#include "codegen/SymbolNames.h"
#include "dialect/LoomDialect.h"
#include "driver/passes/Pipeline.h"
#include "driver/passes/RunPasses.h"
#include "infer/queries/ShapeQuery.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

OwningOpRef<ModuleOp> broadloom::takeShapeQueries(ModuleOp module) {
  OwningOpRef<ModuleOp> queries = ModuleOp::create(module.getLoc());
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (infer::readShapeQuery(func)) {
      func->remove();
      queries->push_back(func);
    }
  return queries;
}

CompiledQueries::CompiledQueries(ModuleOp module, codegen::CodeEffort effort)
    : effort(effort) {
  llvm::raw_string_ostream stream(bytecode);
  // It fails only if an older bytecode version is requested.
  (void)writeBytecodeToFile(module, stream);
}

void CompiledQueries::compile() {
  CurrentWork work("making machine code of shape queries");
  DialectRegistry registry;
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect,
                  index::IndexDialect, LLVM::LLVMDialect, loom::LoomDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
  codegen::registerLLVMTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { failure += diagnostic.str(); });
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(bytecode, config);
  PassManager pm(&context);
  pm.enableVerifier(false);
  addStage(pm, Stage::QueriesToLLVM, {});
  if (!module) {
    failure = describeBug(failure);
    return;
  }
  if (runPasses(pm, *module) != BROADLOOM_OK)
    return;
  auto objects = codegen::compileObjects(*module, effort);
  if (!objects) {
    // What LLVM reported, if it reported anything, is the cause.
    std::string cause = failure.empty() ? "" : ": " + failure;
    failure = describeBug(llvm::toString(objects.takeError()) + cause);
    return;
  }
  auto loaded = codegen::LoadedCode::load(objects->objects, objects->constants);
  if (!loaded) {
    failure = describeBug(llvm::toString(loaded.takeError()));
    return;
  }
  code = std::move(*loaded);
}

BroadloomShapes CompiledQueries::get(llvm::StringRef function,
                                     std::string &error) {
  std::call_once(once, [&] { compile(); });
  if (!code) {
    error = failure;
    return nullptr;
  }
  auto address = code->lookup((codegen::kShapesPrefix + function).str());
  if (address)
    return reinterpret_cast<BroadloomShapes>(*address);
  error = describeBug(llvm::toString(address.takeError()));
  return nullptr;
}
