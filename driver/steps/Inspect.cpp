//===- Inspect.cpp - what is in a file ------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/CheckCalls.h"
#include "driver/inspect/CodeDescription.h"
#include "driver/inspect/ModuleDescription.h"
#include "driver/inspect/Signatures.h"
#include "driver/steps/Steps.h"
#include "driver/steps/UnknownDialects.h"
#include "legalize/user/Unimplemented.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;

bool steps::inspect(Session &session, InspectedFile &file) {
  if (session.kind == SourceForm::Kind::Code) {
    llvm::Error error = inspectCode(session.getBuffer(), file);
    std::string &text = session.diagnostics.text;
    text = error ? session.getBuffer().getBufferIdentifier().str() +
                       ": error: " + llvm::toString(std::move(error)) + "\n"
                 : "";
    return text.empty();
  }
  OwningOpRef<ModuleOp> module = parseWhole(session);
  if (!module)
    return false;
  inspectModule(*module, session.getBuffer(), session.form, file);
  for (InspectedFunction &function : file.functions)
    llvm::erase_if(function.attributes, [](const auto &attribute) {
      return attribute.first == kLeftOutKey;
    });
  leaveOutUnknown(*module, /*verbose=*/false);

  // `inspect` reports only whether the program is accepted; `check` reports the
  // errors.
  llvm::SaveAndRestore keep(session.isBroken);
  ScopedDiagnosticHandler quiet(session.context.get(), [](Diagnostic &) {});
  std::vector<FunctionSignature> signatures;
  file.isAccepted =
      session.runStages(*module, session.getPipeline(Goal::Check),
                        [&](Stage stage) {
                          return stage != Stage::Legalize ||
                                 readSignatures(*module, signatures);
                        }) &&
      succeeded(legalize::reportUnimplemented(*module)) &&
      succeeded(codegen::checkCalls(*module));
  return true;
}
