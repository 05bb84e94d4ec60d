//===- ReadSites.h - the sites of a program in its words --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_READSITES_H
#define BROADLOOM_DRIVER_INSPECT_READSITES_H

#include "driver/ProfiledProgram.h"
#include "read/ReadProgram.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"

namespace broadloom {

/// Moves the sites that loom-mark-sites wrote out of `compiled`. They refer to
/// the operations of `written`, the same program as it was parsed from
/// `source` of the form `form`.
ProfiledProgram takeSites(mlir::ModuleOp compiled, mlir::ModuleOp written,
                          const llvm::MemoryBuffer &source,
                          read::ProgramForm form);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_READSITES_H
