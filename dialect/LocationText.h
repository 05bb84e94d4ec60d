//===- LocationText.h - where an operation is, for a reader -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a location: one form for errors of the compiler, failed guards,
// shape queries and reports. Converters of models name layers by locations,
// which often have nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOCATIONTEXT_H
#define BROADLOOM_DIALECT_LOCATIONTEXT_H

#include "mlir/IR/Location.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>

namespace broadloom {

/// `file:line:column` of the first file location in `location`; empty if it has
/// none.
std::string getFileLocationText(mlir::Location loc);

/// `location` with `text` in place of a file, line and column:
/// getFileLocationText gives `text`.
mlir::Location makeNumberedLocation(mlir::Location location,
                                    llvm::StringRef text);

/// Whether makeNumberedLocation made the location.
bool isNumberedLocation(mlir::Location location);

/// Whether the location has a file without a line: a location of
/// makeNumberedLocation, or the whole file.
bool hasFileWithoutLine(mlir::Location location);

/// The names in the location, each in quotes and only once, and its call site:
/// `"attention/q_proj", "attention"` or `"gelu" called from model.mlir:7:3:
/// "block1"`. At most the first three names. Empty if there are none.
std::string getNamesText(mlir::Location loc);

/// Both: `model.mlir:12:8: "attention/q_proj"`.
std::string getLocationText(mlir::Location loc);

/// Line and column of the byte `offset` of `text`, in the file of its name.
mlir::Location getLocationAt(const llvm::MemoryBuffer &text, size_t offset,
                             mlir::MLIRContext *context);

} // namespace broadloom

#endif // BROADLOOM_DIALECT_LOCATIONTEXT_H
