//===- ProbeBytecode.h - bytecode from outside ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's bytecode reader writes beyond its memory on some damaged files. Until
// that is mended upstream, bytecode is read by another process first, and by
// this one only where the other has come through it (abi-3).
//
// A process of one thread forks. One of several threads must not: the child has
// one thread alone, and waits forever for a lock that another thread held when
// it was made. It starts the program `broadloom-probe` instead.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PROBEBYTECODE_H
#define BROADLOOM_DRIVER_PROBEBYTECODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace broadloom {

/// Whether another process can read `bytecode`, where `shapeLibraries` define
/// dialects that it may use; with what there is to report in `report`. `read`
/// does it in a child of this process, and returns the same. A process that
/// crashes, or takes more than 20 seconds or 4 GiB, has failed, with a report
/// about the bytecode.
bool probeBytecode(llvm::MemoryBufferRef bytecode,
                   llvm::ArrayRef<std::string> shapeLibraries,
                   std::string &report,
                   llvm::function_ref<bool(std::string &)> read);

/// What `broadloom-probe NAME [SHAPE-LIBRARY…]` does: reads the bytecode that
/// is its standard input, and writes the answer to its standard output.
int runProbe(int argc, char **argv);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PROBEBYTECODE_H
