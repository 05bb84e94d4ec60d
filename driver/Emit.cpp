//===- Emit.cpp - a program in another form -------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/TableSymbol.h"
#include "codegen/target/CodeTarget.h"
#include "driver/CompilerImpl.h"
#include "driver/Diagnostics.h"
#include "driver/inspect/CodeDescription.h"
#include "driver/inspect/Signatures.h"
#include "driver/passes/RunPasses.h"
#include "driver/queries/DeriveShapes.h"
#include "read/flatbuffers/WriteFile.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

LogicalResult Compiler::Impl::loadWithOthers(infer::ShapeLibrary &library) {
  auto load = [&](const std::string &file) {
    return succeeded(library.loadFile(file));
  };
  const llvm::MemoryBuffer &source = *sources->getMemoryBuffer(1);
  return success(succeeded(library.loadTosa()) &&
                 llvm::all_of(options.shapeLibraries, load) &&
                 succeeded(library.load(source.getBuffer(),
                                        source.getBufferIdentifier())));
}

bool Compiler::Impl::checkLibrary(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  infer::ShapeLibrary library(&context);
  return succeeded(loadWithOthers(library));
}

bool Compiler::Impl::derive(std::unique_ptr<llvm::MemoryBuffer> buffer,
                            std::string &output) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  auto library = std::make_shared<infer::ShapeLibrary>(&context);
  if (failed(loadWithOthers(*library)))
    return false;
  watch.stage("parse");
  OwningOpRef<ModuleOp> module = takeReferences(*library);
  Pipeline pipeline = getPipeline(Goal::ShapeLibrary);
  pipeline.options.libraries =
      std::make_shared<infer::ShapeLibraries>(infer::SharedLibrary(library));
  if (!runStages(*module, pipeline))
    return false;
  OwningOpRef<ModuleOp> made = writeShapeLibrary(*module);
  if (!made)
    return false;
  llvm::raw_string_ostream(output) << *made << '\n';
  // Checks that the printed library can be loaded.
  infer::ShapeLibrary check(&context);
  return succeeded(check.loadTosa()) &&
         succeeded(check.load(output, "derived shape functions"));
}

/// The goal of the passes before the program is printed or becomes machine
/// code.
static Goal getGoal(Emit form) {
  switch (form) {
  case Emit::Loom:
    return Goal::Loom;
  case Emit::Linalg:
    return Goal::Linalg;
  case Emit::ShapeLibrary:
    return Goal::ShapeLibrary;
  case Emit::Tosa:
    return Goal::Check;
  case Emit::LLVM:
  case Emit::Assembly:
  case Emit::Object:
    return Goal::LLVM;
  }
  llvm_unreachable("all forms are above");
}

bool Compiler::Impl::isSound(ModuleOp module) {
  OwningOpRef<ModuleOp> copy(module.clone());
  Pipeline pipeline = getPipeline(Goal::Check);
  llvm::erase(pipeline.stages, Stage::CollectReport);
  size_t before = text.size(), told = diagnostics.size();
  if (!runStages(*copy, pipeline))
    return false;
  // The passes that follow report warnings and notes again.
  text.resize(before);
  diagnostics.resize(told);
  return true;
}

bool Compiler::Impl::emit(std::unique_ptr<llvm::MemoryBuffer> buffer, Emit form,
                          std::string &output) {
  if (form == Emit::ShapeLibrary)
    return derive(std::move(buffer), output);
  open(std::move(buffer));
  if (std::string wrong =
          codegen::describeWrongTableSymbol(options.tableSymbol);
      !wrong.empty()) {
    text = "error: the table of functions cannot be '" + options.tableSymbol +
           "': " + wrong + "\n";
    return false;
  }
  auto target = codegen::CodeTarget::get(options.target, options.cpu);
  if (!target) {
    text = "error: " + llvm::toString(target.takeError()) + "\n";
    return false;
  }
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return false;
  if (form == Emit::Tosa)
    return succeeded(read::writeTosaFile(*module, output));
  Goal goal = getGoal(form);
  std::string description;
  auto describe = [&](Stage stage) {
    if (stage != Stage::Guard ||
        (form != Emit::Assembly && form != Emit::Object))
      return true;
    std::vector<FunctionSignature> functions;
    if (!readSignatures(*module, functions))
      return false;
    description = describeCode(*module, options.tableSymbol, *target);
    return true;
  };
  Pipeline pipeline = getPipeline(goal);
  if (!pipeline.options.constraints && !isSound(*module))
    return false;
  pipeline.options.target = options.target;
  pipeline.options.cpu = options.cpu;
  if (!runStages(*module, pipeline, describe))
    return false;
  if (form == Emit::Loom || form == Emit::Linalg || form == Emit::LLVM) {
    llvm::raw_string_ostream stream(output);
    module->print(stream);
    stream << '\n';
    return true;
  }
  CurrentWork work("making machine code");
  auto bytes =
      codegen::emitCode(*module,
                        form == Emit::Assembly ? codegen::CodeFormat::Assembly
                                               : codegen::CodeFormat::Object,
                        options.tableSymbol, description, *target);
  if (!bytes)
    return reportBug(bytes.takeError());
  watch.stage("machine code");
  output = std::move(*bytes);
  return true;
}
