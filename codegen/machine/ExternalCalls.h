//===- ExternalCalls.h - calls of other libraries ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_EXTERNALCALLS_H
#define BROADLOOM_CODEGEN_MACHINE_EXTERNALCALLS_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace broadloom::codegen {

/// Adds the lowering of `loom.external_call` to a call of the C symbol.
void addExternalCallPatterns(const mlir::LLVMTypeConverter &converter,
                             mlir::RewritePatternSet &patterns);

/// Opens a library, a file or a name that the system's loader finds; it stays
/// open until the process ends. An error has the loader's reason.
llvm::Expected<llvm::sys::DynamicLibrary> openLibrary(const std::string &path);

/// The first error of openLibrary.
llvm::Error openLibraries(llvm::ArrayRef<std::string> libraries);

/// Whether one of these libraries or the C library has a symbol.
bool hasExternal(llvm::StringRef symbol, llvm::ArrayRef<std::string> libraries);

/// Has exceptions of libraries pass the code of `objects`, where that calls
/// libraries: the unwinder gets its tables.
llvm::Error registerUnwindTables(llvm::orc::LLJIT &jit,
                                 llvm::ArrayRef<std::string> objects);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_EXTERNALCALLS_H
