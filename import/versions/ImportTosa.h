//===- ImportTosa.h - TOSA's text of other versions of LLVM -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decision 23 says why it is done in this way.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_VERSIONS_IMPORTTOSA_H
#define BROADLOOM_IMPORT_VERSIONS_IMPORTTOSA_H

#include "import/versions/OldOperation.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace broadloom::versions {

/// A text that was read with no regard to the version of its TOSA.
struct ReadText {
  /// Null where it does not parse.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// What is in the module and in no text of today's version.
  Changes changes;
};

/// Whether `text` has anything of TOSA, so that reading it again can help.
bool mentionsTosa(llvm::StringRef text);

/// Whether `text`, which was read as today's version and is `module` then, may
/// have been read wrongly: an operation of TOSA in it is none of today's, has
/// attributes that today's has not, or has an enumerator as a text, which
/// upstream's parser drops.
bool hasOtherForms(llvm::StringRef text, mlir::ModuleOp module);

/// Parses a text without verifying. Operations of TOSA are those of the dialect
/// kNamespace (OldText.h) afterwards.
ReadText readAnyVersion(const llvm::MemoryBuffer &text,
                        mlir::MLIRContext *context);

/// Brings the operations of TOSA in `text` to today's form, one by one. Reports
/// every one that it does not know. What becomes of the program is as sound as
/// it was, and has to be checked (import/structure/CheckStructure.h).
llvm::LogicalResult bringToToday(ReadText &text);

} // namespace broadloom::versions

#endif // BROADLOOM_IMPORT_VERSIONS_IMPORTTOSA_H
