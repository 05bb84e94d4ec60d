//===- CodeDescription.h - what machine code says of itself -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// A compiled program has a section of its own in its object file, and in the
// libraries and programs that link it. The section has the shapes and the names
// of extents, for which the table of functions has no fields. It is read from
// the file's bytes: no code of the file runs. Programs that are linked together
// stand one after another, each followed by 0.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_CODEDESCRIPTION_H
#define BROADLOOM_DRIVER_INSPECT_CODEDESCRIPTION_H

#include "driver/InspectedFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace broadloom::codegen {
class CodeTarget;
} // namespace broadloom::codegen

namespace broadloom {

/// The text of the section for `module`, whose table is to be `symbol`, in code
/// for `target`.
std::string describeCode(mlir::ModuleOp module, llvm::StringRef symbol,
                         const codegen::CodeTarget &target);

/// Whether `contents` begin as an object file or a shared library does.
bool isCode(llvm::StringRef contents);

/// The programs that are described in an object file or a shared library.
llvm::Error inspectCode(llvm::MemoryBufferRef bytes, InspectedFile &file);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_CODEDESCRIPTION_H
