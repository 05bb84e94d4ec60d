//===- BugReport.h - when the compiler itself fails -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bugs of this project (failing passes and crashes) end in exit status 4 and a
// message that says so (abi-5).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_BUGREPORT_H
#define BROADLOOM_TOOLS_BROADLOOM_BUGREPORT_H

#include "tools/broadloom/Options.h"

#include <functional>

namespace broadloom::tool {

/// Installs a handler: a crash of this process ends it with kInternalError,
/// after a message with the pass and the operation.
void handleCrashes();

/// The exit status for a program that was rejected; if the compiler itself
/// failed, prints how to report that.
int rejected(const Compiler &compiler);

/// Runs a command in a child process. If that ends with kInternalError, writes
/// to `options.reproducer` a program, as small as possible, with which it still
/// ends in the same way. Returns the child's exit status.
int runWithReproducer(const Options &options,
                      const std::function<int(const Options &)> &run);

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_BUGREPORT_H
