//===- ReadFile.h - TOSA files to modules -----------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_FLATBUFFERS_READFILE_H
#define BROADLOOM_READ_FLATBUFFERS_READFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace broadloom::read {

/// Whether `contents` begins as a TOSA file does.
bool isTosaFile(llvm::StringRef contents);

/// Reads the TOSA file in the first buffer of `sources`, to which large
/// constants refer as long as the context lives. Reports errors, and never
/// reads beyond the end. The module must still be checked
/// (read/structure/CheckStructure.h).
mlir::OwningOpRef<mlir::ModuleOp>
readTosaFile(const std::shared_ptr<llvm::SourceMgr> &sources,
             mlir::MLIRContext *context);

} // namespace broadloom::read

#endif // BROADLOOM_READ_FLATBUFFERS_READFILE_H
