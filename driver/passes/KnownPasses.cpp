//===- KnownPasses.cpp - what passes do besides changing programs ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/passes/KnownPasses.h"

#include "llvm/ADT/STLExtras.h"

using namespace broadloom;
using llvm::StringRef;

llvm::ArrayRef<KnownPass> broadloom::getKnownPasses() {
  static constexpr KnownPass known[] = {
      {"convert-linalg-to-contract", NoTraits},
      {"convert-loom-to-linalg", ChecksProgram},
      {"convert-tosa-to-contract", NoTraits},
      {"convert-tosa-to-linalg-rfc", ChecksProgram},
      {"convert-tosa-to-loom", ChecksProgram},
      {"loom-apply-schedule", ChecksProgram},
      {"loom-assign-buffers", NoTraits},
      {"loom-bind-externals", ChecksProgram | LeavesUnlegalized},
      {"loom-bodies-to-llvm", NoTraits},
      {"loom-bufferize", NoTraits},
      {"loom-cast-calls", LeavesUnlegalized},
      {"loom-check-calls-first", NoTraits},
      {"loom-check-program", ChecksProgram | LeavesUnlegalized},
      {"loom-check-shape-functions", ChecksProgram},
      {"loom-check-structure", ChecksProgram | LeavesUnlegalized},
      {"loom-clear-arithmetic-flags", LeavesUnlegalized},
      {"loom-collect-report", LeavesUnlegalized},
      {"loom-constrain-assertions", LeavesUnlegalized},
      {"loom-constrain-extents", ChecksShapes},
      {"loom-copy-transposed", NoTraits},
      {"loom-decompose-linalg", LeavesUnlegalized},
      {"loom-elementwise-to-linalg", NoTraits},
      {"loom-erase-attributes", NoTraits},
      {"loom-erase-dead-stores", NoTraits},
      {"loom-erase-extents", NoTraits},
      {"loom-erase-identities", LeavesUnlegalized},
      {"loom-expand-conversions", NoTraits},
      {"loom-expand-math", NoTraits},
      {"loom-expand-sparse-constants", ChecksProgram | LeavesUnlegalized},
      {"loom-expand-user-operations", ChecksProgram | LeavesUnlegalized},
      {"loom-flatten-tuples", ChecksProgram | LeavesUnlegalized},
      {"loom-fold-constants", NoTraits},
      {"loom-fold-elements", NoTraits},
      {"loom-fold-padding", NoTraits},
      {"loom-free-temporaries", NoTraits},
      {"loom-fuse-maps", NoTraits},
      {"loom-fuse-reductions", NoTraits},
      {"loom-fuse-tails", NoTraits},
      {"loom-generalize-maps", LeavesUnlegalized},
      {"loom-guard-nests", LeavesUnlegalized},
      {"loom-guards-to-assert", ChecksProgram},
      {"loom-infer-effects", ChecksProgram | LeavesUnlegalized},
      {"loom-insert-guards", ChecksShapes},
      {"loom-isolate-padding", LeavesUnlegalized},
      {"loom-lift-state", ChecksProgram | LeavesUnlegalized},
      {"loom-linalg-to-loops", NoTraits},
      {"loom-locate-bodies", LeavesUnlegalized},
      {"loom-lower-affine", NoTraits},
      {"loom-lower-affine-accesses", LeavesUnlegalized},
      {"loom-lower-boundaries", NoTraits},
      {"loom-lower-buffers", LeavesUnlegalized},
      {"loom-lower-calls", NoTraits},
      {"loom-lower-indices", NoTraits},
      {"loom-lower-parallel-loops", LeavesUnlegalized},
      {"loom-lower-tosa", ChecksProgram},
      {"loom-lower-vectors", LeavesUnlegalized},
      {"loom-mangle-symbols", ChecksProgram},
      {"loom-mark-memory-functions", LeavesUnlegalized},
      {"loom-mark-sites", NoTraits},
      {"loom-match-extents", LeavesUnlegalized},
      {"loom-normalize-blocks", LeavesUnlegalized},
      {"loom-normalize-indices", LeavesUnlegalized},
      {"loom-normalize-memory", ChecksProgram | LeavesUnlegalized},
      {"loom-outline-kernels", NoTraits},
      {"loom-pack-set-tensors", ChecksProgram | LeavesUnlegalized},
      {"loom-pack-weights", NoTraits},
      {"loom-parallelize-nests", ChecksProgram},
      {"loom-place-memory", NoTraits},
      {"loom-place-parts", NoTraits},
      {"loom-plan-memory", NoTraits},
      {"loom-print-schedule", NoTraits},
      {"loom-print-shape-functions", ChecksProgram},
      {"loom-raise-nests", NoTraits},
      {"loom-read-boundaries", NoTraits},
      {"loom-read-transposed", NoTraits},
      {"loom-refine-shapes", ChecksShapes},
      {"loom-scf-to-cf", NoTraits},
      {"loom-schedule-nests", NoTraits},
      {"loom-separate-tensors", NoTraits},
      {"loom-set-target", NoTraits},
      {"loom-shape-queries", NoTraits},
      {"loom-share-nests", NoTraits},
      {"loom-split-boundaries", NoTraits},
      {"loom-split-functions", NoTraits},
      {"loom-to-llvm", NoTraits},
      {"loom-unmark-memory-functions", NoTraits},
      {"loom-verify-shape-library", ChecksProgram},
      {"loom-version-nests", NoTraits},
      {"loom-widen-elements", LeavesUnlegalized},
      {"loom-write-in-place", NoTraits},
  };
  return known;
}

bool broadloom::passHas(StringRef name, PassTraits traits) {
  // A stage that runs as one pass (LeaveOthers.h) fails by itself only where
  // its passes cannot begin, because a user's text is refused.
  if (name.starts_with("broadloom-"))
    return traits == ChecksProgram;
  llvm::ArrayRef<KnownPass> known = getKnownPasses();
  const KnownPass *it = llvm::find_if(
      known, [&](const KnownPass &pass) { return pass.name == name; });
  return it != known.end() && (it->traits & traits) == traits;
}
