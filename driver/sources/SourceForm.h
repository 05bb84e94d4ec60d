//===- SourceForm.h - what a file is ----------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// The one place where contents are recognized. A reader has an entry in the
// table of SourceForm.cpp; everything else asks for the form of a source once,
// and hands it on.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_SOURCEFORM_H
#define BROADLOOM_DRIVER_SOURCES_SOURCEFORM_H

#include "read/ReadProgram.h"

#include "llvm/ADT/StringRef.h"

namespace broadloom {

/// Another program that converts a form of models.
struct ModelConverter {
  /// The converter, what to do if there is none, and the environment variable
  /// that may name another one.
  const char *program, *advice, *variable;
  /// Whether the converter is told the path of the model: other files may be
  /// beside it.
  bool needsPath;
};

/// A form of files, by how their contents begin.
struct SourceForm {
  enum class Kind {
    Program,
    /// A converter makes a program of it.
    Model,
    /// What CompiledModule::save gave.
    SavedProgram,
    /// An object file or a shared library.
    Code,
    /// Something that users take for a program.
    Other,
  };
  Kind kind;
  /// Such as "an ONNX model".
  const char *article;
  /// The ending of files of this form, with the dot; empty for none.
  llvm::StringLiteral ending;
  bool (*recognizes)(llvm::StringRef contents);
  /// What reads the program, or what a converter makes of a model.
  read::ProgramForm program = read::ProgramForm::Text;
  /// Of a model.
  ModelConverter converter = {};
  /// Why it is no program, and what to do instead; empty if it may be one.
  const char *mistake = "";
};

/// The form of `contents`: MLIR text if they are of no other.
const SourceForm &findSourceForm(llvm::StringRef contents);

/// The form that the ending of a file's name stands for; null for MLIR text and
/// for other endings.
const SourceForm *findSourceFormOfName(llvm::StringRef name);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_SOURCEFORM_H
