//===- WriteFile.h - modules to TOSA files ----------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_FLATBUFFERS_WRITEFILE_H
#define BROADLOOM_READ_FLATBUFFERS_WRITEFILE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace broadloom::read {

/// Writes the one function of `module`, whose structure is sound, as a TOSA
/// file: of version 1.0 if that suffices, else 1.1. Reports what a file cannot
/// contain. Changes the module: values that regions capture become arguments.
llvm::LogicalResult writeTosaFile(mlir::ModuleOp module, std::string &output);

/// Gives each region of `tosa.cond_if` and `tosa.while_loop` the values of
/// outer regions that it uses as arguments, because regions in files cannot
/// capture values.
void closeRegions(mlir::ModuleOp module);

} // namespace broadloom::read

#endif // BROADLOOM_READ_FLATBUFFERS_WRITEFILE_H
