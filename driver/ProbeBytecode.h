//===- ProbeBytecode.h - bytecode that nobody vouches for -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's bytecode reader writes beyond its memory on some damaged files. Until
// that is mended upstream, bytecode is read by a child process first, and by
// this one only where the child has come through it (abi-3).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PROBEBYTECODE_H
#define BROADLOOM_DRIVER_PROBEBYTECODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace broadloom {

/// Runs `read` in a child process; it returns whether it succeeded and leaves
/// what there is to report in its argument. Returns whether it did, with the
/// report in `report`; a child that crashes, or takes more than 20 seconds
/// or 4 GiB, has failed, with a report about `name`.
bool probe(llvm::StringRef name, std::string &report,
           llvm::function_ref<bool(std::string &)> read);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PROBEBYTECODE_H
