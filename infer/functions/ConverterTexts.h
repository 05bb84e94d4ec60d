//===- ConverterTexts.h - custom operations of converters -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts as a user could write them (docs/user-operations.md), for custom
// operations that converters leave in well-known models: shapes/tflite/. They
// are part of the program, and a program that has no such operation does not
// pay for them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_CONVERTERTEXTS_H
#define BROADLOOM_INFER_FUNCTIONS_CONVERTERTEXTS_H

#include "infer/functions/Library.h"

namespace broadloom::infer {

/// Adds to `library` the text for the operation of this name, such as
/// "tosa.custom:TFL:MaxUnpooling2D". Does nothing if there is none, or if a
/// text in `library` maps or implements the operation: what a user says of an
/// operation replaces all that the built-in text says of it (lib-1).
llvm::LogicalResult loadConverterText(ShapeLibrary &library,
                                      llvm::StringRef operation);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_CONVERTERTEXTS_H
