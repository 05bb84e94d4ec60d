//===- Program.h - a case with types, compiled ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_GUARDS_PROGRAM_H
#define BROADLOOM_TEST_FUZZ_GUARDS_PROGRAM_H

#include "driver/Compiler.h"
#include "test/fuzz/guards/Case.h"

namespace broadloom::guards {

/// A case with types, and the function that comes of it.
struct Program {
  const Case &it;
  const std::vector<Pattern> &arguments;
  const std::vector<Pattern> &results;
  Strategy strategy;
  std::string text;
  std::unique_ptr<CompiledModule> module;
  std::unique_ptr<Invocation> invocation;
  /// Whether the shapes of results can be queried alone (abi-2).
  bool hasShapes = false;
  int64_t calls = 0;
  bool failed = false;

  /// What the rules say of a call of this program.
  Verdict judge(const Inputs &inputs) const;
};

} // namespace broadloom::guards

#endif // BROADLOOM_TEST_FUZZ_GUARDS_PROGRAM_H
