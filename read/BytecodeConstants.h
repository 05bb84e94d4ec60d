//===- BytecodeConstants.h - large constants of bytecode --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_BYTECODECONSTANTS_H
#define BROADLOOM_READ_BYTECODECONSTANTS_H

#include "mlir/IR/AsmState.h"

#include <memory>

namespace broadloom::read {

/// Has MLIR's reader of bytecode make resources of large dense constants of
/// floats and of integers of 8 bits, whose elements stay in the bytecode, which
/// `owner` keeps. MLIR itself copies and hashes them, and keeps them as long as
/// the context.
void referToConstants(mlir::ParserConfig &config,
                      std::shared_ptr<const void> owner);

} // namespace broadloom::read

#endif // BROADLOOM_READ_BYTECODECONSTANTS_H
