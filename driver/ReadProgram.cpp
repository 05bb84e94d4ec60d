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
#include "infer/functions/Library.h"

#include "mlir/Bytecode/BytecodeReader.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// Keeps what is reported while it is open, to be told later or not at all.
class HeldDiagnostics {
public:
  explicit HeldDiagnostics(MLIRContext *context)
      : context(context), handler(std::make_unique<ScopedDiagnosticHandler>(
                              context, [this](Diagnostic &diagnostic) {
                                held.push_back(std::move(diagnostic));
                              })) {}
  void close() { handler.reset(); }
  /// Tells all of it.
  void release() {
    close();
    for (Diagnostic &diagnostic : held)
      context->getDiagEngine().emit(std::move(diagnostic));
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
    // A module that may have been read wrongly is no program.
    if (module) {
      other.release();
      return nullptr;
    }
    // What got further in the text is nearer to what is wrong with it.
    other.close();
    bool isFurther =
        isParsable && other.getFirstLocation() > today.getFirstLocation();
    (isFurther ? other : today).release();
    return nullptr;
  }
  bool isKnown = succeeded(versions::bringToToday(read));
  other.close();
  // A text with nothing old in it has the errors of today's reader. What no
  // version has is told by the reader of all versions, also where nothing else
  // is old: today's has only the operands of today for it.
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
