//===- ReadProgram.cpp - from a file's contents to a module ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/ReadProgram.h"

#include "read/GivenConstants.h"
#include "read/HeldDiagnostics.h"
#include "read/ParseText.h"
#include "read/flatbuffers/ReadFile.h"
#include "read/structure/CheckStructure.h"
#include "read/structure/NumberOperations.h"
#include "read/structure/ParserDefects.h"
#include "read/tflite/ExpandSparse.h"
#include "read/versions/FillElided.h"
#include "read/versions/ImportTosa.h"
#include "read/versions/OldText.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

/// The same diagnostic with operations named as the program writes them, not by
/// the namespace that the reader of all versions parses them in.
static Diagnostic nameAsWritten(Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  std::string prefix = "'" + read::kNamespace.str() + ".";
  size_t at = message.find(prefix);
  if (at == std::string::npos)
    return std::move(diagnostic);
  Diagnostic named(diagnostic.getLocation(), diagnostic.getSeverity());
  named << message.replace(at, prefix.size(), "'tosa.");
  for (Diagnostic &note : diagnostic.getNotes())
    named.attachNote(note.getLocation()) << note.str();
  return named;
}

/// Parses a text of this or another version of TOSA.
static OwningOpRef<ModuleOp>
readAnyVersionOfTosa(const std::shared_ptr<llvm::SourceMgr> &sources,
                     MLIRContext *context, bool notesChanges) {
  const llvm::MemoryBuffer &buffer = *sources->getMemoryBuffer(1);
  HeldDiagnostics today(context);
  OwningOpRef<ModuleOp> module = read::parseText(sources, context);
  today.close();
  if (module && !read::hasOtherForms(buffer.getBuffer(), *module)) {
    today.release(nameAsWritten);
    return module;
  }
  HeldDiagnostics other(context);
  bool isParsable = succeeded(read::checkParsable(buffer, context));
  read::ReadText text;
  if (isParsable)
    text = read::readAnyVersion(buffer, context);
  if (!text.module) {
    // Only one of the readers accepts the text, so that the module may be
    // wrong.
    if (module) {
      other.release(nameAsWritten);
      return nullptr;
    }
    // Reports the error of the reader that got further in the text.
    other.close();
    bool isFurther =
        isParsable && other.getFirstLocation() > today.getFirstLocation();
    (isFurther ? other : today).release(nameAsWritten);
    return nullptr;
  }
  bool isKnown = succeeded(read::bringToToday(text));
  other.close();
  // A text without old forms gets the errors of today's reader. Operations that
  // no version has are reported by the reader of all versions, even if nothing
  // else is old: today's reader would report their operands.
  if (text.changes.empty() && isKnown) {
    today.release(nameAsWritten);
    return module;
  }
  other.release(nameAsWritten);
  if (notesChanges)
    text.changes.report();
  if (!isKnown || failed(read::checkStructure(*text.module)))
    return nullptr;
  return std::move(text.module);
}

OwningOpRef<ModuleOp>
read::readProgram(const std::shared_ptr<llvm::SourceMgr> &sources,
                  MLIRContext *context, ProgramForm form,
                  const ReadOptions &options) {
  const llvm::MemoryBuffer &buffer = *sources->getMemoryBuffer(1);
  OwningOpRef<ModuleOp> module;
  if (form == ProgramForm::TosaFile) {
    module = read::readTosaFile(sources, context);
    if (module)
      read::numberOperations(*module, buffer.getBufferIdentifier());
    if (module && failed(read::checkStructure(*module)))
      return nullptr;
  } else if (form == ProgramForm::Text &&
             read::mentionsTosa(buffer.getBuffer())) {
    module = readAnyVersionOfTosa(sources, context, options.notesChanges);
  } else {
    module = read::parseText(sources, context);
  }
  if (module)
    read::giveConstants(*module, options.constants);
  if (module && options.fillElided &&
      failed(read::fillElided(*module, *options.fillElided)))
    return nullptr;
  if (module && failed(read::expandSparseConstants(*module)))
    return nullptr;
  return module;
}
