//===- ModuleDescription.h - what is in a program ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_MODULEDESCRIPTION_H
#define BROADLOOM_DRIVER_INSPECT_MODULEDESCRIPTION_H

#include "driver/InspectedFile.h"
#include "read/ReadProgram.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace broadloom {

/// Describes `module`, which was read from `source` of the form `form`. It has
/// a sound structure and need not be verified.
void inspectModule(mlir::ModuleOp module, llvm::MemoryBufferRef source,
                   read::ProgramForm form, InspectedFile &file);

/// The public functions of `module` as machine code describes them.
std::vector<InspectedFunction> inspectInterface(mlir::ModuleOp module);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_MODULEDESCRIPTION_H
