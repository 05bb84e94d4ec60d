//===- FusedReduction.h - one operation for several over rows ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the loom.fused_reduction that replaces a cluster of maps and
// reductions.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_FUSE_FUSEDREDUCTION_H
#define BROADLOOM_LOWER_FUSE_FUSEDREDUCTION_H

#include "lower/fuse/ReductionCandidates.h"

namespace broadloom::lower {

/// Replaces `members` by one loom.fused_reduction over `axes` (bits) at the
/// position of the first. The others come before it in the text, each after
/// those that follow it in the list. A value with users outside the members
/// becomes a result of the same type.
void buildFusedReduction(llvm::ArrayRef<const RowCandidate *> members,
                         uint64_t axes);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_FUSE_FUSEDREDUCTION_H
