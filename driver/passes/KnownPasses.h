//===- KnownPasses.h - what passes do besides changing programs -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PASSES_KNOWNPASSES_H
#define BROADLOOM_DRIVER_PASSES_KNOWNPASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace broadloom {

/// Bits of KnownPass::traits. The failure of a pass without ChecksProgram is a
/// bug of this project.
enum PassTraits : unsigned {
  NoTraits = 0,
  /// It checks the program: its errors are about that.
  ChecksProgram = 1,
  /// The same, and its errors are about shapes.
  ChecksShapes = ChecksProgram | 2,
  /// The program behind it is not legalized yet, and upstream's verifier may
  /// refuse it (decision 70).
  LeavesUnlegalized = 4,
};

struct KnownPass {
  llvm::StringLiteral name;
  unsigned traits;
};

/// All passes of this project, by their names.
llvm::ArrayRef<KnownPass> getKnownPasses();

/// Whether the pass `name` has `traits`. A pass of another project has none.
bool passHas(llvm::StringRef name, PassTraits traits);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PASSES_KNOWNPASSES_H
