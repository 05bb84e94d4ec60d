//===- ReadProgram.h - from a file's contents to a module -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_READPROGRAM_H
#define BROADLOOM_READ_READPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace broadloom::read {

struct ReadOptions {
  /// The seed of values for constants that were left out when the program was
  /// printed; without one, they stay as they are.
  std::optional<uint64_t> fillElided;
  /// Whether a remark lists the forms of other versions of TOSA in a text.
  bool notesChanges = false;
  /// The elements of resources that the program names (GivenConstants.h).
  llvm::ArrayRef<std::string_view> constants;
};

/// What reads a program: the parser of MLIR, also for other versions of TOSA,
/// or the reader of TOSA files.
enum class ProgramForm { Text, Bytecode, TosaFile };

/// Reads the first buffer of `sources`, which is of the form `form`. Verifies
/// nothing; the structure of the result is sound
/// (read/structure/CheckStructure.h), so that every accessor can be called.
/// Null, with errors, where the contents are no such program.
mlir::OwningOpRef<mlir::ModuleOp>
readProgram(const std::shared_ptr<llvm::SourceMgr> &sources,
            mlir::MLIRContext *context, ProgramForm form,
            const ReadOptions &options = {});

} // namespace broadloom::read

#endif // BROADLOOM_READ_READPROGRAM_H
