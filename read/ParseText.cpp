//===- ParseText.cpp - MLIR text and bytecode to a module -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/ParseText.h"

#include "read/BytecodeConstants.h"
#include "read/structure/CheckStructure.h"
#include "read/structure/NumberOperations.h"
#include "read/structure/ParserDefects.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

OwningOpRef<ModuleOp>
read::parseText(const std::shared_ptr<llvm::SourceMgr> &sources,
                MLIRContext *context, bool isOwn) {
  const llvm::MemoryBuffer &buffer = *sources->getMemoryBuffer(1);
  if (!isOwn && failed(checkParsable(buffer, context)))
    return nullptr;
  bool hasError = false;
  ScopedDiagnosticHandler watch(context, [&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    // Another reader reports the error.
    return failure();
  });
  ParserConfig config(context, /*verifyAfterParse=*/false);
  referToConstants(config, sources);
  auto module = parseSourceFile<ModuleOp>(sources, config);
  if (!module && !hasError)
    emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(), 1, 1))
        << "does not parse; operations of dialects that a text defines have "
           "the form \"dialect.operation\"(%operand) : (type) -> type";
  if (module && isBytecode(buffer))
    numberOperations(*module, buffer.getBufferIdentifier());
  if (module && !isOwn && failed(checkStructure(*module)))
    return nullptr;
  return module;
}
