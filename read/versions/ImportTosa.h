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

#ifndef BROADLOOM_READ_VERSIONS_IMPORTTOSA_H
#define BROADLOOM_READ_VERSIONS_IMPORTTOSA_H

#include "read/versions/OldOperation.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace broadloom::read {

/// A text that was parsed independently of its version of TOSA.
struct ReadText {
  /// Null where it does not parse.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The forms in the module that today's version does not have.
  Changes changes;
};

/// Whether `text` mentions TOSA, so that parsing it again can help.
bool mentionsTosa(llvm::StringRef text);

/// Whether `module`, parsed from `text` as today's version, may be wrong: it
/// has an operation of TOSA that today's version lacks, an unknown attribute,
/// or an enumerator as a text, which upstream's parser drops.
bool hasOtherForms(llvm::StringRef text, mlir::ModuleOp module);

/// Parses a text without verifying. Operations of TOSA become operations of the
/// dialect kNamespace (OldText.h).
ReadText readAnyVersion(const llvm::MemoryBuffer &text,
                        mlir::MLIRContext *context);

/// Brings the operations of TOSA in `text` to today's form, one by one. Reports
/// every unknown operation. The program must still be checked
/// (read/structure/CheckStructure.h).
llvm::LogicalResult bringToToday(ReadText &text);

} // namespace broadloom::read

#endif // BROADLOOM_READ_VERSIONS_IMPORTTOSA_H
