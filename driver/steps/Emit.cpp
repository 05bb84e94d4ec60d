//===- Emit.cpp - a program in another form -------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/TableSymbol.h"
#include "codegen/target/CodeTarget.h"
#include "dialect/LoomDialect.h"
#include "driver/inspect/CodeDescription.h"
#include "driver/inspect/Signatures.h"
#include "driver/steps/Steps.h"
#include "read/flatbuffers/WriteFile.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

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

/// Whether the program's types refute none of its constraints. For forms of IR
/// without constraints.
static bool isSound(Session &session, ModuleOp module) {
  OwningOpRef<ModuleOp> copy(module.clone());
  Pipeline pipeline = session.getPipeline(Goal::Check);
  llvm::erase(pipeline.stages, Stage::CollectReport);
  // What the form leaves as it is, no type refutes.
  pipeline.options.leavesOthers = true;
  pipeline.options.checksMemory = pipeline.options.verbose = false;
  Diagnostics &diagnostics = session.diagnostics;
  size_t before = diagnostics.text.size(), told = diagnostics.list.size();
  if (!session.runStages(*copy, pipeline))
    return false;
  // The passes that follow report warnings and notes again.
  diagnostics.text.resize(before);
  diagnostics.list.resize(told);
  return true;
}

/// The first call of a function of another library; null if there is none.
static loom::ExternalCallOp findLibraryCall(ModuleOp module) {
  loom::ExternalCallOp found;
  module.walk([&](loom::ExternalCallOp call) {
    found = call;
    return WalkResult::interrupt();
  });
  return found;
}

bool steps::emit(Session &session, Emit form, std::string &output) {
  if (!session.options.schedule.empty() && getGoal(form) != Goal::LLVM) {
    session.diagnostics.addError(
        "a schedule edits loops that this form does not have; llvm, asm, obj "
        "and so have them");
    return false;
  }
  if (form == Emit::ShapeLibrary)
    return deriveLibrary(session, output);
  const CompileOptions &options = session.options;
  if (std::string wrong =
          codegen::describeWrongTableSymbol(options.tableSymbol);
      !wrong.empty()) {
    session.diagnostics.addError("the table of functions cannot be '" +
                                 options.tableSymbol + "': " + wrong);
    return false;
  }
  auto target = codegen::CodeTarget::get(options.target, options.cpu);
  if (!target) {
    session.diagnostics.addError(llvm::toString(target.takeError()));
    return false;
  }
  OwningOpRef<ModuleOp> module = parse(session);
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
  Pipeline pipeline = session.getPipeline(goal);
  if (!pipeline.options.constraints && !isSound(session, *module))
    return false;
  pipeline.options.target = options.target;
  pipeline.options.cpu = options.cpu;
  if (!session.runStages(*module, pipeline, describe))
    return false;
  loom::ExternalCallOp call;
  if (form == Emit::Loom && (call = findLibraryCall(*module))) {
    session.diagnostics.addError(("a function with tensors calls '" +
                                  call.getSymbol() +
                                  "' of another library, which this form "
                                  "cannot have; llvm, asm, obj and "
                                  "so have such calls")
                                     .str());
    return false;
  }
  if (form == Emit::Loom || form == Emit::Linalg || form == Emit::LLVM) {
    llvm::raw_string_ostream stream(output);
    // What is not sound by upstream's rules is printed in the generic form. The
    // LLVM dialect is made by our own passes.
    OpPrintingFlags flags;
    module->print(stream, form == Emit::LLVM ? flags.assumeVerified() : flags);
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
    return session.reportFailure(bytes.takeError());
  session.watch.stage("machine code");
  output = std::move(*bytes);
  return true;
}
