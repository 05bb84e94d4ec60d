//===- ReadProgram.cpp - from a file's contents to a module ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CompilerImpl.h"
#include "import/flatbuffers/ReadFile.h"
#include "import/structure/CheckStructure.h"
#include "import/structure/NumberOperations.h"
#include "import/structure/ParserDefects.h"
#include "import/tflite/ExpandSparse.h"
#include "import/versions/FillElided.h"
#include "import/versions/ImportTosa.h"
#include "import/versions/OldText.h"
#include "infer/functions/Library.h"

#include "mlir/Bytecode/BytecodeReader.h"

using namespace mlir;
using namespace broadloom;

/// The same diagnostic with operations named as the program writes them, not by
/// the namespace that the reader of all versions parses them in.
static Diagnostic nameAsWritten(Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  std::string prefix = "'" + versions::kNamespace.str() + ".";
  size_t at = message.find(prefix);
  if (at == std::string::npos)
    return std::move(diagnostic);
  Diagnostic named(diagnostic.getLocation(), diagnostic.getSeverity());
  named << message.replace(at, prefix.size(), "'tosa.");
  for (Diagnostic &note : diagnostic.getNotes())
    named.attachNote(note.getLocation()) << note.str();
  return named;
}

namespace {

/// Keeps diagnostics while it is open, so that they can be reported later or
/// dropped.
class HeldDiagnostics {
public:
  explicit HeldDiagnostics(MLIRContext *context)
      : context(context), handler(std::make_unique<ScopedDiagnosticHandler>(
                              context, [this](Diagnostic &diagnostic) {
                                held.push_back(std::move(diagnostic));
                              })) {}
  void close() { handler.reset(); }
  /// Reports all kept diagnostics.
  void release() {
    close();
    for (Diagnostic &diagnostic : held)
      context->getDiagEngine().emit(nameAsWritten(diagnostic));
    held.clear();
  }
  /// Line and column of the first error in the text.
  std::pair<unsigned, unsigned> getFirstLocation() const {
    for (const Diagnostic &diagnostic : held)
      if (auto file = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
        return {file.getLine(), file.getColumn()};
    return {0, 0};
  }

private:
  MLIRContext *context;
  std::vector<Diagnostic> held;
  std::unique_ptr<ScopedDiagnosticHandler> handler;
};

} // namespace

OwningOpRef<ModuleOp> Compiler::Impl::readAnyVersion() {
  const llvm::MemoryBuffer &buffer = *sources->getMemoryBuffer(1);
  HeldDiagnostics today(&context);
  OwningOpRef<ModuleOp> module = infer::parseText(sources, &context);
  today.close();
  if (module && !versions::hasOtherForms(buffer.getBuffer(), *module)) {
    today.release();
    return module;
  }
  HeldDiagnostics other(&context);
  bool isParsable = succeeded(infer::checkParsable(buffer, &context));
  versions::ReadText read;
  if (isParsable)
    read = versions::readAnyVersion(buffer, &context);
  if (!read.module) {
    // Only one of the readers accepts the text, so that the module may be
    // wrong.
    if (module) {
      other.release();
      return nullptr;
    }
    // Reports the error of the reader that got further in the text.
    other.close();
    bool isFurther =
        isParsable && other.getFirstLocation() > today.getFirstLocation();
    (isFurther ? other : today).release();
    return nullptr;
  }
  bool isKnown = succeeded(versions::bringToToday(read));
  other.close();
  // A text without old forms gets the errors of today's reader. Operations that
  // no version has are reported by the reader of all versions, even if nothing
  // else is old: today's reader would report their operands.
  if (read.changes.empty() && isKnown) {
    today.release();
    return module;
  }
  other.release();
  if (options.verbose)
    read.changes.report();
  if (!isKnown || failed(checkStructure(*read.module)))
    return nullptr;
  return std::move(read.module);
}

OwningOpRef<ModuleOp> Compiler::Impl::parseUnprobed() {
  CurrentWork work("reading the program");
  const llvm::MemoryBuffer &buffer = *sources->getMemoryBuffer(1);
  OwningOpRef<ModuleOp> module;
  if (tosafile::isTosaFile(buffer.getBuffer())) {
    module = tosafile::readTosaFile(sources, &context);
    if (module)
      numberOperations(*module, buffer.getBufferIdentifier());
    if (module && failed(checkStructure(*module)))
      return nullptr;
  } else if (!isBytecode(buffer) &&
             versions::mentionsTosa(buffer.getBuffer())) {
    module = readAnyVersion();
  } else {
    module = infer::parseText(sources, &context);
  }
  if (module && options.fillElided &&
      failed(versions::fillElided(*module, *options.fillElided)))
    return nullptr;
  if (module && failed(tflite::expandSparseConstants(*module)))
    return nullptr;
  return module;
}
