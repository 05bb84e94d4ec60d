//===- Listing.h - a program's text with its operations' lines --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_LISTING_H
#define BROADLOOM_DRIVER_INSPECT_LISTING_H

#include "driver/CheckedProgram.h"
#include "read/ReadProgram.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"

namespace broadloom {

/// Fills in the text of `program` and the line of each operation. `module` was
/// parsed from `source` of the form `form`, and need not be valid. Operations
/// are numbered in program order, as by loom-collect-report.
void makeListing(mlir::ModuleOp module, const llvm::MemoryBuffer &source,
                 read::ProgramForm form, CheckedProgram &program);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_LISTING_H
