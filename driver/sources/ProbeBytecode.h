//===- ProbeBytecode.h - bytecode from outside ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's bytecode reader writes beyond its memory on some damaged files. Until
// upstream fixes that, another process reads bytecode first, and this one only
// if the other succeeded (abi-3).
//
// A process of one thread forks. A process of several threads must not fork:
// the child has only one thread, and would wait forever for a lock that another
// thread held at the fork. Such a process starts the program `broadloom-probe`
// instead.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_PROBEBYTECODE_H
#define BROADLOOM_DRIVER_SOURCES_PROBEBYTECODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace broadloom {

/// Whether another process can read `bytecode`, where `shapeLibraries` define
/// dialects that it may use. Errors go to `report`. `read` reads it in a child
/// of this process, and returns whether it succeeded. A process that crashes,
/// or takes more than 20 seconds or 4 GiB, has failed, with a report about the
/// bytecode.
bool probeBytecode(llvm::MemoryBufferRef bytecode,
                   llvm::ArrayRef<std::string> shapeLibraries,
                   std::string &report,
                   llvm::function_ref<bool(std::string &)> read);

/// What `broadloom-probe NAME [SHAPE-LIBRARY…]` does: reads the bytecode that
/// is its standard input, and writes the answer to its standard output.
int runProbe(int argc, char **argv);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_PROBEBYTECODE_H
